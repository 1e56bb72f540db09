"""What other tools call a set or a number of whole lists is answered with what there is here."""

from __future__ import annotations

import pytest

from rankdash.metrics import MeasureError, parse_measure
from rankdash.metrics.definitions import COVERS


@pytest.mark.parametrize(
    ("name", "said"),
    [("all_trec", "-m official"), ("set_relative_P", "Use SetP and SetR"), ("relative_P_5", "Use P@10 and R@10")],
)
def test_a_name_of_trec_eval_is_answered(name: str, said: str) -> None:
    """The refusal says what to use, and speaks of no cutoff where there is none."""
    with pytest.raises(MeasureError, match=said):
        parse_measure(name)


def test_accuracy_of_ir_measures_is_not_claimed() -> None:
    """Where lists have ties or unjudged documents its Accuracy is another number than AUC."""
    assert "AUC" not in COVERS["ir_measures"]
