"""The same comparison seen from the other side: A and B exchanged, and with them whatever names a side.

Nothing is put in order again. Edits are exchanged in ``edits``, which knows them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pyarrow as pa

from rankdash import arrow
from rankdash.comparison.joined import Joined
from rankdash.judged import Side
from rankdash.tables import Judgments, Votes

OTHER: Mapping[Side, Side] = {"a": "b", "b": "a"}
_SIDES = {"A": "B", "B": "A"}
_VOTES = {"good": "bad", "bad": "good"}
#: What is noted where votes were turned around; turned back, the note is gone.
TURNED = "Seen from the other side: A and B were swapped."


def swapped(joined: Joined, judgments: Judgments) -> Joined:
    """What ``join`` returns for B and A. Both share their rankings: what is put in order for one stands for the other.

    ``judgments`` are those of ``joined`` as ``swapped_judgments`` returns them.
    """
    rankings = {side: joined.rankings[OTHER[side]] for side in OTHER}
    return replace(joined, a=joined.b, b=joined.a, judgments=judgments, rankings=rankings)


def swapped_judgments(judgments: Judgments) -> Judgments:
    """The judgments with the lists that a grade is for exchanged; the same object where grades count for both."""
    if "only_for" not in judgments.table.column_names:
        return judgments
    return replace(judgments, table=_exchanged(judgments.table, "only_for", _SIDES))


def swapped_votes(votes: Votes) -> Votes:
    """The votes seen from A: good is bad, what stood on the left as A stood there as B."""
    table = _exchanged(votes.table, "vote", _VOTES)
    if "left" in table.column_names:
        table = _exchanged(table, "left", _SIDES)
    notes = votes.source.notes
    noted = tuple(note for note in notes if note != TURNED) if TURNED in notes else (*notes, TURNED)
    return Votes(table, replace(votes.source, notes=noted))


def _exchanged(table: pa.Table, name: str, words: Mapping[str, str]) -> pa.Table:
    values = [words.get(value, value) for value in table.column(name).to_pylist()]
    return table.set_column(table.column_names.index(name), name, arrow.from_strings(values))
