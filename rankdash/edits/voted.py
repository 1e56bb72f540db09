"""Which votes count: the votes on the current lists. Votes on other lists are set aside until a user confirms them.

People voted on two lists. Votes store the digests of both (``Votes.about``); if a list was replaced, all votes are set
aside. If an edit changes the first documents of a query with votes, the votes of that query are set aside.
Grades, names and an exchange of A and B change nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from rankdash import arrow
from rankdash.conventions import STANDARD, Convention
from rankdash.edits.edit import Edit, Held
from rankdash.edits.tables import apply
from rankdash.judged import Order, only, ranked_rows
from rankdash.notes import listed, warning
from rankdash.records import frozen, replace
from rankdash.scoring import swapped_votes
from rankdash.tables import Run, VotedList, Votes

Lists = tuple[VotedList, VotedList]

#: Queries that a note names, and the hexadecimal digits of a digest of the first documents.
_NAMED, _DIGITS = 10, 32
_TURNED = "Votes: the lists that people voted on as A and B are B and A here; the votes were turned around."
_UNTIL = "They count once somebody says that they hold."
_OTHER_LISTS = f"{{n}} set aside and not counted: people voted on {{there}}. {_UNTIL}"
_HELD = "Votes count, as somebody said, though people voted on {there}."
_EDITED = f"{{n}} on {{queries}} set aside and not counted: an edit changed the first {{k}} documents. {_UNTIL}"
_HELD_EDITED = "Votes on {queries} count, as somebody said, though an edit changed the first {k} documents."


@frozen
class VoteValidity:
    """The votes that count; ``open`` are the lists for which a user has to confirm votes, and ``notes`` say why the
    other votes are set aside.
    """

    votes: Votes
    open: tuple[Held, ...] = ()
    notes: tuple[str, ...] = ()


def valid_votes(
    votes: Votes,
    a: Run,
    b: Run,
    edits: Sequence[Edit] = (),
    held: Collection[Held] = (),
    *,
    lists: Lists | None = None,
    convention: Convention = STANDARD,
    cutoff: int = 10,
) -> VoteValidity:
    """Return which votes count on the lists ``a`` and ``b`` with edits on top of them.

    ``lists`` are the digests of both (None: the votes are about them), ``held`` the lists for which votes were
    confirmed. The first ``cutoff`` documents count; ``convention`` defines the order of equal scores.
    """
    matched = _on_lists(votes, lists, held)
    if matched.open or not edits:
        return matched
    ids = votes.table.column("query_id").to_pylist()
    voted = set(ids)
    of_lists = [edit for edit in edits if edit.what != "grade" and edit.query_id in voted]
    changed = _changed(of_lists, a, b, convention, cutoff) if of_lists else ()
    aside = tuple(lists_now for lists_now in changed if lists_now not in held)
    said = [lists_now.query_id for lists_now in changed if lists_now in held]
    rest = _noted(matched.votes, [_HELD_EDITED.format(queries=_listed(said), k=cutoff)] if said else [])
    if not aside:
        return VoteValidity(rest)
    queries = dict.fromkeys(lists_now.query_id for lists_now in aside)
    counted = np.flatnonzero(np.array([query not in queries for query in ids], bool))
    table = rest.table.take(arrow.from_numpy(counted))
    notes = (_EDITED.format(n=_number(len(ids) - len(table)), queries=_listed([*queries]), k=cutoff),)
    return VoteValidity(_noted(replace(rest, table=table), notes), aside, notes)


def _on_lists(votes: Votes, lists: Lists | None, held: Collection[Held]) -> VoteValidity:
    """Return the votes as far as they are on two lists as a whole: all of them, or none."""
    about = votes.about
    if about is None or lists is None:
        return VoteValidity(votes)
    there, here = ([voted.digest for voted in pair] for pair in (about, lists))
    if there == here:
        return VoteValidity(votes)
    if there == here[::-1]:
        return VoteValidity(_noted(replace(swapped_votes(votes), source=votes.source), [_TURNED]))
    there_named = " and ".join(
        f"{side} {listed([was.name])} "
        + ("as it was" if was.name == now.name else f"({side} is {listed([now.name])} now)")
        for side, was, now in zip("AB", about, lists, strict=True)
        if was.digest != now.digest
    )
    if (said := Held("", *here)) in held:
        return VoteValidity(_noted(votes, [_HELD.format(there=there_named)]))
    notes = (_OTHER_LISTS.format(n=_number(len(votes.table)), there=there_named),)
    return VoteValidity(_noted(replace(votes, table=votes.table.slice(0, 0)), notes), (said,), notes)


def _changed(edits: Sequence[Edit], a: Run, b: Run, convention: Convention, k: int) -> tuple[Held, ...]:
    """Return the queries whose first k documents differ by edits, with what they are now."""
    queries = list(dict.fromkeys(edit.query_id for edit in edits))
    ids, order = arrow.from_strings(queries), Order.of(convention)
    before = [only(run, ids)[0] for run in (a, b)]
    edited = apply(edits, before[0], before[1], None, convention)
    changed = []
    for query in queries:
        was = [_digest(run, query, order, k) for run in before]
        now = [_digest(run, query, order, k) for run in (edited.a, edited.b)]
        if was != now:
            changed.append(Held(query, *now))
    return tuple(changed)


def _digest(run: Run, query_id: str, order: Order, k: int) -> str:
    """Return the digest of the first k documents of a list, in order."""
    rows, _, _ = ranked_rows(run, query_id, order)
    digest = hashlib.sha256()
    for doc_id in run.table.column("doc_id").take(arrow.from_numpy(rows[:k])).to_pylist():
        data = doc_id.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:_DIGITS]


def _number(votes: int) -> str:
    return "1 vote" if votes == 1 else f"{votes:,} votes"


def _listed(queries: Sequence[str]) -> str:
    more = len(queries) - _NAMED
    named = listed(queries[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    return f"{len(queries):,} {'query' if len(queries) == 1 else 'queries'} ({named})"


def _noted(votes: Votes, notes: Iterable[str]) -> Votes:
    return replace(votes, source=votes.source.noting(*(warning("votes_aside", text) for text in notes)))
