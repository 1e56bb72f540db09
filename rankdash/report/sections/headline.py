"""What stands beside the verdict: what decided it, what would change it, and what kind of comparison this is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from rankdash import style
from rankdash.report.population import compared_queries, query_notes
from rankdash.scoring import Comparison, VotesAlone
from rankdash.style import report
from rankdash.verdict import RULE_OF, Verdict
from rankdash.verdict.caveats import ORDER

#: Comparisons that cannot say much, each with its test; the first that fits is named.
_CASES: Mapping[str, Callable[[Comparison], bool]] = MappingProxyType(
    {
        "empty": lambda comparison: not comparison.counts.common,
        # Where the measure reads deeper than the policy's cutoff its scores may differ all the same.
        "unjudged": lambda comparison: (
            comparison.counts.judged_a == comparison.counts.judged_b == 0.0
            and comparison.primary.paired.ties == comparison.primary.paired.n
        ),
        "one": lambda comparison: comparison.primary.paired.n == 1,
        "tied": lambda comparison: comparison.primary.paired.ties == comparison.primary.paired.n,
    }
)


def special_case(comparison: Comparison) -> str | None:
    """Return the kind of a special comparison: empty, unjudged, one query, all tied; None for an ordinary one."""
    return next((name for name, fits in _CASES.items() if fits(comparison)), None)


def special_words(comparison: Comparison) -> str:
    """Return the words under the verdict of a special comparison; "" for an ordinary comparison."""
    name = special_case(comparison)
    return "" if name is None else style.CASES[name].format(k=comparison.policy.cutoff)


def beside(verdict: Verdict, comparison: Comparison | None) -> list[tuple[str, str]]:
    """Return the small text beside the big word, as label and text."""
    lines = [
        (style.DECIDED_BY, decided_by(verdict)),
        (style.WOULD_CHANGE, verdict.would_change),
        (style.NEXT_STEP, verdict.next_step),
        *((style.NOTED, note) for note in verdict.notes),
        (style.OF_QUERIES, "" if comparison is None else _of_queries(comparison)),
    ]
    return [(label, text) for label, text in lines if text]


def stands_first(verdict: Verdict) -> list[str]:
    """Return the sentences that no short form may leave out: that lists may stand on their heads."""
    return [caveat.sentence for caveat in verdict.caveats if caveat.id == ORDER]


def behind(verdict: Verdict, comparison: Comparison | None) -> list[tuple[str, str]]:
    """Return what is said of the rules, as label and text: what is said beside the big word, but for the next step."""
    return [line for line in beside(verdict, comparison) if line[0] != style.NEXT_STEP]


def _of_queries(comparison: Comparison) -> str:
    """Return what a table beside the judgments decides about which queries count, and how much; "" for nothing."""
    return " ".join(note.sentence for note in query_notes(comparison) if note.decides)


def decided_by(verdict: Verdict) -> str:
    """Return by name the rule that did not pass, or that all rules passed."""
    status = next((check.status.value for check in verdict.checks if check.rule == verdict.rule), None)
    if status is None:
        return style.DECIDED_BY_ALL.format(rule=verdict.rule)
    name = RULE_OF[verdict.rule].name
    return style.DECIDED.format(rule=verdict.rule, name=name[0].lower() + name[1:], status=style.STATUS[status])


def models_words(comparison: Comparison | VotesAlone) -> str:
    """Return what is compared, in a line: both models and the number of queries, or that there are only votes."""
    if isinstance(comparison, VotesAlone):
        return report.OF_VOTES
    models = report.MODELS.format(a=comparison.inputs.a.name, b=comparison.inputs.b.name)
    return f"{models}: {compared_queries(comparison)}"
