"""Why there is nothing to label, by name."""

from __future__ import annotations

import pytest

import rankdash as rd
from rankdash.inspect.labels import candidates, why_none
from rankdash.style.editing import NOT_FOR_LABELS

A, B = {"q": {"d1": 2.0, "d2": 1.0}}, {"q": {"d3": 2.0, "d1": 1.0}}


@pytest.mark.parametrize(
    ("convention", "why"), [("standard", ""), ("quepid", "uncut"), ("rank_eval", "uncut"), ("textbook", "own_ideal")]
)
def test_the_reason_why_there_is_nothing_to_label_is_the_true_one(convention: str, why: str) -> None:
    """Where labels are not listed, the reason is that of the policy: under quepid, that the ideal is not cut at k."""
    comparison = rd.compare(A, B, {"q": {"d1": 1, "d2": 0}}, policy=rd.Policy(convention=convention))
    assert why_none(comparison) == why
    assert (candidates(comparison) is None) == bool(why)
    assert not why or why in NOT_FOR_LABELS


def test_judgments_of_relevant_documents_alone_are_such_a_reason() -> None:
    """Where the judgments name only relevant documents, that is why labels do not count."""
    assert why_none(rd.compare(A, B, {"q": {"d1": 1}})) == "relevant_only"
