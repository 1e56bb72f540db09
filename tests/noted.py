"""What a command tells on stderr, without the notes on what its inputs were read as."""

import re

_NOTE = re.compile(r"(?:A|B|judgments|queries|votes) \([^\n]*\): [^\n]*\n")


def besides_notes(told: str) -> str:
    """The lines that are no notes."""
    return _NOTE.sub("", told)
