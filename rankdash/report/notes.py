"""What reading the inputs decided, and what was noticed when the lists met the judgments: one sentence each.

The Data page, JSON and a terminal show the same notes.
"""

from __future__ import annotations

from dataclasses import dataclass

from rankdash import wording
from rankdash.conventions import preset_name
from rankdash.evaluate import note_findings
from rankdash.metrics import uncovered
from rankdash.mistakes import Input
from rankdash.notes import Note, detail, phrased, warning
from rankdash.scoring import SIDES, Comparison, Noticed, Side, VotesAlone
from rankdash.wording import count, literal, number

#: How many notes on an input a terminal shows.
_MOST = 20


@dataclass(frozen=True)
class InputNotes:
    """The notes on an input, and the name of its file ("" for an input that was made in memory)."""

    input: Input
    file: str
    notes: tuple[Note, ...]


def input_notes(comparison: Comparison | VotesAlone) -> tuple[InputNotes, ...]:
    """Return the notes on every input of a comparison: A, B, the judgments and, where given, queries and votes."""
    inputs: list[InputNotes] = []
    votes, queries = comparison.vote_rows, None
    if isinstance(comparison, Comparison):
        runs = {side: comparison.inputs.run(side).source.name for side in SIDES}
        inputs += [InputNotes(side, name, run_notes(comparison, side)) for side, name in runs.items()]
        inputs.append(InputNotes("judgments", comparison.inputs.judgments.name, judgment_notes(comparison)))
        queries = comparison.queries
    if queries is not None:
        inputs.append(InputNotes("queries", queries.source.name, queries.source.notes))
    if votes is not None:
        inputs.append(InputNotes("votes", votes.source.name, votes.source.notes))
    return tuple(inputs)


def notes_of(comparison: Comparison | VotesAlone, *, verbose: bool = False) -> tuple[str, ...]:
    """Return the warnings as lines for a terminal, which begin with the input and contain no character that acts there;
    with ``verbose`` the details too.

    Of many notes on an input, the first are returned, and how many more there are.
    """
    lines: list[str] = []
    for noted in input_notes(comparison):
        called = noted.input.upper() if noted.input in SIDES else noted.input
        where = f"{called} ({noted.file})" if noted.file else called
        notes = phrased(noted.notes, "shell", verbose=verbose)
        lines += [f"{where}: {note}" for note in notes[:_MOST]]
        if more := len(notes) - _MOST:
            lines += [f"{where}: and {count(more, 'more note', 'more notes')}."] if more > 0 else []
    if isinstance(comparison, Comparison):
        lines += [f"Convention: {note}" for note in convention_notes(comparison)]
        lines += [f"Measures: {note}" for note in measure_notes(comparison)]
    return tuple(map(literal, lines))


def preset_of(comparison: Comparison) -> str | None:
    """Return the name by which the policy names the convention, or that of the preset that it equals."""
    convention = comparison.policy.convention
    return convention if isinstance(convention, str) else preset_name(comparison.convention)


def convention_notes(comparison: Comparison) -> tuple[str, ...]:
    """Return that some measures are not those of the convention’s tools, in one sentence; nothing where all are."""
    return wording.uncovered(uncovered(comparison.measures, preset_of(comparison)))


def measure_notes(comparison: Comparison) -> tuple[str, ...]:
    """Return which measures only describe the lists, in one sentence; nothing where none does."""
    names = [result.label for result in comparison.results if result.describes]
    only, of_it = ("describes", "it") if len(names) == 1 else ("describe", "them")
    return (f"{', '.join(names)} only {only} the lists: no query is won or lost by {of_it}.",) if names else ()


def run_notes(comparison: Comparison, side: Side) -> tuple[Note, ...]:
    """Return what reading a run decided, and what its lists showed."""
    run = comparison.inputs.run(side)
    findings = comparison.scored.noticed.findings(side)
    return (*run.source.notes, *note_findings(findings, run.ordered_by, run.source, side.upper()))


def judgment_notes(comparison: Comparison) -> tuple[Note, ...]:
    """Return what reading the judgments decided, and where they contradict themselves."""
    below = wording.below_zero(comparison.scored.scope.grades, comparison.convention.negative)
    beneath = [warning("below_zero", below)] if below else []
    return (*comparison.inputs.judgments.notes, *_conflicts(comparison.scored.noticed), *beneath)


def _conflicts(noticed: Noticed) -> list[Note]:
    notes, first = [], noticed.first
    if noticed.repeated:
        repeated = count(noticed.repeated, "judgment repeats", "judgments repeat")
        notes.append(detail("judgments_repeat", f"{repeated} an earlier one; nothing changes."))
    if first is not None:
        text = (
            f"{count(noticed.conflicts, 'judgment contradicts', 'judgments contradict')} an earlier one, the first "
            f'was kept: query "{first.query_id}", document "{first.doc_id}" has {number(first.kept, 0)} '
            f"and {number(first.other, 0)}."
        )
        notes.append(warning("judgments_contradict", text))
    return notes
