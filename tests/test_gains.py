"""How large gains may be."""

import pytest

import rankdash as rd
from rankdash.conventions import ConventionError, Gains


def test_gains_stop_where_sums_would_no_longer_be_numbers() -> None:
    """1e290 can be added up for as many documents as there are; what is larger is refused, with the limit."""
    assert Gains.of({1: 1e290}).table == ((1.0, 1e290),)
    with pytest.raises(ConventionError, match="at most 1e\\+290"):
        Gains.of({1: 1.1e290})
    (value,) = rd.evaluate(rd.read_run({"q": ["a"]}), rd.read_judgments({"q": {"a": 1e290}}), ["CG"])["value"]
    assert value == 1e290
    with pytest.raises(rd.MeasureError) as error:
        rd.evaluate(rd.read_run({"q": ["a"]}), rd.read_judgments({"q": {"a": 1.1e290}}), ["CG"])
    assert str(error.value) == (
        "The grade 1.1e+290 is too large to be added up; the largest is 1e+290. "
        "Use smaller grades, or a table of gains."
    )
