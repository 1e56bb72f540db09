"""The four questions and their answers."""

from __future__ import annotations

import rankdash as rd
from rankdash.report.sections import answers
from rankdash.verdict import Status
from tests.browsed import judgments_csv, run_csv


def verdict(same: bool = False) -> rd.Verdict:
    """The verdict on fifty queries, or on a run against itself."""
    a, b = rd.read_run(run_csv(False)), rd.read_run(run_csv(not same))
    return rd.decide(rd.compare(a, b, rd.read_judgments(judgments_csv())))


def test_every_rule_belongs_to_one_question() -> None:
    """The rules behind the four questions are all rules of the verdict, each once."""
    found = verdict()
    behind = [check.rule for answer in answers(found) for check in answer.checks]
    assert sorted(behind) == sorted(check.rule for check in found.checks)


def test_a_question_is_answered_by_the_first_rule_that_did_not_pass() -> None:
    """A run against itself can be compared and is not better, and the sentence is that of the rule that says so."""
    found = verdict(same=True)
    comparable, better = answers(found)[:2]
    assert (comparable.word, comparable.status) == ("Yes", Status.PASSED)
    assert (better.question, better.word, better.status) == ("better", "No", Status.FAILED)
    assert better.sentence == next(check.sentence for check in found.checks if check.status is Status.FAILED)
