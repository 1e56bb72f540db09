"""What kind of judgments these are, and what to ask about them."""

from __future__ import annotations

from typing import Any

import pytest

from rankdash.evidence.documents.judgment_kind import judgment_kind
from tests.evidence.cases import of


@pytest.mark.parametrize("case", of("judgment_kind_cases"))
def test_the_kind_and_the_question_are_those_of_the_reference(case: dict[str, Any]) -> None:
    """Clicks are told from grades, the policy's word goes first, and only what is in doubt is asked."""
    found = judgment_kind(
        case["distinct_grades"], case["unjudged_shown"], case["judged_share_lower"], case["policy_judgments"]
    )
    assert found == (case["kind"], case["ask"])


def test_a_negative_grade_shows_that_somebody_judged() -> None:
    """One positive grade beside a negative one is not a list of clicks, although negative grades count as unjudged."""
    assert judgment_kind([-1, 1], 900, 0.1)[0] == "judged"
