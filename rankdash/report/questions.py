"""The four questions of a launch, each with its answer: the rules of the verdict, read by question."""

from __future__ import annotations

from dataclasses import dataclass

from rankdash.verdict import RULE_OF, Check, Status, Verdict, answer
from rankdash.verdict.records import Question

#: In the order in which people ask.
_QUESTIONS: tuple[Question, ...] = ("comparable", "better", "harmed", "enough")
_WORST_FIRST = (Status.FAILED, Status.NOT_PROVEN, Status.PASSED, Status.NOT_APPLICABLE)


@dataclass(frozen=True)
class Answer:
    """The answer to a question in a word or two, the worst status of its rules, the sentence of the rule that settles
    it, and all its rules.
    """

    question: Question
    word: str
    status: Status
    sentence: str
    checks: tuple[Check, ...]


def answers(verdict: Verdict) -> tuple[Answer, ...]:
    """Return the answers in the order in which people ask."""
    return tuple(_answer(question, verdict) for question in _QUESTIONS)


def _tells(check: Check) -> int:
    """Return how much the sentence of a rule says about its question; 0 for a rule that no longer exists."""
    rule = RULE_OF.get(check.rule)
    return 0 if rule is None else rule.tells


def _answer(question: Question, verdict: Verdict) -> Answer:
    checks = tuple(check for check in verdict.checks if check.question == question)
    word = answer(question, verdict.checks)
    status = next((status for status in _WORST_FIRST if any(check.status is status for check in checks)), None)
    if status is None:
        return Answer(question, word, Status.NOT_APPLICABLE, "", checks)
    settles = [check for check in checks if check.status is status]
    stopped = status in (Status.FAILED, Status.NOT_PROVEN)
    first = settles[0] if stopped else max(settles, key=_tells)
    return Answer(question, word, status, first.sentence, checks)
