"""The page, the command line, the library and its JSON say the same of a world."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.case import Case
from rankdash.report.json import to_dict
from rankdash.wording import number, signed
from tests.dashboard.records import put
from tests.dashboard.test_pages import app, texts
from tests.truth.scale import done, sampled
from tests.truth.sources import SOURCES
from tests.truth.test_peers import TREC, answered_by_both, same, side_of, trec
from tests.truth.worlds import World, world

#: What the files of a source are called; sources that are no files are left out.
ENDINGS = {
    "trec": ".txt", "trec.gz": ".txt.gz", "csv": ".csv", "csv.gz": ".csv.gz", "tsv": ".tsv", "semicolons": ".csv",
    "parquet": ".parquet", "arrow": ".arrow", "json": ".json", "json lines": ".jsonl",
}  # fmt: skip


def written(one: World, folder: Path) -> list[str]:
    """The files of a world, each in a format of its own: A, B, and the judgments."""
    rng = np.random.default_rng(one.seed)
    found = []
    for name, rows in (("a", one.a), ("b", one.b), ("judgments", one.judged)):
        source = list(ENDINGS)[int(rng.integers(len(ENDINGS)))]
        path = folder / f"{name}{ENDINGS[source]}"
        path.write_bytes(SOURCES[source].write(rows, "relevance" if name == "judgments" else "score", rng))
        found.append(str(path))
    return found


def command(files: list[str], folder: Path, *more: str) -> list[str]:
    """The words of the command line that compare the files."""
    a, b, judgments = files
    outputs = ["--json", str(folder / "out.json"), "--per-query", str(folder / "out.parquet")]
    return ["compare", a, b, "--judgments", judgments, *outputs, *more]


def without_notes(found: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a comparison without what it says about the files."""
    return {name: part for name, part in json.loads(json.dumps(found)).items() if name != "inputs"}


def test_the_command_line_has_the_values_of_pytrec_eval(tmp_path: Path) -> None:
    """Whatever the three files are, the per-query table holds what pytrec_eval prints, for A and for B."""
    for seed in range(sampled(2)):
        one = world(100_000 + seed, alphabet="words")
        words = command(written(one, tmp_path), tmp_path, "--convention", "trec_eval-9", "--gate", "-m", *TREC.values())
        assert main(words) in (0, 3, 4, 5, 6)
        frame = pq.read_table(tmp_path / "out.parquet").to_pandas()
        for side, of in (("a", one), ("b", one.swapped())):
            theirs = answered_by_both(trec(of), one)
            same({key: value for key, value in side_of(frame, side).items() if key in theirs}, theirs, of)
        done("worlds of 50 queries through the command line")


def test_the_command_line_says_what_the_library_says(tmp_path: Path) -> None:
    """The JSON of the command line is that of the library, for all that is not about the files."""
    for seed in range(sampled(1)):
        one = world(110_000 + seed, alphabet="words")
        files = written(one, tmp_path)
        status = main(command(files, tmp_path, "--gate"))
        comparison = rd.compare(*(rd.read_run(path) for path in files[:2]), rd.read_judgments(files[2]))
        verdict = rd.decide(comparison)
        assert status == verdict.exit_code
        told = json.loads((tmp_path / "out.json").read_text("utf-8"))
        assert without_notes(told) == without_notes(to_dict(comparison, verdict)), one.seed
        assert pq.read_table(tmp_path / "out.parquet").equals(comparison.per_query_table)
        done("worlds of 50 queries through the command line")


def test_a_process_of_its_own_says_the_same(tmp_path: Path) -> None:
    """`python -m rankdash` in a new process, with other fingerprints, writes the same numbers and the same status."""
    for seed in range(min(sampled(1), 10)):
        words = command(written(world(120_000 + seed, alphabet="words"), tmp_path), tmp_path, "--gate")
        process = subprocess.run([sys.executable, "-m", "rankdash", *words], check=False, capture_output=True)
        theirs = (tmp_path / "out.json").read_bytes(), pq.read_table(tmp_path / "out.parquet")
        assert main(words) == process.returncode, process.stderr
        assert (tmp_path / "out.json").read_bytes() == theirs[0]
        assert pq.read_table(tmp_path / "out.parquet").equals(theirs[1])
        done("worlds of 50 queries through a process of its own")


@pytest.mark.parametrize("seed", range(min(sampled(1), 12)))
def test_the_page_says_what_the_library_says(seed: int) -> None:
    """The page shows the verdict, its sentence, and B's mean, the difference and the wins of the primary measure."""
    one = world(130_000 + seed, alphabet="words")
    a, b, judgments = (replace(part) for part in SOURCES["csv"].read(one))
    comparison = rd.compare(a, b, judgments)
    verdict = rd.decide(comparison)
    at = app()
    put(at, case=Case((a, b), judgments, name="a world"))
    at.run()
    assert not at.exception
    said, cards = texts(at), [metric.value for metric in at.metric]
    found = comparison.primary.paired
    assert verdict.screen in said
    assert verdict.sentence in said
    assert at.metric[0].delta == signed(found.delta), one.seed
    assert cards[0] == number(found.mean_b)
    assert cards[-1] == f"{found.wins} / {found.ties} / {found.losses}"
    done("worlds of 50 queries on the page")
