"""Phrases that several rules share, the leaning line, and what an outcome is called on screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rankdash import wording
from rankdash.verdict.records import Leaning, Outcome, Primary
from rankdash.verdict.rules.rule import Case


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
    Outcome.NOT_PROVEN: Presentation("No launch", "not proven yet", 5, "Add queries, or collect votes."),
    Outcome.NOT_COMPARABLE: Presentation("No launch", "cannot compare yet", 6, "Mend the data."),
}
#: The tag of a launch under do_no_harm.
AS_GOOD = "B is as good as A"


#: What is said of harm that stops a launch and is not proven.
POSSIBLE = "possible harm"
LOOK_AT_THESE = "Look at these queries; more of them show whether the harm is real."


def shown_interval(primary: Primary) -> str:
    """Return the 95% interval of the primary measure: "95% interval +0.008 to +0.022"."""
    return interval(primary.lower95, primary.upper95, 95)


def interval(low: float | None, high: float | None, level: int) -> str:
    """Return an interval of differences as text; an interval without width as one difference.

    >>> interval(-0.025, -0.015, 90), interval(0.02, 0.02, 95)
    ('90% interval −0.025 to −0.015', 'the same on every query')
    """
    if low is None or high is None:
        return f"no {level}% interval"
    if low == high:
        return "the same on every query"
    return f"{level}% interval {wording.signed(low)} to {wording.signed(high)}"


def on_queries(case: Case, n: int | None = None) -> str:
    """Return the queries behind a number: "on 200 queries", "on 120 of 1,000 queries"; ``n`` are those of a segment."""
    if n is not None or case.policy.population != "affected":
        return f"on {wording.count(case.primary.n if n is None else n, 'query', 'queries')}"
    return f"on {_of_all(case)}"


def affected_note(case: Case, sentence: str) -> str:
    """Return what a sentence about the affected queries still has to say: how many of all, and the mean over all."""
    if case.policy.population != "affected" or not case.primary.n:
        return ""
    counted = "" if _of_all(case) in sentence else f" It counts {_of_all(case)}, those whose lists differ."
    overall = case.primary.delta_all
    return counted + ("" if overall is None else f" The mean over all queries is {wording.signed(overall)}.")


def _of_all(case: Case) -> str:
    everything = case.primary.n_all or case.data.judged_queries
    return f"{wording.count(case.primary.n)} of {wording.count(everything, 'query', 'queries')}"


def can_settle(n: float, required: int) -> bool:
    """Whether more queries are needed and can be had: up to ten times as many."""
    return n < required <= 10 * n


def leaning(delta: float, wins: int, losses: int, shown_delta: str) -> Leaning:
    """Who is ahead by the mean, win to loss, and the bare sign rule: launch iff the mean difference is above 0."""
    ahead: Literal["A", "B"] | None = "B" if delta > 0 else "A" if delta < 0 else None
    rule: Literal["launch", "no launch"] = "launch" if ahead == "B" else "no launch"
    return Leaning(ahead, wins, losses, rule, _leaning_sentence(ahead, wins, losses, rule, shown_delta))


def _leaning_sentence(ahead: str | None, wins: int, losses: int, rule: str, shown_delta: str) -> str:
    if ahead is None:
        return "A and B are level."
    won, lost = (wins, losses) if ahead == "B" else (losses, wins)
    sign_rule = f"the sign rule says {rule}."
    if won > lost:
        return f"{ahead} is ahead, {wording.count(won)} to {wording.count(lost)}; {sign_rule}"
    average = f"{ahead} is ahead on average ({shown_delta})"
    if won == lost:
        return f"{average}, with as many wins as losses ({wording.count(won)}); {sign_rule}"
    if ahead == "B":
        queries = wording.count(wins, "query", "queries")
        return f"{average} but wins {queries} and loses {wording.count(losses)}; {sign_rule}"
    return (
        f"{average} but B wins {wording.count(wins, 'query', 'queries')} and loses {wording.count(losses)}; {sign_rule}"
    )
