"""Every number that the rules see is the number of its name."""

from __future__ import annotations

from dataclasses import fields, replace
from types import SimpleNamespace
from typing import Any

import pytest

import rankdash as rd
from rankdash.evidence.paired import Paired
from rankdash.scoring.columns import cut
from rankdash.scoring.results import Result, SegmentResult, Weighed
from rankdash.verdict import Votes
from rankdash.verdict.records import Guardrail, Primary, Segment, Watch
from rankdash.verdict.rule_evidence import evidence_of, reading_of, votes_of
from tests.made import judgments, run


def numbered(start: int) -> Paired:
    """A result whose every field has a number of its own."""
    return Paired(**{field.name: start + i for i, field in enumerate(fields(Paired))})  # type: ignore[arg-type]


def agrees(record: object, found: object, *, besides: tuple[str, ...] = ()) -> bool:
    """Whether every field of a record is the field of the same name."""
    names = [field.name for field in fields(record) if field.name not in besides]  # type: ignore[arg-type]
    return [getattr(record, name) for name in names] == [getattr(found, name) for name in names]


def test_a_reading_is_made_field_by_field() -> None:
    """Primary, guardrails, watch measures, named segments and severe changes, each from its own result."""
    results = (
        Result("nDCG@10", "primary", 0.02, numbered(100), None, "nDCG@10"),
        Result("AP", "guardrail", 0.01, numbered(200), None, "AP"),
        Result("RR", "watch", 0.02, numbered(300), None, "RR"),
        Result("P@5", "information", None, numbered(400), None, "P@5"),
    )
    segments = tuple(
        SegmentResult("market", value, replace(numbered(500), n_eff=30.9), value == "de", True, None)
        for value in ("de", "fr")
    )
    found = reading_of(Weighed(results, segments, 3, 4), numbered(600))
    assert isinstance(found.primary, Primary)
    assert agrees(found.primary, numbered(100), besides=("n_all", "delta_all"))
    assert (found.primary.n_all, found.primary.delta_all) == (numbered(600).n, numbered(600).delta)
    (guardrail,), (watch,), (segment,) = found.guardrails, found.watch, found.segments
    assert isinstance(guardrail, Guardrail)
    assert agrees(guardrail, numbered(200), besides=("measure",))
    assert isinstance(watch, Watch)
    assert agrees(watch, numbered(300), besides=("measure",))
    assert isinstance(segment, Segment)
    assert agrees(segment, replace(numbered(500), n_eff=30.9), besides=("column", "name"))
    assert (guardrail.measure, watch.measure) == ("AP", "RR")
    assert (segment.column, segment.name, segment.n) == ("market", "de", 500)
    assert found.severe is not None
    assert (found.severe.wins, found.severe.losses) == (3, 4)
    alone = reading_of(Weighed(results, segments, 3, 4)).primary
    assert (alone.n_all, alone.delta_all) == (None, None)


@pytest.mark.parametrize("intervals", [True, False])
def test_votes_are_told_field_by_field(intervals: bool) -> None:
    """Counts, ΔGSB with its interval, agreement, sides, and who voted."""
    ends = (0.1, 0.2) if intervals else None
    bounds90 = (0.15, 0.19) if intervals else None
    table = SimpleNamespace(good=1, same=2, bad=3, delta=0.4, ci95=ends, ci90=bounds90, interval="t", se=0.02)
    side = SimpleNamespace(n=5.0, left=0.6, effect=0.7, lower95=0.65, upper95=0.75, p=0.01)
    by_rater = {"rater_lower95": -0.1, "rater_upper95": 0.9} if intervals else {}
    rated: Any = SimpleNamespace(
        gsb=table, side=side, raters=4, alpha=0.5, people=7, decided=5,
        **{"rater_lower95": None, "rater_upper95": None, **by_rater},
    )  # fmt: skip
    bounds = (0.1, 0.2, 0.15) if intervals else (None, None, None)
    assert votes_of(rated) == Votes(
        1, 2, 3, 0.4, *bounds, raters=4, alpha=0.5, n_side=5.0, left=0.6, side_effect=0.7, side_lower95=0.65,
        side_upper95=0.75, side_effect_p=0.01, people=7, decided=5, interval="t", se=0.02, **by_rater,
    )  # fmt: skip


def test_data_checks_are_counted() -> None:
    """What is judged, shared, missing, without a relevant document, unjudged and affected, query by query."""
    grades = {"q1": {"a": 2, "b": 0}, "q2": {"a": 1}, "q3": {"a": 0}, "q4": {"a": 1}}
    lists_a = {"q1": ["a", "x", "b"], "q2": ["a"], "q4": ["x"]}
    lists_b = {"q1": ["b", "a"], "q2": ["a"], "q3": ["a"]}
    compared = rd.compare(run(lists_a), run(lists_b), judgments(grades))
    data = evidence_of(compared).data
    assert data is not None
    assert (data.judged_queries, data.common_queries, data.missing_a, data.missing_b) == (4, 2, 1, 1)
    assert (data.queries_with_relevant, data.distinct_grades, data.unjudged_shown) == (3, 3, 2)
    assert (data.identical, data.kind, data.affected) == (False, "judged", 3)
    assert data.judged_a == pytest.approx((2 / 3 + 1 + 0) / 3)
    assert data.judged_b == pytest.approx(1.0)


def test_another_cutoff_is_that_of_the_primary_where_it_has_one() -> None:
    """nDCG@10 is cut elsewhere; AP has no cutoff, so what is shown of the lists is cut."""
    cut_off = cut(rd.Policy(), 5)
    assert (cut_off.primary, cut_off.cutoff) == ("nDCG@5", 5)
    whole = cut(rd.Policy(primary="AP"), 7)
    assert (whole.primary, whole.cutoff) == ("AP", 7)
