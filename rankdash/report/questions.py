"""The four questions of a launch, each with its answer: the rules of the verdict, read by question."""

from __future__ import annotations

from dataclasses import dataclass

from rankdash.verdict import Check, Status, Verdict, answer
from rankdash.verdict.records import Question

#: In the order in which people ask, each with the rules that say most when all have passed, best first.
_TELLING: dict[Question, tuple[str, ...]] = {
    "comparable": ("C5", "C1"),
    "better": ("U1", "N1", "F1"),
    "harmed": ("U3", "H2", "H1"),
    "enough": ("S1", "V1"),
}
_WORST_FIRST = (Status.FAILED, Status.NOT_PROVEN, Status.PASSED, Status.NOT_APPLICABLE)


@dataclass(frozen=True)
class Answer:
    """A question's answer in a word or two, the worst status of its rules, the sentence of the rule that settles it and
    all its rules.
    """

    question: Question
    word: str
    status: Status
    sentence: str
    checks: tuple[Check, ...]


def answers(verdict: Verdict) -> tuple[Answer, ...]:
    """Return the answers in the order in which people ask."""
    return tuple(_answer(question, verdict) for question in _TELLING)


def _answer(question: Question, verdict: Verdict) -> Answer:
    checks = tuple(check for check in verdict.checks if check.question == question)
    word = answer(question, verdict.checks)
    status = next((status for status in _WORST_FIRST if any(check.status is status for check in checks)), None)
    if status is None:
        return Answer(question, word, Status.NOT_APPLICABLE, "", checks)
    settles = [check for check in checks if check.status is status]
    order = _TELLING[question] if status in (Status.PASSED, Status.NOT_APPLICABLE) else ()
    first = next((check for rule in order for check in settles if check.rule == rule), settles[0])
    return Answer(question, word, status, first.sentence, checks)
