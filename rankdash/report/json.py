"""A comparison and its verdict as JSON, schema 1. Full precision; null means not defined, or not asked for."""

from __future__ import annotations

import json
from typing import Any

from rankdash import __version__
from rankdash.comparison import DERIVED_TOLERANCE, Comparison, Side, summary_row
from rankdash.conventions import preset_name
from rankdash.evidence.gsb import Gsb
from rankdash.report.notes import judgment_notes, run_notes
from rankdash.tables import Source
from rankdash.verdict import Verdict

SCHEMA = 1
#: Fields of a measure that only experts ask for; null until then.
_EXPERT = ("permutation_p", "bca", "wilcoxon_p", "sign_p")


def to_json(comparison: Comparison, verdict: Verdict) -> str:
    """The JSON text of ``to_dict``, indented, non-ASCII letters as they are."""
    return json.dumps(to_dict(comparison, verdict), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def to_dict(comparison: Comparison, verdict: Verdict) -> dict[str, Any]:
    """Everything a release job needs to know, by name: inputs, convention, counts, measures, ΔGSB, policy, verdict."""
    return {
        "schema": SCHEMA,
        "rankdash": __version__,
        "inputs": {
            "a": _run(comparison, "a"),
            "b": _run(comparison, "b"),
            "judgments": _judgments(comparison),
            "votes": None,
            "queries": None,
        },
        "convention": {"preset": preset_of(comparison), **comparison.convention.spelled_out()},
        "queries": _queries(comparison),
        "measures": [{**summary_row(result), **dict.fromkeys(_EXPERT)} for result in comparison.results],
        "gsb": None,
        "gsb_derived": {
            "measure": comparison.primary.measure,
            "tolerance": DERIVED_TOLERANCE,
            **_gsb(comparison.gsb_derived),
        },
        "judged": _judged(comparison),
        "policy": comparison.policy.to_dict(),
        "verdict": _verdict(verdict),
    }


def preset_of(comparison: Comparison) -> str | None:
    """The name under which the convention was asked for, or that of the preset that it equals."""
    asked = comparison.policy.convention
    return asked if isinstance(asked, str) else preset_name(comparison.convention)


def _source(source: Source, notes: tuple[str, ...]) -> dict[str, Any]:
    return {"source": source.name, "sha256": source.sha256, "rows": source.rows, "notes": list(notes)}


def _run(comparison: Comparison, side: Side) -> dict[str, Any]:
    run = comparison.joined.run(side)
    notes = run_notes(comparison.joined, side, comparison.convention)
    lists = comparison.joined.lists(side)
    return {"name": run.name, "queries": lists, "ordered_by": run.ordered_by, **_source(run.source, notes)}


def _judgments(comparison: Comparison) -> dict[str, Any]:
    joined = comparison.joined
    return {
        "kind": comparison.counts.kind,
        "queries": joined.pool.queries,
        **_source(joined.judgments.source, judgment_notes(joined)),
    }


def _queries(comparison: Comparison) -> dict[str, int]:
    counts = comparison.counts
    return {
        "compared": comparison.primary.paired.n,
        "judged": counts.judged,
        "missing_a": counts.missing_a,
        "missing_b": counts.missing_b,
        "without_relevant": counts.without_relevant,
        "changed": comparison.primary.paired.changed,
        "affected": counts.affected,
    }


def _gsb(found: Gsb) -> dict[str, Any]:
    return {
        "good": found.good,
        "same": found.same,
        "bad": found.bad,
        "delta_gsb": found.delta,
        "ci": None if found.ci95 is None else list(found.ci95),
    }


def _judged(comparison: Comparison) -> dict[str, Any]:
    counts = comparison.counts
    return {
        "cutoff": comparison.policy.cutoff,
        "a": counts.judged_a,
        "b": counts.judged_b,
        "gap": counts.judged_gap,
        "delta_condensed": comparison.condensed.results[0].paired.delta,
        "delta_bounds": None,
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "launch": verdict.launch,
        "outcome": verdict.outcome.value,
        "rule": verdict.rule,
        "tag": verdict.tag,
        "sentence": verdict.sentence,
        "leaning": "" if verdict.leaning is None else verdict.leaning.sentence,
        "would_change": verdict.would_change,
        "checks": [
            {
                "rule": check.rule,
                "status": check.status.value,
                "observed": check.observed,
                "limit": check.limit,
                "sentence": check.sentence,
            }
            for check in verdict.checks
        ],
        "caveats": [caveat.sentence for caveat in verdict.caveats],
    }
