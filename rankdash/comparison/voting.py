"""A table of votes as numbers: what raters said, query by query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from rankdash import arrow
from rankdash.comparison.rankings import ComparisonError
from rankdash.evidence.votes.gsb_of_votes import Rated, rated
from rankdash.judged import EXCHANGED
from rankdash.notes import detail, warning
from rankdash.policy import Policy
from rankdash.records.shown import Shown
from rankdash.tables import Pair, Votes, side_of

#: How each word counts, seen from B.
_SIGN = {"good": 1, "bad": -1}
#: Which model stood on the left, seen from B.
_LEFT = {"B": 1, "A": -1}
#: The columns of votes that count.
_COUNTED = ("query_id", "vote", "left", "rater", "doc_id")
#: The most raters that are left out in turn: where there are more, none carries a verdict alone.
MOST_RATERS = 50
_TURNED_WORDS = {"good": "bad", "bad": "good"}
#: The code of the note on votes that were turned around; it goes when they are turned back.
TURNED = "votes_turned"


def rated_votes(votes: Votes | None) -> Rated | None:
    """Return majority labels, agreement, and ΔGSB at a balanced side; None without votes."""
    columns = _numbers(votes)
    return None if columns is None else rated(**columns)


def _numbers(votes: Votes | None) -> dict[str, npt.NDArray[np.int64]] | None:
    """Return votes as the arguments of ``rated``, (r,) each; None without votes."""
    if votes is None or not len(votes.table):
        return None
    columns = {name: arrow.numbered(votes.table.column(name)) for name in _COUNTED if name in votes.table.column_names}
    result = {"query": columns["query_id"].of, "vote": _worded(columns["vote"], _SIGN)}
    if "left" in columns:
        result["left"] = _worded(columns["left"], _LEFT)
    if "rater" in columns:
        named = np.array([name != "" for name in columns["rater"].values])
        result["rater"] = np.where(named[columns["rater"].of], columns["rater"].of, -1)
    return result | ({"about": columns["doc_id"].of} if "doc_id" in columns else {})


def _worded(column: arrow.Numbered, counts: Mapping[str, int]) -> npt.NDArray[np.int64]:
    """Return the number for each word of a column, (r,); 0 for a word without one."""
    return np.array([counts.get(word, 0) for word in column.values], np.int64)[column.of]


def without_each_rater(votes: Votes | None) -> Iterator[tuple[str, Rated]]:
    """Yield each rater's name and the votes without this rater; nothing for a single rater, or without names.

    Of more than MOST_RATERS, only those who voted most are left out in turn; of equals the first by name.
    """
    columns = _numbers(votes)
    if votes is None or columns is None or "rater" not in columns:
        return
    named = arrow.numbered(votes.table.column("rater"))
    names, who, rows = named.values, named.of, np.bincount(named.of)
    most = np.sort(np.argsort(-rows, kind="stable")[:MOST_RATERS]) if len(names) > 1 else ()
    for rater in most:
        rest = {name: column[who != rater] for name, column in columns.items()}
        rest["query"] = np.unique(rest["query"], return_inverse=True)[1]
        yield names[rater], rated(**rest)


def swapped_votes(votes: Votes) -> Votes:
    """Return the votes seen from A: good and bad are exchanged, and so are A and B on the left."""
    table = arrow.reworded(votes.table, "vote", _TURNED_WORDS)
    if "left" in table.column_names:
        table = arrow.reworded(table, "left", EXCHANGED)
    notes = votes.source.notes
    noted = tuple(note for note in notes if note.code != TURNED)
    if len(noted) == len(notes):
        noted = (*notes, detail(TURNED, "Seen from the other side: A and B were swapped."))
    pair = None if votes.pair is None else (votes.pair[1], votes.pair[0])
    about = None if votes.about is None else (votes.about[1], votes.about[0])
    return Votes(table, replace(votes.source, notes=noted), pair, about)


def matched_votes(votes: Votes, models: Pair) -> Votes:
    """Return votes that were read before the runs, seen from the second run: turned around, with a warning, where the
    runs are called like the votes' B and A, in this order. Votes on models of other names stay as they were read.

    ComparisonError where the names do not tell which is which.
    """
    if votes.pair is None:
        return votes
    a, b = (side_of(name, models) for name in votes.pair)
    if a != "B" and b != "A":
        return votes
    if (a, b) != ("B", "A"):
        named, runs = (" and ".join(pair) for pair in (votes.pair, models))
        what = f"{votes.source.name or 'The votes'}: the votes are on {named}, and the runs are {runs}."
        raise ComparisonError(f"{what} Read the votes with pair=(A, B), or name the runs as the votes do.")
    text = f"The votes were turned around: {models[0]} is A, {models[1]} is B."
    swapped = swapped_votes(votes)
    source = replace(votes.source, notes=(*votes.source.notes, warning("votes_matched", text)))
    return replace(swapped, source=source)


@dataclass(frozen=True, eq=False)
class VotesAlone(Shown, arrow.ByContent):
    """Votes without judgments: nothing but the votes decides."""

    policy: Policy
    vote_rows: Votes
    votes: Rated

    def __repr__(self) -> str:
        gsb = self.votes.gsb
        return f"VotesAlone({gsb.good} good, {gsb.same} same, {gsb.bad} bad)"


def compare_votes(votes: Votes, policy: Policy | None = None) -> VotesAlone:
    """Return what raters say about B against A, for a verdict without judgments.

    ComparisonError for a table without rows.
    """
    said = rated_votes(votes)
    if said is None:
        raise ComparisonError(f"{votes.source.name or 'The table of votes'} holds no vote.")
    return VotesAlone(policy or Policy(), votes, said)
