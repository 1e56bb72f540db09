"""The four questions of a launch, each with its answer: the rules of the verdict, read by question."""

from __future__ import annotations

from dataclasses import dataclass

from rankdash.verdict import Check, Status, Verdict
from rankdash.verdict.records import Question

#: In the order in which people ask, each with the rules that say most when all have passed, best first.
_TELLING: dict[Question, tuple[str, ...]] = {
    "comparable": ("C5", "C1"),
    "better": ("U1", "N1"),
    "harmed": ("U3", "H2", "H1"),
    "enough": ("S1", "V1"),
}


@dataclass(frozen=True)
class Answer:
    """A question's answer: the status of the rule that settles it, its sentence, and all rules of the question."""

    question: Question
    status: Status
    sentence: str
    checks: tuple[Check, ...]


def answers(verdict: Verdict) -> tuple[Answer, ...]:
    """Return the answers in the order in which people ask."""
    return tuple(_answer(question, verdict) for question in _TELLING)


def _answer(question: Question, verdict: Verdict) -> Answer:
    checks = tuple(check for check in verdict.checks if check.question == question)
    tripped = next((check for check in checks if check.status in (Status.FAILED, Status.NOT_PROVEN)), None)
    settles = tripped or _telling(question, checks)
    if settles is None:
        return Answer(question, Status.NOT_APPLICABLE, "", checks)
    return Answer(question, settles.status, settles.sentence, checks)


def _telling(question: Question, checks: tuple[Check, ...]) -> Check | None:
    """Of passed rules the one that says most; where none passed, the first rule of the question."""
    passed = {check.rule: check for check in checks if check.status is Status.PASSED}
    told = [passed[rule] for rule in _TELLING[question] if rule in passed]
    return next(iter([*told, *passed.values(), *checks]), None)
