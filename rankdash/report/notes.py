"""What was noticed while the lists were put in order and met the judgments, one sentence each."""

from __future__ import annotations

from rankdash.comparison import Comparison, Noticed, Side, VotesAlone
from rankdash.judged import Findings
from rankdash.wording import count, literal, number


def run_notes(comparison: Comparison, side: Side) -> tuple[str, ...]:
    """Return what reading a run decided, and what its lists showed: one sentence each."""
    run = comparison.inputs.run(side)
    return (*run.source.notes, *_findings(comparison.scored.noticed.findings(side), run.ordered_by))


def judgment_notes(comparison: Comparison) -> tuple[str, ...]:
    """Return what reading the judgments decided, and where they contradict themselves: one sentence each."""
    return (*comparison.inputs.judgments.notes, *_conflicts(comparison.scored.noticed))


def notes_of(comparison: Comparison | VotesAlone) -> tuple[str, ...]:
    """Return what reading the votes decided, and which of them count, for a terminal: a line each with the file."""
    votes = comparison.vote_rows
    if votes is None:
        return ()
    return tuple(literal(f"{votes.source.name or 'votes'}: {note}") for note in votes.source.notes)


def _findings(findings: Findings, ordered_by: str) -> list[str]:
    other = "rank" if ordered_by == "score" else "score"
    told = [
        (
            findings.duplicates,
            "a document stands twice in a list",
            "documents stand twice in a list",
            "the first place counts, the others were left out",
        ),
        (
            findings.disagreements,
            "row where rank and score disagree",
            "rows where rank and score disagree",
            f"the {ordered_by} was used, not the {other}",
        ),
        (
            findings.by_rank_instead,
            "list is ordered by rank",
            "lists are ordered by rank",
            "a score in it is not a finite number",
        ),
        (findings.gaps, "list leaves ranks out", "lists leave ranks out", "the places were counted anew from 1"),
        (
            findings.tied_rows,
            "row has the score of a neighbour",
            "rows have the score of a neighbour",
            "the convention says how ties are broken",
        ),
        (findings.unjudged_queries, "query has no judgments", "queries have no judgments", "they do not count"),
    ]
    return [f"{count(n, one, many)}: {so}." for n, one, many, so in told if n]


def _conflicts(noticed: Noticed) -> list[str]:
    notes, first = [], noticed.first
    if noticed.repeated:
        told = count(noticed.repeated, "judgment repeats", "judgments repeat")
        notes.append(f"{told} an earlier one; nothing changes.")
    if first is not None:
        notes.append(
            f"{count(noticed.conflicts, 'judgment contradicts', 'judgments contradict')} an earlier one, the first "
            f'was kept: query "{first.query_id}", document "{first.doc_id}" has {number(first.kept, 0)} '
            f"and {number(first.other, 0)}."
        )
    return notes
