"""A comparison and its verdict as JSON, schema 4. Full precision; null means not defined, or not asked for.

docs/report.schema.json says what every field is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, get_args

from rankdash.edits import Edit
from rankdash.evidence.votes import Gsb, Sides
from rankdash.installation import __version__
from rankdash.mistakes import Mistake
from rankdash.notes import Note
from rankdash.report.notes import (
    convention_notes,
    judgment_notes,
    measure_notes,
    mistakes_of,
    notes_about,
    preset_of,
    query_notes,
    query_numbers,
    run_notes,
)
from rankdash.scoring import (
    DERIVED_TOLERANCE,
    SIDES,
    Comparison,
    SegmentResult,
    Side,
    VotesAlone,
    summary_row,
    tests_row,
)
from rankdash.tables import Source
from rankdash.verdict import Fragility, Robustness, Verdict, answer, robustness
from rankdash.verdict.records import Condition, Question

SCHEMA = 4


def to_json(comparison: Comparison | VotesAlone, verdict: Verdict, edits: Sequence[Edit] = ()) -> str:
    """Return the JSON text of ``to_dict``, indented, non-ASCII letters as they are."""
    return json.dumps(to_dict(comparison, verdict, edits), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def to_dict(comparison: Comparison | VotesAlone, verdict: Verdict, edits: Sequence[Edit] = ()) -> dict[str, Any]:
    """Return everything a release job needs to know, by name: inputs, convention, counts, measures, ΔGSB, policy,
    verdict.

    ``edits`` are the edits in the tables of the comparison. The verdict under neighbouring settings is computed here;
    votes alone have none.
    """
    wrong = () if isinstance(comparison, VotesAlone) else mistakes_of(comparison)
    judged = _nothing_judged() if isinstance(comparison, VotesAlone) else _judged_part(comparison, wrong)
    inputs = {**judged.pop("inputs"), "votes": _votes_input(comparison, wrong)}
    return {
        "schema": SCHEMA,
        "rankdash": __version__,
        "inputs": inputs,
        "edits": [asdict(edit) for edit in edits],
        **judged,
        "gsb": _votes(comparison),
        "policy": comparison.policy.to_dict(),
        "verdict": verdict_part(verdict, _settings_of(comparison)),
    }


def _nothing_judged() -> dict[str, Any]:
    """Return the keys of the judged part where there are only votes."""
    nothing = dict.fromkeys(("convention", "queries", "gsb_derived", "judged", "waterfall"))
    return {
        "inputs": dict.fromkeys(("a", "b", "judgments", "queries")),
        **nothing,
        "measures": [],
        "lists": [],
        "segments": [],
    }


def _judged_part(comparison: Comparison, wrong: tuple[Mistake, ...]) -> dict[str, Any]:
    return {
        "inputs": {
            "a": _run(comparison, "a", wrong),
            "b": _run(comparison, "b", wrong),
            "judgments": _judgments(comparison, wrong),
            "queries": _queries_input(comparison, wrong),
        },
        "convention": {
            "preset": preset_of(comparison),
            **comparison.convention.spelled_out(),
            "notes": [*convention_notes(comparison), *measure_notes(comparison)],
        },
        "queries": _queries(comparison),
        "measures": [_measure(comparison, i) for i in range(len(comparison.results))],
        "lists": [{"measure": alike.measure, "mean": alike.mean, "n": alike.n} for alike in comparison.likeness],
        "segments": [_segment(segment) for segment in comparison.plain.segments],
        "gsb_derived": {
            "measure": comparison.primary.measure,
            "tolerance": DERIVED_TOLERANCE,
            **_gsb(comparison.gsb_derived),
        },
        "judged": _judged(comparison),
        "waterfall": comparison.explained.waterfall,
    }


def _measure(comparison: Comparison, i: int) -> dict[str, Any]:
    """Return a measure; what is computed for experts only is null without them."""
    expertise = None if comparison.experts is None else comparison.experts[i]
    return summary_row(comparison.results[i]) | tests_row(expertise)


def _segment(segment: SegmentResult) -> dict[str, Any]:
    paired = segment.paired
    return {
        **_fields(segment, "column", "value"),
        "role": "policy" if segment.named else "exploratory",
        "judged": segment.judged,
        "n": paired.n,
        "groups": paired.clusters,
        **_fields(paired, "n_eff", "delta"),
        "ci": _ends(paired.ci95),
        **_fields(paired, "wins", "ties", "losses"),
        "adjusted_p": segment.adjusted_p,
    }


def _fields(record: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def _ends(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else [*interval]


def _votes(comparison: Comparison | VotesAlone) -> dict[str, Any] | None:
    """Return ΔGSB of the votes by query, who voted, and the interval that counts raters."""
    said = comparison.votes
    if said is None:
        return None
    by_rater = None if said.rater_lower95 is None else [said.rater_lower95, said.rater_upper95]
    return {
        **_gsb(said.gsb),
        **_fields(said.gsb, "interval", "p"),
        **_fields(said, "decided", "people", "raters", "repeated", "alpha"),
        "side": _side(said.side),
        "ci_by_rater": by_rater,
    }


def _side(sides: Sides) -> dict[str, Any]:
    """Return which side B stood on, and what the left side gains."""
    ends = None if sides.lower95 is None else [sides.lower95, sides.upper95]
    return {**_fields(sides, "left", "n", "effect"), "ci": ends, "p": sides.p}


def _votes_input(comparison: Comparison | VotesAlone, wrong: tuple[Mistake, ...]) -> dict[str, Any] | None:
    rows = comparison.vote_rows
    return None if rows is None else _source(rows.source, (*rows.source.notes, *notes_about(wrong, "votes")))


def _queries_input(comparison: Comparison, wrong: tuple[Mistake, ...]) -> dict[str, Any] | None:
    table = comparison.queries
    if table is None:
        return None
    notes = (*table.source.notes, *notes_about(wrong, "queries"))
    facts = comparison.facts
    return {
        **_source(table.source, notes),
        "weighted": facts.weights is not None,
        "missing_weight": table.missing_weight,
        "grouped": facts.clusters is not None,
    }


def _settings_of(comparison: Comparison | VotesAlone) -> Robustness | None:
    return None if isinstance(comparison, VotesAlone) else robustness(comparison)


def _neighbours(holds: Robustness) -> dict[str, Any]:
    settings = [
        {"setting": tried.name, "outcome": tried.outcome.value, "holds": tried.holds} for tried in holds.settings
    ]
    return {"hold": holds.holding, "of": len(settings), "not_with": list(holds.not_with), "settings": settings}


def _fragility(fragility: Fragility) -> dict[str, Any]:
    return {
        "n": fragility.n,
        "queries": list(fragility.queries),
        "turns_to": None if fragility.turns_to is None else fragility.turns_to.value,
        "searched": fragility.searched,
    }


def _note(note: Note) -> dict[str, str]:
    return {"code": note.code, "level": note.level, "text": note.phrase("shell")}


def _source(source: Source, notes: tuple[Note, ...]) -> dict[str, Any]:
    return {"source": source.name, **_fields(source, "sha256", "rows"), "notes": list(map(_note, notes))}


def _run(comparison: Comparison, side: Side, wrong: tuple[Mistake, ...]) -> dict[str, Any]:
    run, lists = comparison.inputs.run(side), comparison.scored.noticed.findings(side).lists
    notes = (*run_notes(comparison, side), *notes_about(wrong, side))
    return {"name": run.name, "queries": lists, "ordered_by": run.ordered_by, **_source(run.source, notes)}


def _judgments(comparison: Comparison, wrong: tuple[Mistake, ...]) -> dict[str, Any]:
    source = comparison.inputs.judgments
    notes = (*judgment_notes(comparison), *notes_about(wrong, "judgments"))
    return {"kind": comparison.counts.kind, "queries": len(comparison.scored), **_source(source, notes)}


def _queries(comparison: Comparison) -> dict[str, Any]:
    """Return how many queries are compared, every fact about them as a number, and the notes on them as sentences."""
    counts = comparison.counts
    return {
        "compared": comparison.primary.paired.n,
        "judged": counts.judged,
        "changed": comparison.primary.paired.wins + comparison.primary.paired.losses,
        **_fields(counts, "affected", "identical", "same_file"),
        **query_numbers(comparison),
        "notes": [note.sentence for note in query_notes(comparison)],
    }


def _gsb(gsb: Gsb) -> dict[str, Any]:
    return {**_fields(gsb, "good", "same", "bad"), "delta_gsb": gsb.delta, "ci": _ends(gsb.ci95)}


def _judged(comparison: Comparison) -> dict[str, Any]:
    counts = comparison.counts
    return {
        "cutoff": comparison.policy.cutoff,
        "a": counts.judged_a,
        "b": counts.judged_b,
        "gap": counts.judged_gap,
        "delta_condensed": comparison.condensed.results[0].paired.delta,
        "delta_bounds": _ends(comparison.delta_bounds),
        "likeness": None if counts.likeness is None else dict(zip(SIDES, map(asdict, counts.likeness), strict=True)),
    }


def _condition(condition: Condition) -> dict[str, Any]:
    return asdict(condition) | {"holds": condition.holds}


def verdict_part(verdict: Verdict, holds: Robustness | None = None) -> dict[str, Any]:
    """Return the verdict alone, by name; ``holds`` are its neighbouring settings, null where not given."""
    return {
        "policy_version": verdict.version,
        "launch": verdict.launch,
        "outcome": verdict.outcome.value,
        **_fields(verdict, "rule", "screen", "tag", "sentence", "next_step", "would_change"),
        "answers": {question: answer(question, verdict.checks) for question in get_args(Question)},
        "checks": [
            {
                "rule": check.rule,
                "status": check.status.value,
                "sentence": check.sentence,
                "conditions": [[_condition(one) for one in group] for group in check.conditions],
                "proof": [_condition(one) for one in check.proof],
            }
            for check in verdict.checks
        ],
        "notes": list(verdict.notes),
        "caveats": [
            {
                "caveat": caveat.id,
                "sentence": caveat.sentence,
                "turns_to": None if caveat.turns_to is None else caveat.turns_to.value,
                "effect": caveat.effect,
            }
            for caveat in verdict.caveats
        ],
        "fragility": None if verdict.fragility is None else _fragility(verdict.fragility),
        "neighbours": None if holds is None else _neighbours(holds),
        **_fields(verdict, "looks", "candidates"),
    }
