"""Odd files, streamed: what is irregular is found, and told in the words of the reading in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rankdash as rd
from rankdash.drivers.streamed import RunFiles, rankings_of
from rankdash.intake import scratch
from rankdash.reading.pieces import WholeNeededError
from rankdash.report import json as report_json
from rankdash.verdict.robustness import Robustness
from tests.drivers.streams import JUDGED, LINES, few, said
from tests.long import every
from tests.truth.scale import sampled


def test_a_disk_that_fills_is_one_sentence_and_nothing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of bucket files is gone after an error, as it is after all went well."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "_own", {})
    spare = Path(scratch.folder())
    arguments, files = few(tmp_path, ODD["scattered"], ODD["scattered"].replace("d2", "e2"), JUDGED)
    rankings_of(files, rd.read_judgments(arguments[-1]), rd.Policy())
    assert not list(spare.iterdir())

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rankdash.drivers.scattered.Scattered._by_bucket", full)
    status, _, told = said(arguments, 0)
    assert status == 2
    assert "No space left on device" in told
    assert "TMPDIR" in told
    assert told.count("\n") == 1
    assert not list(spare.iterdir())


#: Files of A of which the reading says something that only the whole can tell, or that is wrong.
ODD = {
    "a bad row": LINES.replace("q1 Q0 d2 2 7.5 t", "q1 Q0 d2 2 seven t"),
    "too few cells": LINES.replace("q1 Q0 d2 2 7.5 t\n", "q1 Q0 d2 2\n"),
    "too many cells": LINES.replace("q2 Q0 d1 1", "q2 Q0 d 1 1"),
    "an empty cell": LINES.replace("q2 Q0 d1", "q2 Q0  d1"),
    "two blanks": LINES.replace("q2 Q0 d1", "q2  Q0 d1"),
    "a tab within a line": LINES.replace("q2 Q0 d1", "q2\tQ0 d1"),
    "a score that is no number": LINES.replace("2 7.5 t", "2 nan t"),
    "an infinite score": LINES.replace("q2 Q0 d1 1 8.5", "q2 Q0 d1 1 inf"),
    "no score at all": LINES.replace("7.5", "-"),
    "a rank that is no number": LINES.replace("d2 2 7.5", "d2 two 7.5"),
    "ranks beyond 32 bits": LINES.replace("d2 2 7.5", "d2 2000000000000 7.5"),
    "scores beyond 2^53": LINES.replace("7.5", "9007199254740993"),
    "not UTF-8": LINES.replace("q1 Q0 d2", "q1 Q0 d\udcff2"),
    "another encoding": LINES.replace("q1 Q0 d2", "q1 Q0 d\udce92"),
    "a byte order mark": "\ufeff" + LINES,
    "no line end at the end": LINES.rstrip("\n"),
    "Windows line ends": LINES.replace("\n", "\r\n"),
    "old line ends": LINES.replace("\n", "\r"),
    "blank lines": LINES.replace("q1 Q0 d1", "\n\nq1 Q0 d1"),
    "a blank line at the end": LINES + "\n",
    "zero bytes": LINES.replace("q1 Q0 d2", "q1 Q0 d\0"),
    "quotes": LINES.replace("q1 Q0 d2", 'q1 Q0 "d2"'),
    "ids behind equal signs": LINES.replace("q1 Q0 d2", 'q1 Q0 ="d2"'),
    "queries alike": LINES + "Q1 Q0 d1 1 3.5 t\n",
    "documents alike": LINES.replace("q1 Q0 d2", "q1 Q0 e\u0301").replace("q2 Q0 d2", "q2 Q0 \u00e9"),
    "documents beyond ASCII": LINES.replace("d2", "ü2"),
    "a header": "query Q0 document rank score tag\n" + LINES,
    "no tag": LINES.replace(" t\n", "\n"),
    "duplicates": LINES.replace("q1 Q0 d2", "q1 Q0 d1"),
    "ties": LINES.replace("7.5", "8.5"),
    "scattered": LINES + "q0 Q0 d9 4 0.5 t\n",
    "one query alone": "".join(line + "\n" for line in LINES.splitlines() if line.startswith("q0")),
    "no query judged": LINES.replace("q", "x"),
    "no document judged": LINES.replace("d", "x"),
    "query ids with zeros": LINES.replace("q", "0q"),
    "a comment": "# a run\n" + LINES,
    "judgments": JUDGED,
    "JSON": '{"q0": {"d1": 1}}',
    "empty": "",
    "rank against score": LINES.replace("d1 1 8.5", "d1 3 8.5"),
    "a long id": LINES.replace("q1 Q0 d2", f"q1 Q0 {'d' * 20_000}"),
    "small numbers": LINES.replace("7.5", "1e-400").replace("8.5", "5e-324"),
    "hexadecimal": LINES.replace("7.5", "0x10"),
    "a plus sign": LINES.replace("7.5", "+7.5"),
    "decimal commas": LINES.replace("7.5", "7,5"),
}


@pytest.fixture
def _no_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON without the neighbouring settings: they read the values alone, and take longer than all the rest."""
    monkeypatch.setattr(report_json, "robustness", lambda comparison: Robustness(()))


@pytest.mark.usefixtures("_no_neighbours")
@pytest.mark.parametrize("a", every(4, ODD.values()), ids=list(ODD))
@pytest.mark.parametrize("more", [("--json", "-"), ("--order", "rank", "--gate")])
def test_odd_files_end_in_the_same_words(tmp_path: Path, a: str, more: tuple[str, ...]) -> None:
    """What is irregular is found while streaming, and told by the reading in memory: same status, text and problems."""
    arguments, _ = few(tmp_path, a, LINES, JUDGED)
    assert said([*arguments, *more], 0, piece=1) == said([*arguments, *more], 1 << 62)


def streams(files: RunFiles, judged: str, policy: rd.Policy | None = None) -> bool:
    """Whether files are streamed, rather than left to the reading in memory."""
    try:
        rankings_of(files, rd.read_judgments(judged), policy or rd.Policy())
    except WholeNeededError:
        return False
    return True


def test_regular_files_are_streamed(tmp_path: Path) -> None:
    """Duplicates, ties, blank lines, a header and other line ends take nobody the long way; a bad cell does."""
    for name in ("duplicates", "ties", "a header", "no tag", "rank against score", "Windows line ends", "scattered"):
        arguments, files = few(tmp_path, ODD[name], LINES, JUDGED)
        assert streams(files, arguments[-1]), name
    for name in ("a bad row", "not UTF-8", "queries alike", "an infinite score"):
        arguments, files = few(tmp_path, ODD[name], LINES, JUDGED)
        assert not streams(files, arguments[-1]), name


@pytest.mark.usefixtures("_no_neighbours")
def test_any_change_of_a_byte_is_told_as_in_memory(tmp_path: Path) -> None:
    """Bytes put in, taken out or exchanged anywhere in a regular file: the same outcome, whatever it is."""
    rng = np.random.default_rng(5)
    signs = [b" ", b"\t", b"\n", b"\r", b'"', b"\0", b"\xff", "é".encode(), b"9", b"-", b".", b"e", b"q0", b"#", b","]
    for _ in range(sampled(20)):
        content = LINES.encode()
        at, sign = int(rng.integers(len(content))), signs[int(rng.integers(len(signs)))]
        changed = content[:at] + sign + content[at + int(rng.integers(2)) :]
        arguments, _ = few(tmp_path, changed.decode("utf-8", "surrogateescape"), LINES, JUDGED)
        piece, asked = int(rng.choice([1, 30, 1 << 22])), [*arguments, "--json", "-"]
        assert said(asked, 0, piece=piece) == said(asked, 1 << 62), changed


@pytest.mark.parametrize("piece", every(2, (1, 300, 1 << 22)))
@pytest.mark.parametrize("deep", [4, 60])
def test_ids_that_are_judged_under_another_writing_are_told_as_in_memory(tmp_path: Path, deep: int, piece: int) -> None:
    """Some documents are judged and others would be in lower case, also below the ranks that are kept: it is told."""
    run = "".join(f"q{q} Q0 Doc{q}x{d} {d} {deep - d}.5 t\n" for q in range(3) for d in range(deep))
    judged = "".join(
        f"q{q} 0 {name if d < deep / 2 else name.lower()} {1 + d % 2}\n"
        for q in range(3)
        for d, name in enumerate(f"Doc{q}x{d}" for d in range(deep))
    )
    arguments, _ = few(tmp_path, run, run.replace("Q0", "Q1"), judged)
    streamed = said(arguments, 0, piece)
    assert streamed == said(arguments, 1 << 60)
    assert "almost match some of q.txt, and count as unjudged" in streamed[2]
