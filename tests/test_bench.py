"""`make bench`: its limits can be missed, and trec_eval is built from an archive or named with the reason."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
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


@pytest.fixture
def trec_eval(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module that builds trec_eval."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import trec_eval

    return trec_eval


def packed(folder: Path, **files: str) -> Path:
    """An archive of sources; each name has "__" for its dot."""
    sources = folder / "sources"
    sources.mkdir()
    for name, text in files.items():
        (sources / name.replace("__", ".")).write_text(text)
    with tarfile.open(folder / "sources.tar.gz", "w:gz") as archive:
        archive.add(sources, arcname="trec_eval-0")
    return folder / "sources.tar.gz"


@pytest.mark.parametrize(
    ("text", "said", "seconds", "peers"),
    [
        ("large: times faster than trec_eval", "OK", 1.0, 8.0),
        ("large: times faster than trec_eval", "MISSED", 1.0, 7.9),
        ("large: times faster than pytrec_eval", "MISSED", 1.0, 6.9),
        ("graded: times faster than pytrec_eval", "OK", 1.0, 1.1),
        ("graded: times faster than pytrec_eval", "MISSED", 1.0, 1.0),
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


def test_memory_is_the_most_of_all_repetitions(results: ModuleType) -> None:
    """A peak that only one repetition reached counts."""
    (requirement,) = [one for one in results.REQUIREMENTS if one.text == "large: rankdash's peak memory"]
    kept = results.Results()
    for peak in (300, 351, 300):
        kept.add(("large", "rankdash"), results.Sample(1, 1, peak))
    assert requirement.verdict(kept)[1:] == (351, "MISSED")


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


def test_trec_eval_is_built_optimised_from_an_archive(trec_eval: ModuleType, tmp_path: Path) -> None:
    """Sources in a folder of any name are compiled by their own Makefile, with the compiler that was asked for."""
    if not shutil.which("make"):  # the project's own commands need it
        pytest.fail("make is not installed")
    makefile = "trec_eval:\n\tprintf '#!/bin/sh\\necho $(CC)' > $@; chmod +x $@\n"
    archive = packed(tmp_path, trec_eval__c="", Makefile=makefile)
    folder = trec_eval.build(archive, tmp_path / "built")
    assert "-O3" in (folder / "trec_eval").read_text()


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"notes__txt": "nothing"}, "no folder with trec_eval.c"),
        ({"trec_eval__c": "", "Makefile": "trec_eval:\n\techo broken >&2; false\n"}, "does not compile: .*broken"),
        ({"trec_eval__c": "", "Makefile": "trec_eval:\n\ttrue\n"}, "does not compile"),
    ],
)
def test_sources_that_do_not_build_are_named(
    trec_eval: ModuleType, tmp_path: Path, files: dict[str, str], said: str
) -> None:
    """Another archive, and sources that do not compile, end in one sentence with the file's name."""
    with pytest.raises(trec_eval.NotBuilt, match=said) as caught:
        trec_eval.build(packed(tmp_path, **files), tmp_path / "built")
    assert "sources.tar.gz" in str(caught.value)


def test_what_is_no_archive_is_named(trec_eval: ModuleType, tmp_path: Path) -> None:
    """A missing file and a file that is no archive end in one sentence with the file's name."""
    (tmp_path / "text.tar.gz").write_text("no archive")
    for name in ("missing.tar.gz", "text.tar.gz"):
        with pytest.raises(trec_eval.NotBuilt, match=f"{name} cannot be unpacked"):
            trec_eval.build(tmp_path / name, tmp_path / "built")
