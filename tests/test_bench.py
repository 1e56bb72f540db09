"""`make bench`: its limits can be missed."""

from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
BENCHMARKS = ROOT / "benchmarks"


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module with the limits; the benchmark's scripts find each other in their own folder."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import results

    return results


@pytest.mark.parametrize(
    ("text", "said", "seconds", "peers"),
    [
        ("large: times faster than trec_eval", "OK", 1.0, 6.5),
        ("large: times faster than trec_eval", "MISSED", 1.0, 6.4),
        ("graded: times faster than pytrec_eval", "MISSED", 1.0, 0.9),
    ],
)
def test_a_limit_is_held_against_the_median_of_paired_ratios(
    results: ModuleType, text: str, said: str, seconds: float, peers: float
) -> None:
    """Each requirement names its peer, takes the middle of the ratios of paired repetitions, and can be missed."""
    (requirement,) = [one for one in results.REQUIREMENTS if one.text == text]
    name, peer = text.split(":")[0], text.split()[-1]
    kept = results.Results()
    for slow in (2, 1, 1000):  # the medians of both sides alone would give another ratio
        kept.add((name, "rankdash"), results.Sample(seconds * slow, 1, 1))
        kept.add((name, peer), results.Sample(peers * slow, 1, 1))
    assert requirement.verdict(kept)[1:] == (pytest.approx(peers), said)
    assert requirement.verdict(results.Results())[1:] == (None, "not measured")
