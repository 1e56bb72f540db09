"""Phrases that several rules share, and what an outcome is called on screen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from rankdash import wording
from rankdash.verdict.records import Check, Condition, Guardrail, Outcome, Primary, Question, Segment, Status, Watch
from rankdash.verdict.rules.rule import RuleInput


@dataclass(frozen=True)
class Presentation:
    """How an outcome is shown: the big word, the tag, the exit status of --gate, and the next step."""

    screen: str
    tag: str
    exit_code: int
    next_step: str


PRESENTATION = {
    Outcome.LAUNCH: Presentation("Launch", "B is better", 0, "Launch, and confirm it online."),
    Outcome.WORSE: Presentation("No launch", "B is worse", 3, "Look at the losses."),
    Outcome.TOO_SMALL: Presentation("No launch", "gain too small", 4, "Do not spend more labels on it."),
    Outcome.NOT_PROVEN: Presentation("No launch yet", "not proven yet", 5, "Add queries."),
    Outcome.NOT_COMPARABLE: Presentation("No launch", "cannot compare yet", 6, "Mend the data."),
}
#: What an outcome is called inside a sentence.
IN_WORDS: Mapping[Outcome, str] = MappingProxyType(
    {outcome: shown.tag for outcome, shown in PRESENTATION.items()}
    | {Outcome.LAUNCH: "launch", Outcome.NOT_COMPARABLE: "cannot compare"}
)
#: The tag of a launch under do_no_harm.
AS_GOOD = "B is as good as A"

#: The answers to a question, by the worst status of its rules, the worst first.
_ANSWERS: Mapping[Question, tuple[str, str, str]] = MappingProxyType(
    {
        "comparable": ("No", "Not yet", "Yes"),
        "enough": ("No", "Not yet", "Enough to ask"),
        "harmed": ("Yes", "Cannot be ruled out", "None proven"),
        "better": ("No", "Not proven", "Yes"),
    }
)
_WORST_FIRST = (Status.FAILED, Status.NOT_PROVEN, Status.PASSED)
NOT_ASKED = "Not asked"


def answer(question: Question, checks: tuple[Check, ...]) -> str:
    """Return the answer to a question, by the worst status of its rules."""
    statuses = {check.status for check in checks if check.question == question}
    words = zip(_WORST_FIRST, _ANSWERS[question], strict=True)
    return next((word for status, word in words if status in statuses), NOT_ASKED)


#: How a number is shown: its decimals, whether it has a sign, and whether it is a percentage.
_UNITS: Mapping[str, tuple[int, bool, bool]] = MappingProxyType(
    {
        "difference": (3, True, False),
        "points": (1, True, True),
        "share": (1, False, True),
        "count": (0, False, False),
        "p": (3, False, False),
    }
)
#: The tag and the next step of a harm that stops a launch and is not proven.
POSSIBLE = "possible harm"
LOOK_AT_THESE = "Look at these queries; more of them show whether the harm is real."


def interval(low: float | None, high: float | None, level: int, *limits: float, grouped: bool = False) -> str:
    """Return an interval of differences as text, its ends beside 0 and other limits. Without width it says that every
    query, or every group, has the same difference.

    >>> interval(-0.025, -0.015, 90), interval(0.02, 0.02, 95), interval(-0.04, -0.0003, 95)
    ('90% interval −0.025 to −0.015', 'the same on every query', '95% interval −0.040 to −0.0003')
    """
    if low is None or high is None:
        return f"no {level}% interval"
    if low == high:
        return "the same in every group" if grouped else "the same on every query"
    return f"{level}% interval {wording.near(low, 0.0, *limits)} to {wording.near(high, 0.0, *limits)}"


def shown_numbers(condition: Condition) -> tuple[str, str]:
    """Return the value and the limit of a condition as text, with as many decimals as tell them apart."""
    value, limit = condition.value, condition.limit
    if isinstance(value, str) or isinstance(limit, str):
        if condition.unit == "outcome":
            return IN_WORDS[Outcome(str(value))], IN_WORDS[Outcome(str(limit))]
        return str(value), str(limit)
    return wording.beside(value, limit, *_UNITS[condition.unit])


def needs(condition: Condition, must: str = "needs") -> str:
    """Return a condition as text.

    >>> needs(Condition("AP lower bound", -0.0104, ">", -0.01)), needs(Condition("big losses", 40, "≤", 35, "count"))
    ('AP lower bound −0.0104, needs > −0.010', 'big losses 40, needs ≤ 35')
    """
    value, limit = shown_numbers(condition)
    relation = "" if condition.relation == "is" else f"{condition.relation} "
    return f"{condition.what} {value}, {must} {relation}{limit}"


def shown_interval(primary: Primary, *limits: float) -> str:
    """Return the 95% interval of the primary measure: "95% interval +0.008 to +0.022"."""
    return interval(primary.lower95, primary.upper95, 95, *limits, grouped=primary.clusters is not None)


def measured(case: RuleInput, *limits: float) -> str:
    """Return the primary measure with its difference, beside 0 and other limits, and its 95% interval."""
    primary = case.primary
    delta = wording.near(primary.delta, 0.0, *limits)
    return f"{case.primary_label} {delta} ({shown_interval(primary, *limits)})"


def worth(n_eff: float) -> int:
    """Return how many equal queries a number of weighted queries is worth, rounded down."""
    return math.floor(round(n_eff, 9))


def queries(of: Primary | Guardrail | Watch | Segment, everything: int | None = None) -> str:
    """Return the queries behind a number: "200 queries", "120 of 1,000 queries", "300 queries in 60 groups", "200
    queries, worth 41 equal ones".
    """
    n = of.n or 0
    text = wording.count(n, "query", "queries")
    if everything is not None:
        text = f"{wording.count(n)} of {wording.count(everything, 'query', 'queries')}"
    if of.clusters is not None:
        text += f" in {wording.count(of.clusters, 'group', 'groups')}"
    if of.n_eff is not None and worth(of.n_eff) < n:
        text += f", worth {wording.count(worth(of.n_eff), 'equal one', 'equal ones')}"
    return text


def queries_of(case: RuleInput) -> str:
    """Return the queries of the population, and of how many where the policy counts affected queries only."""
    return queries(case.primary, _everything(case))


def in_score(n: int, of: Primary) -> str:
    """Return that so many queries, or groups of queries, differ in score: the measure has another value for A and B.

    That documents or their order differ in the first k is another number, and another word: they differ in list.
    """
    unit = ("query differs", "queries differ") if of.clusters is None else ("group differs", "groups differ")
    return f"{wording.count(n, *unit)} in score"


def differs(n: int) -> str:
    """Return the verb for so many queries, or groups, whose scores differ."""
    return "differs in score" if n == 1 else "differ in score"


def judged(case: RuleInput, number: float) -> int:
    """Return how many judged queries it takes to have so many that count: where only the affected ones do, more, by the
    share of these.
    """
    everything = _everything(case)
    share = 1.0 if everything is None or not case.primary.n else case.primary.n / everything
    return math.ceil(round(number / share, 6))


def _everything(case: RuleInput) -> int | None:
    """Return the number of all queries, where not all count."""
    if case.policy.population != "affected":
        return None
    return case.primary.n_all or case.data.judged_queries


def on_queries(case: RuleInput, tested: Guardrail | Watch | Segment | None = None) -> str:
    """Return the queries of a number: "on 200 queries", or "on exactly these 12 queries"; those of another measure or
    of a segment are its own.
    """
    of = case.primary if tested is None or tested.n is None else tested
    everything = None if isinstance(of, Segment) else _everything(case)
    if not case.fixed:
        return f"on {queries(of, everything)}"
    # Weights' worth and groups matter only to what is concluded for other queries.
    these = "this" if of.n == 1 and everything is None else "these"
    return f"on exactly {these} {queries(replace(of, n_eff=None, clusters=None), everything)}"


def can_settle(n: float, required: int) -> bool:
    """Return whether more queries are needed and can be had: up to ten times as many."""
    return n < required <= 10 * n
