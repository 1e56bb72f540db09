"""Query texts that differ only by quotes, as Quepid writes them in two of its exports."""

from __future__ import annotations

import rankdash as rd
from rankdash.mistakes import mistakes

HEAD = b"Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"


def test_queries_that_differ_only_by_quotes_are_named() -> None:
    """A query whose quotes are doubled in one file is said to almost match, with both texts and why."""
    a, b = (
        rd.read_run(HEAD + name + b',Mon,7,kettle ""gooseneck"",d1,1\n' + name + b",Mon,7,tv,d2,1\n")
        for name in (b"x", b"y")
    )
    judgments = rd.read_judgments(b'query,docid,rating\n"kettle ""gooseneck""",d1,3\ntv,d2,1\n')
    said = [mistake.sentence for mistake in mistakes(a, b, judgments)]
    assert any("differ only by quotes" in sentence and 'kettle "gooseneck"' in sentence for sentence in said)
