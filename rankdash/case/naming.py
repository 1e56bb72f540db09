"""What a comparison is called, everywhere: as somebody named it, else by its models."""

from __future__ import annotations

from rankdash.tables import Votes

_MODELS = "{a} → {b}"
#: What every upload was called before comparisons were named by their models.
_NO_NAME = "Uploaded comparison"
_VOTES = "Votes"


def title(name: str, a: str, b: str) -> str:
    """Return what a comparison is called: ``name``, "" for its models as they are shown now.

    >>> title("", "old", "new"), title("Spring", "old", "new")
    ('old → new', 'Spring')
    """
    return given_name(name, a, b) or (_MODELS.format(a=a, b=b) if a or b else _VOTES)


def given_name(name: str, a: str, b: str) -> str:
    """Return the name that somebody gave; "" where it says no more than the models do, so that it follows them."""
    name = name.strip()
    return "" if name in (_NO_NAME, _MODELS.format(a=a, b=b)) else name


def votes_title(votes: Votes) -> str:
    """Return what votes without lists are called: by the models that they name, else by their file."""
    return title("" if votes.pair else votes.source.name, *(votes.pair or ("", "")))
