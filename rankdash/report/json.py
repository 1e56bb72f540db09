"""A comparison and its verdict as JSON, schema 4; for Python as dicts.

Full precision; null means not defined, or not asked for. docs/report.schema.json says what every field is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from itertools import repeat
from typing import TYPE_CHECKING, Any

from rankdash.evidence.gsb import Gsb
from rankdash.inspect.explain import Explanation
from rankdash.installation import __version__
from rankdash.notes import as_json
from rankdash.records import as_dict
from rankdash.report.notes import convention_notes, input_notes, preset_of, query_notes, query_numbers
from rankdash.report.sections import Reported, answers
from rankdash.scoring import DERIVED_TOLERANCE, SIDES, Comparison, SegmentResult, VotesAlone, summary_row, tests_row
from rankdash.verdict import Robustness, Verdict, decide, robustness
from rankdash.verdict.records import Condition

if TYPE_CHECKING:
    from rankdash.edits import Edit

SCHEMA = 4


def to_json(reported: Reported) -> str:
    """Return the JSON text of ``to_dict``, indented, non-ASCII letters as they are."""
    whole = to_dict(reported.comparison, reported.verdict, reported.edits)
    return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def to_dict(comparison: Comparison | VotesAlone, verdict: Verdict, edits: Sequence[Edit] = ()) -> dict[str, Any]:
    """Return everything a release job needs to know, by name: inputs, convention, counts, measures, ΔGSB, policy,
    verdict.

    ``edits`` are the edits in the tables of the comparison. The verdict under neighbouring settings is computed here;
    votes alone have none.
    """
    judged = None if isinstance(comparison, VotesAlone) else comparison
    return {
        "schema": SCHEMA,
        "rankdash": __version__,
        "inputs": _inputs(comparison),
        "edits": [asdict(edit) for edit in edits],
        **(_NOTHING_JUDGED if judged is None else _judged_part(judged)),
        "gsb": _votes(comparison),
        "policy": comparison.policy.to_dict(),
        "verdict": verdict_part(verdict, None if judged is None else robustness(judged, verdict.candidates)),
    }


#: The judged part where there are only votes.
_NOTHING_JUDGED: Mapping[str, Any] = {
    **dict.fromkeys(("convention", "queries", "gsb_derived", "judged", "waterfall", "catalogue")),
    "measures": [],
    "lists": [],
    "segments": [],
}


def _inputs(comparison: Comparison | VotesAlone) -> dict[str, Any]:
    """Return every input with its source and all notes on it; null where there is none."""
    inputs: dict[str, Any] = dict.fromkeys(("a", "b", "judgments", "queries", "votes", "items"))
    about = {} if isinstance(comparison, VotesAlone) else _about_inputs(comparison)
    for noted in input_notes(comparison):
        inputs[noted.input] = {
            **about.get(noted.input, {}),
            "source": noted.source.name,
            **_fields(noted.source, "sha256", "rows"),
            "notes": as_json(noted.notes),
        }
    return inputs


def _about_inputs(comparison: Comparison) -> dict[str, dict[str, Any]]:
    """Return what is known of inputs beside their sources."""
    facts, table, items = comparison.facts, comparison.queries, comparison.items
    runs = {side: (comparison.inputs.run(side), comparison.scored.noticed.findings(side)) for side in SIDES}
    return {
        **{
            side: {"name": run.name, "queries": found.lists, "ordered_by": run.ordered_by}
            for side, (run, found) in runs.items()
        },
        "judgments": {"kind": comparison.counts.kind, "queries": len(comparison.scored)},
        "queries": {
            "weighted": facts.weights is not None,
            "missing_weight": table and table.missing_weight,
            "grouped": facts.clusters is not None,
        },
        "items": {"at": (items and items.at) or None},
    }


def _judged_part(comparison: Comparison) -> dict[str, Any]:
    found = comparison.catalogue
    return {
        "convention": {
            "preset": preset_of(comparison),
            **comparison.convention.spelled_out(),
            "notes": [*convention_notes(comparison)],
        },
        "queries": _queries(comparison),
        "measures": [
            summary_row(result) | tests_row(expertise)
            for result, expertise in zip(comparison.results, comparison.experts or repeat(None), strict=False)
        ],
        "lists": [_fields(alike, "measure", "mean", "n") for alike in comparison.likeness],
        "segments": [_segment(segment) for segment in comparison.plain.segments],
        "gsb_derived": {
            "measure": comparison.primary.measure,
            "tolerance": DERIVED_TOLERANCE,
            **_gsb(comparison.gsb_derived),
        },
        "judged": _judged(comparison),
        "waterfall": comparison.explained.waterfall,
        "catalogue": None if found is None else dict(zip(SIDES, map(asdict, found), strict=True)),
    }


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
    """Return fields of a record by name; the members of enumerations are plain text."""
    values = {name: getattr(record, name) for name in names}
    return {name: value.value if isinstance(value, StrEnum) else value for name, value in values.items()}


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
        "side": {
            **_fields(said.side, "left", "n", "effect", "p"),
            "ci": None if said.side.lower95 is None else [said.side.lower95, said.side.upper95],
        },
        "ci_by_rater": by_rater,
    }


def _queries(comparison: Comparison) -> dict[str, Any]:
    """Return how many queries are compared, every fact about them as a number, and the notes on them as sentences."""
    counts = comparison.counts
    return {
        "compared": comparison.primary.paired.n,
        "judged": counts.judged,
        "changed": comparison.primary.paired.wins + comparison.primary.paired.losses,
        **_fields(counts, "affected", "identical", "same_file"),
        **query_numbers(comparison),
        "notes": [*map(str, query_notes(comparison))],
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


@as_dict.register
def verdict_part(verdict: Verdict, holds: Robustness | None = None) -> dict[str, Any]:
    """Return the verdict alone, by name; ``holds`` are its neighbouring settings, null where not given."""
    return {
        "policy_version": verdict.version,
        **_fields(verdict, "launch", "outcome", "rule", "screen", "tag", "sentence", "next_step", "would_change"),
        "answers": {one.question: one.word for one in answers(verdict)},
        "checks": [
            {
                **_fields(check, "rule", "status", "sentence"),
                "conditions": [[_condition(one) for one in group] for group in check.conditions],
                "proof": [_condition(one) for one in check.proof],
            }
            for check in verdict.checks
        ],
        "notes": list(verdict.notes),
        "caveats": [
            {"caveat": caveat.id, **_fields(caveat, "sentence", "turns_to", "effect")} for caveat in verdict.caveats
        ],
        "fragility": verdict.fragility
        and {
            **_fields(verdict.fragility, "n", "turns_to", "searched"),
            "queries": [*verdict.fragility.queries],
        },
        "neighbours": holds
        and {
            "hold": holds.holding,
            "of": len(holds.settings),
            "not_with": [*holds.not_with],
            "settings": [{"setting": tried.name, **_fields(tried, "outcome", "holds")} for tried in holds.settings],
        },
        **_fields(verdict, "looks", "candidates"),
    }


# --- for Python ----------------------------------------------------------------------------------------------------


@as_dict.register(Comparison)
@as_dict.register(VotesAlone)
def _comparison(comparison: Comparison | VotesAlone) -> dict[str, Any]:
    """Return what ``rankdash compare --json`` writes, with the verdict by the comparison's policy."""
    return to_dict(comparison, decide(comparison))


@as_dict.register
def _explanation(explained: Explanation) -> dict[str, Any]:
    names = "query_id value above below below_is relevant judged unjudged_shown tied_at_cutoff".split()
    return {
        "measure": explained.measure.label,
        **{name: getattr(explained, name) for name in names},
        "ranks": [{**asdict(rank), "subtopics": [*map(list, rank.subtopics)]} for rank in explained.ranks],
        "ideal": [asdict(rank) for rank in explained.ideal],
    }
