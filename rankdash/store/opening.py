"""A saved comparison as the core computes it, and what the core computed as it is saved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rankdash.case import Case, compared, content_digest, given_name
from rankdash.judged import SIDES, inline_judgments
from rankdash.scoring import UNNAMED, Comparison, PerQuery, VotesAlone
from rankdash.store.journal.comparable import Comparand, entry
from rankdash.store.records import Saved, State
from rankdash.tables import Judgments, Run, Source


def case_of(content: Case, state: State) -> Case:
    """Return what is compared: the tables under their names with the edits in force, A and B the way around in which
    they are shown.
    """
    history = state.history
    case = replace(content.renamed(state.name, state.a, state.b), edits=history.edits, held=history.held)
    return case.swapped() if state.swapped else case


def comparison_of(content: Case, state: State, earlier: PerQuery | None = None) -> Comparison | VotesAlone:
    """Return the comparison under its policy; ``earlier`` and errors are as for ``compared``."""
    return compared(case_of(content, state), state.policy, earlier=earlier)


def entry_of(saved: Saved, comparison: Comparison | VotesAlone) -> Comparand:
    """Return a saved comparison as it is put beside others; ``comparison`` is what ``comparison_of`` made of it."""
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
    """Return digests of the lists of A and B, and of the judgments, as they were read: of the bytes of their files and
    of the notes on how these were read; "" where that is not on record. Two models of one file differ by their names.
    """
    inputs = comparison.scored.inputs or UNNAMED
    runs = [inputs.a, inputs.b]
    of_one_file = inputs.a.source.sha256 == inputs.b.source.sha256
    names = [run.first_name for run in saved.content.runs or () if of_one_file]
    names = (names[::-1] if saved.state.swapped else names) or ["", ""]
    lists = [_file(run.source, run.ordered_by, name) for run, name in zip(runs, names, strict=True)]
    return lists, _file(inputs.judgments) or saved.digest("scored") or ""


def _file(source: Source, *how: str) -> str:
    return "\n".join((source.sha256, *how, *map(str, source.notes))) if source.sha256 else ""


def content_of(comparison: Comparison | VotesAlone) -> Case:
    """Return the tables of a comparison. ComparisonError where it was made of per-query values, without lists."""
    if isinstance(comparison, VotesAlone):
        return Case(votes=comparison.vote_rows)
    a, b, judgments, votes = comparison.a, comparison.b, comparison.joined.judgments, comparison.vote_rows
    votes = None if votes is None else replace(votes, about=None)  # those that count are on these lists, as edited
    return Case((a, b), None if _are_inline(judgments, a, b) else judgments, comparison.queries, votes)


def scored_content(case: Case) -> Case:
    """Return the case of a per-query table that was read, as it can be saved: the table as Arrow holds it."""
    scored = case.scored
    if scored is None or not isinstance(scored.table, PerQuery):
        return case
    return replace(case, scored=replace(scored, table=scored.table.to_arrow()))


def state_of(content: Case, state: State) -> State:
    """Return the state with names for the models, distinct ones, and one for votes that have none."""
    names = content.with_distinct_names().names
    name = replace(content, name=state.name.strip()).title if content.runs is None else state.name
    return replace(state, name=given_name(name, names["a"], names["b"]), a=names["a"], b=names["b"])


def _are_inline(judgments: Judgments, a: Run, b: Run) -> bool:
    """Return whether judgments are the grades that stand beside the documents: then the runs say everything."""
    inline = inline_judgments(a, b) if judgments.source == Source() else None
    return inline is not None and inline.table.equals(judgments.table)
