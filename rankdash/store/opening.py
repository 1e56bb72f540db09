"""A saved comparison as the core computes it, and what the core computed as it is saved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from rankdash.comparison import (
    Comparison,
    ComparisonError,
    PerQuery,
    TableError,
    VotesAlone,
    check_settings,
    compare_joined,
    compare_scored,
    compare_votes,
    join,
    swapped_votes,
)
from rankdash.comparison.per_query import UNNAMED
from rankdash.comparison.per_query.parts import in_parts
from rankdash.edits import Standing, apply, standing
from rankdash.judged import SIDES, inline_judgments, swapped_judgments
from rankdash.policy import Policy
from rankdash.store.files import InPieces, Pieces, about_lists, content_digest, lists_of
from rankdash.store.journal.comparable import Entry, entry
from rankdash.store.records import Content, Saved, State
from rankdash.tables import NO_ROWS, Judgments, Queries, Run, Scored, Source, Votes

#: What B is called where both models have the same name.
SECOND_NAME = "{name} (2)"
VOTES = "Votes"


def comparison_of(content: Content, state: State, known: PerQuery | None = None) -> Comparison | VotesAlone:
    """The comparison: its edits in the tables, A and B the way around in which they are shown, under its policy.

    ``known`` are per-query values of just this comparison that were computed before.

    ComparisonError and MeasureError as for ``compare``, where the policy was made for other tables.
    """
    if content.a is None or content.b is None:
        assert content.votes is not None
        return compare_votes(swapped_votes(content.votes) if state.swapped else content.votes, state.policy)
    stands = votes_of(content, state)
    votes = None if stands is None else stands.votes
    if content.scored is not None:
        scored = scored_table(content.scored, _named(content.a, state.a), _named(content.b, state.b))
        check_settings(scored, state.policy)
        return compare_scored(scored, state.policy, queries=content.queries, votes=votes)
    a, b, judgments, history = _named(content.a, state.a), _named(content.b, state.b), content.judgments, state.history
    if state.swapped:
        a, b, history = b, a, history.swapped()
        judgments = None if judgments is None else swapped_judgments(judgments)
    edited = apply(history.edits, a, b, judgments, state.policy.scoring)
    joined = join(edited.a, edited.b, edited.judgments, depth=2 * state.policy.cutoff)
    return compare_joined(joined, state.policy, queries=content.queries, votes=votes, known=known)


def votes_of(content: Content, state: State) -> Standing | None:
    """Which votes count, A and B the way around in which they are shown; None without votes, or without lists."""
    if content.votes is None or content.a is None or content.b is None:
        return None
    a, b, votes, history = _named(content.a, state.a), _named(content.b, state.b), content.votes, state.history
    if state.swapped:
        a, b, votes, history = b, a, swapped_votes(votes), history.swapped()
    policy, lists = state.policy, None if votes.about is None else lists_of(a, b)
    return standing(
        votes, a, b, history.edits, history.held, lists=lists, convention=policy.scoring, cutoff=policy.cutoff
    )


def with_voted_lists(content: Content, before: Content | None = None) -> Content:
    """Return the tables with votes that know which lists they are on: those beside them; where the votes are those of
    ``before``, the lists that were there.
    """
    votes, lists = content.votes, content if before is None or content.votes is not before.votes else before
    if votes is None or lists.a is None or lists.b is None:
        return content
    return replace(content, votes=about_lists(votes, lists.a, lists.b))


def entry_of(saved: Saved, comparison: Comparison | VotesAlone) -> Entry:
    """A saved comparison as it is put beside others; ``comparison`` is what ``comparison_of`` made of it."""
    edits = {"judgments" if edit.what == "grade" else "lists" for edit in saved.state.history.edits}
    digests = ["" if saved.content.scored is not None else saved.digest(role) or "" for role in SIDES]
    if isinstance(comparison, Comparison) and "lists" in edits:
        digests = [content_digest(comparison.a), content_digest(comparison.b)]
    elif saved.state.swapped:
        digests.reverse()
    (a, b), judgments = _files(saved, comparison) if isinstance(comparison, Comparison) else (("", ""), "")
    a, b = ("", "") if "lists" in edits else (a, b)
    files = a, b, "" if "judgments" in edits else judgments
    return entry(comparison, id=saved.id, at=saved.changed, baseline=digests[0], candidate=digests[1], files=files)


def _files(saved: Saved, comparison: Comparison) -> tuple[Iterable[str], str]:
    """What the lists of A and B, and the judgments, are known by as they were read: the bytes of their files, and what
    was noted of how these were read; "" where nobody knows. Two models of one file are known by their names too.
    """
    inputs = comparison.scored.inputs or UNNAMED
    runs = [inputs.a, inputs.b]
    of_one_file = inputs.a.source.sha256 == inputs.b.source.sha256
    names = [run.first_name for run in (saved.content.a, saved.content.b) if run is not None and of_one_file]
    names = (names[::-1] if saved.state.swapped else names) or ["", ""]
    lists = [_file(run.source, run.ordered_by, name) for run, name in zip(runs, names, strict=True)]
    return lists, _file(inputs.judgments) or saved.digest("scored") or ""


def _file(source: Source, *how: str) -> str:
    return "\n".join((source.sha256, *how, *source.notes)) if source.sha256 else ""


def content_of(comparison: Comparison | VotesAlone) -> Content:
    """The tables of a comparison. ComparisonError where it was made of per-query values, without lists."""
    if isinstance(comparison, VotesAlone):
        return Content(votes=comparison.vote_rows)
    a, b, judgments, votes = comparison.a, comparison.b, comparison.joined.judgments, comparison.vote_rows
    votes = None if votes is None else replace(votes, about=None)  # those that count are on these lists, as edited
    return Content(a, b, None if _are_inline(judgments, a, b) else judgments, comparison.queries, votes)


def scored_content(
    scored: PerQuery,
    files: Mapping[str, Mapping[str, Any]],
    *,
    queries: Queries | None = None,
    votes: Votes | None = None,
) -> Content:
    """The tables of a comparison that is made of scored queries; ``files`` as in ``Scored``."""
    table = Scored(scored.to_arrow(), Source(rows=len(scored)), files)
    return Content(*inputs_of_scored(table), None, queries, votes, table)


def inputs_of_scored(scored: Scored) -> tuple[Run, Run]:
    """A and B of scored queries, as runs without rows. ComparisonError where this version cannot read the table."""
    inputs = _read(scored).inputs or UNNAMED
    a, b = (Run(run.name, NO_ROWS, run.ordered_by, run.source) for run in (inputs.a, inputs.b))
    return a, b


def policy_of_scored(scored: Scored) -> Policy | None:
    """The policy that queries were scored for; None where nobody said. ComparisonError as for ``inputs_of_scored``."""
    inputs = _read(scored).inputs
    return None if inputs is None else inputs.policy


def _read(scored: Scored) -> PerQuery:
    table = scored.table
    try:
        return table.once(_in_parts) if isinstance(table, InPieces) else PerQuery.from_arrow(table)
    except (TableError, RecursionError) as error:
        raise ComparisonError(str(error)) from None


def _in_parts(table: InPieces) -> PerQuery:
    return in_parts(table.schema, _Kept(table.pieces), table.sizes)


class _KeptError(TableError, ComparisonError):
    """A table that was whole when it was opened, and is not when a column of it is read."""


@dataclass(frozen=True)
class _Kept:
    """Reads columns of a table that is kept."""

    pieces: Pieces

    def read(self, part: str, names: Sequence[str]) -> pa.Table:
        """Return some columns of a part in this order."""
        try:
            return self.pieces.read(part, names)
        except (pa.ArrowException, OSError, KeyError) as error:
            raise self.broken(f"{names[0]!r} cannot be read ({' '.join(str(error).split())[:200]})") from None

    def broken(self, why: str) -> TableError:
        """Return the error for a table that is not as it was written."""
        return _KeptError(f"The table of per-query values that is kept is broken, {why}.")


def scored_table(scored: Scored, a: Run, b: Run) -> PerQuery:
    """The per-query table of scored queries, its models under the names of ``a`` and ``b``. ComparisonError where this
    version cannot read it.
    """
    found = _read(scored)
    inputs = found.inputs or UNNAMED
    named = replace(inputs, a=replace(inputs.a, name=a.name), b=replace(inputs.b, name=b.name))
    return replace(found, inputs=named)


def state_of(content: Content, state: State) -> State:
    """The state with names for everything that has none: from the tables, and distinct ones for A and B."""
    if content.a is None or content.b is None:
        source = content.votes.source.name if content.votes is not None else ""
        return replace(state, name=state.name.strip() or source or VOTES)
    a, b = content.a.name, content.b.name
    b = SECOND_NAME.format(name=b) if a == b else b
    return replace(state, name=state.name.strip() or f"{a} → {b}", a=a, b=b)


def _named(run: Run, name: str) -> Run:
    return run if run.name == name or not name else run.renamed(name)


def _are_inline(judgments: Judgments, a: Run, b: Run) -> bool:
    """Whether judgments are the grades that stand beside the documents: then the runs say everything."""
    inline = inline_judgments(a, b) if judgments.source == Source() else None
    return inline is not None and inline.table.equals(judgments.table)
