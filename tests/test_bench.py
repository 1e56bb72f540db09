"""`make bench`: its limits can be missed, and its contenders answer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
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


@pytest.mark.parametrize("contender", ["rankdash", "pytrec_eval"])
def test_a_contender_answers_as_a_process_of_its_own(contender: str, tmp_path: Path) -> None:
    """A script is started as the benchmark starts it, and writes the values that both models of a query have."""
    files = {
        "a.trec": "q1 Q0 x 1 2 a\nq1 Q0 y 2 1 a\nq2 Q0 y 1 1 a\n",
        "b.trec": "q1 Q0 y 1 2 b\nq1 Q0 x 2 1 b\nq2 Q0 y 1 1 b\n",
        "qrels.txt": "q1 0 x 1\nq1 0 y 0\nq2 0 y 1\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    script = BENCHMARKS / "peers" / f"{contender}_peer.py"
    command = [sys.executable, str(script), *(str(tmp_path / name) for name in files), str(tmp_path / "out")]
    done = subprocess.run(
        command, check=False, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    values = np.load(tmp_path / "out.values.npy")
    assert values.shape == (2, 5, 2)
    assert sorted(values[1, 3]) == [0.5, 1.0]  # RR of B
