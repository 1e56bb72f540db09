"""A table of gains, as people type it."""

import pytest

import rankdash as rd
from rankdash.conventions import ConventionError, Gains


@pytest.mark.parametrize(
    "text",
    ["1=1, 2=5", "1:1 2:5", "1=1;2=5;", "\uff11\uff1d\uff11\u3001\uff12\uff1d\uff15", "2 = 5 , 1 = 1.0", "1=1\n2=5"],
)
def test_a_table_is_understood_however_it_is_written(text: str) -> None:
    """Commas, semicolons, blanks or lines between, = or : within, full-width or not."""
    assert Gains.parse(text) == Gains.of({1: 1, 2: 5})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no table of gains"),
        ("two=5", "'two=5' is no grade"),
        ("1=1 2", "'2' is no grade"),
        ("1=1, 1=2", "grade 1 stands there twice"),
        ("0=3", "grade 0 always gains 0"),
        ("1=-1", "gains >= 0"),
        ("1=1e999", "gains >= 0"),
    ],
)
def test_what_is_no_table_is_told(text: str, why: str) -> None:
    """Each with its reason, and nothing is left out in silence."""
    with pytest.raises(ConventionError, match=why):
        Gains.parse(text)


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
