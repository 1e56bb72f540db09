"""C1 to C6: can A and B be compared at all?"""

from __future__ import annotations

import math

from rankdash import wording
from rankdash.evidence.paired import DECIMALS
from rankdash.verdict.records import Evidence, Outcome, Reading
from rankdash.verdict.rules.families import above
from rankdash.verdict.rules.gain import GAIN, S0
from rankdash.verdict.rules.harm import HARM
from rankdash.verdict.rules.rule import Case, Need, Rule, outcome_of
from rankdash.verdict.rules.safety import SAFETY

#: The rules that depend only on the numbers of one reading and the votes.
READING_RULES = (S0, *HARM, *GAIN, *SAFETY)


def _compared(case: Case) -> int:
    """Return the queries of the population that both runs answer."""
    affected = case.data.affected if case.policy.population == "affected" else None
    return min(case.data.common_queries, case.primary.n if affected is None else min(affected, case.primary.n))


def _nothing_in_common(case: Case) -> str:
    if case.data.common_queries < 1:
        return "A and B share no judged query."
    return f"No query is left to compare: the top {case.policy.cutoff} of A and B are the same everywhere."


C1 = Rule(
    "C1",
    "Shared queries",
    "comparable",
    Outcome.NOT_COMPARABLE,
    trips=lambda case: _compared(case) < 1,
    observed=lambda case: float(_compared(case)),
    limit=lambda case: 1.0,
    shown=wording.count,
    must="at least",
    says=_nothing_in_common,
    passes=lambda case: (
        f"A and B both answer {wording.count(case.data.common_queries, 'judged query', 'judged queries')}."
    ),
    would_change=lambda case: (
        "one judged query that both runs answer" if case.data.common_queries < 1 else "one query whose lists differ"
    ),
    next_step=lambda case: (
        "Check that runs and judgments use the same query ids."
        if case.data.common_queries < 1
        else "Check that A and B are different models, or count all queries."
    ),
)


def _labels_are_mute(case: Case) -> bool:
    data = case.data
    return data.queries_with_relevant < 1 or (data.distinct_grades <= 1 and data.unjudged_shown == 0)


C2 = Rule(
    "C2",
    "Queries with a relevant document",
    "comparable",
    Outcome.NOT_COMPARABLE,
    trips=_labels_are_mute,
    observed=lambda case: float(case.data.queries_with_relevant),
    limit=lambda case: 1.0,
    shown=wording.count,
    must="at least",
    says=lambda case: "The labels cannot tell the models apart.",
    passes=lambda case: (
        f"{wording.count(case.data.queries_with_relevant, 'query has', 'queries have')} a relevant document."
    ),
    would_change=lambda case: (
        "one query with a relevant document"
        if case.data.queries_with_relevant < 1
        else "judgments with more than one grade"
    ),
    next_step=lambda case: "Label more documents, or check from which grade on a document is relevant.",
)


def _unmatched(case: Case) -> list[str]:
    """Return the models of whose first documents none is judged."""
    shares = {"A": case.data.judged_a, "B": case.data.judged_b}
    return [name for name, share in shares.items() if share == 0]


def _none_judged(case: Case) -> str:
    names, k = _unmatched(case), case.policy.cutoff
    if len(names) > 1:
        return f"None of the top {k} documents of A and B is judged."
    return f"None of {names[0]}’s top {k} documents is judged."


C6 = Rule(
    "C6",
    "Some document judged",
    "comparable",
    Outcome.NOT_COMPARABLE,
    needs=(
        Need(lambda case: case.data.judged_a is not None and case.data.judged_b is not None, "No document is shown."),
    ),
    trips=lambda case: bool(_unmatched(case)) and case.data.queries_with_relevant > 0,
    observed=lambda case: min(case.data.judged_a or 0.0, case.data.judged_b or 0.0),
    limit=lambda case: 0.0,
    shown=wording.percent,
    must="above",
    says=_none_judged,
    passes=lambda case: f"Documents in the top {case.policy.cutoff} of A and of B are judged.",
    would_change=lambda case: f"one judged document in the top {case.policy.cutoff} of each model",
    next_step=lambda case: "Check that A, B and the judgments use the same document ids.",
)

C3 = Rule(
    "C3",
    "Lists differ",
    "comparable",
    Outcome.NOT_COMPARABLE,
    trips=lambda case: case.data.identical,
    observed=lambda case: float(case.data.identical),
    limit=lambda case: 0.0,
    shown=lambda x: "",
    says=lambda case: "A and B are identical: the same file twice?",
    passes=lambda case: "The lists of A and B differ.",
    would_change=lambda case: "a list that differs",
    next_step=lambda case: "Choose the other model's file.",
)


def _missing_gap(case: Case) -> int:
    return abs(case.data.missing_a - case.data.missing_b)


def _missing_allowed(case: Case) -> int:
    """Return the largest gap that still compares: below missing_gap, or at most the share of the judged queries."""
    share = math.floor(round(case.policy.missing_share * case.data.judged_queries, 9))
    return max(case.policy.missing_gap - 1, share)


def _missing_words(case: Case) -> str:
    worse, better = ("A", "B") if case.data.missing_a >= case.data.missing_b else ("B", "A")
    more, fewer = max(case.data.missing_a, case.data.missing_b), min(case.data.missing_a, case.data.missing_b)
    return f"{worse} has no result for {wording.count(more, 'query', 'queries')}, {better} for {wording.count(fewer)}."


C4 = Rule(
    "C4",
    "Difference in missing queries",
    "comparable",
    Outcome.NOT_COMPARABLE,
    needs=(
        Need(
            lambda case: case.policy.missing == "unknown",
            lambda case: f"The policy says what a missing query means: {case.policy.missing}.",
        ),
    ),
    trips=lambda case: _missing_gap(case) > _missing_allowed(case),
    observed=lambda case: float(_missing_gap(case)),
    limit=lambda case: float(_missing_allowed(case)),
    shown=wording.count,
    must="at most",
    says=_missing_words,
    passes=lambda case: (
        f"{_missing_words(case)} A difference of {_missing_allowed(case)} is allowed."
        if case.data.missing_a or case.data.missing_b
        else "No judged query is missing in A or B."
    ),
    would_change=lambda case: (
        f"a gap of {wording.count(_missing_gap(case), 'query', 'queries')}, "
        f"needs ≤ {wording.count(_missing_allowed(case))}"
    ),
    next_step=lambda case: "Say in the policy what missing means: empty (returned nothing) or skip (left out).",
)


def _judged_gap(case: Case) -> float:
    return round(abs((case.data.judged_a or 0.0) - (case.data.judged_b or 0.0)), DECIMALS)


def _gap_matters(case: Case) -> bool:
    return above(_judged_gap(case), case.policy.judged_gap)


def _other_reading(case: Case) -> Case:
    """Return the same case as if unjudged documents were in neither list."""
    evidence = case.evidence
    return Case(Evidence(evidence.data, evidence.condensed, None, evidence.votes), case.policy)


def reading_outcome(case: Case) -> Outcome:
    """Return the outcome of the rules behind C5 alone, for one reading of the unjudged documents."""
    return outcome_of(READING_RULES, case)[0]


def _readings_differ(case: Case) -> bool:
    return _gap_matters(case) and reading_outcome(case) is not reading_outcome(_other_reading(case))


def _unjudged_agree(case: Case) -> str:
    shares = f"{wording.percent(case.data.judged_a)} and {wording.percent(case.data.judged_b)}"
    judged = f"Of the top {case.policy.cutoff}, {shares} are judged in A and B"
    return f"{judged}; without the unjudged documents the outcome is the same." if _gap_matters(case) else f"{judged}."


def _has_condensed(case: Case) -> bool:
    condensed: Reading | None = case.evidence.condensed
    return condensed is not None or not _gap_matters(case)


C5 = Rule(
    "C5",
    "Difference in judged share",
    "comparable",
    Outcome.NOT_COMPARABLE,
    needs=(
        Need(lambda case: case.data.kind == "judged", "The judgments name only relevant documents."),
        Need(lambda case: case.data.judged_a is not None and case.data.judged_b is not None, "No document is shown."),
        Need(_has_condensed, "The lists without unjudged documents were not evaluated."),
    ),
    trips=_readings_differ,
    observed=_judged_gap,
    limit=lambda case: case.policy.judged_gap,
    shown=wording.percent,
    must="at most",
    says=lambda case: (
        f"The answer depends on {wording.count(case.data.unjudged_shown, 'unjudged document', 'unjudged documents')}."
    ),
    passes=_unjudged_agree,
    would_change=lambda case: f"label {wording.count(case.data.unjudged_shown, 'document', 'documents')}",
    next_step=lambda case: "Label these documents, those with the largest effect first.",
)

#: The whole table, in the order in which it decides.
RULES = (C1, C2, C6, C3, C4, C5, *READING_RULES)
