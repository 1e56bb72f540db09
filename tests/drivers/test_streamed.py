"""Streamed comparisons against those in memory: every value, sentence and exit status, wherever the files are cut."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.cli import streaming
from rankdash.comparison import compare_joined, score_queries
from rankdash.drivers.kept import KeptRankings, NotKeptError
from rankdash.drivers.streamed import Progress, RunFiles, rankings_of
from rankdash.judged import Order
from rankdash.reading.pieces import WholeNeededError
from rankdash.report import text
from rankdash.report.text import to_text
from tests.drivers.streams import JUDGED, LINES, MEASURES, PIECES, few, made, said, written
from tests.long import every
from tests.truth.scale import done, sampled
from tests.truth.small import some_policy

#: The parts of the table that read more of a list than is kept.
DEEP = ("alike",)


def same_tables(kept: rd.Rankings, whole: rd.Rankings, policy: rd.Policy) -> None:
    """Every column of the per-query table bit for bit, but for those that need more than is kept."""
    one, other = (score_queries(joined, policy, MEASURES) for joined in (kept, whole))
    assert one.query_ids.to_pylist() == other.query_ids.to_pylist()
    assert (one.scope, one.outside) == (other.scope, other.outside)
    for name, part in one.scope.parts.items():
        if part not in DEEP:
            assert one[name].dtype == other[name].dtype, name
            assert one[name].tobytes() == other[name].tobytes(), name


@pytest.mark.parametrize("piece", every(3, PIECES))
def test_streamed_files_score_as_those_in_memory_to_the_last_bit(tmp_path: Path, piece: int) -> None:
    """Ids of any length, ties, duplicates, queries that one side lacks, another order in each file, cut anywhere."""
    for at in range(sampled(3)):
        seed = PIECES.index(piece) + len(PIECES) * at  # other worlds for another piece
        folder, rng = written(tmp_path, made(seed)), np.random.default_rng(seed)
        policy = some_policy(rng)
        a, b, judged = (
            rd.read_run(folder / "a.trec"),
            rd.read_run(folder / "b.trec"),
            rd.read_judgments(folder / "q.txt"),
        )
        kept = rankings_of(RunFiles(folder / "a.trec", folder / "b.trec", piece=piece), judged, policy, MEASURES)
        whole = rd.comparison.join(a, b, judged, depth=2 * policy.cutoff)
        same_tables(kept, whole, policy)
        for side, run in (("a", a), ("b", b)):
            assert kept.run(side).source == run.source  # type: ignore[arg-type]
            assert kept.lists(side) == whole.lists(side)  # type: ignore[arg-type]
            order = Order.of(policy.scoring)
            assert kept.ranked(side, order).findings == whole.ranked(side, order).findings  # type: ignore[arg-type]
        there, here = (rd.decide(compare_joined(joined, policy, MEASURES)) for joined in (kept, whole))
        assert there == here, seed
        done("streamed comparisons", 1)


def packed(path: Path) -> Path:
    """The same file as .gz."""
    there = path.with_name(f"{path.name}.gz")
    there.write_bytes(gzip.compress(path.read_bytes()))
    return there


def as_parquet(path: Path) -> Path:
    """The same run as Parquet with ids, ranks and scores."""
    table = rd.read_run(path).table
    there = path.with_suffix(".parquet")
    pq.write_table(table.set_column(0, "query_id", table["query_id"].cast(pa.string())), there, row_group_size=50)
    return there


@pytest.mark.parametrize("write", [packed, as_parquet, lambda path: path], ids=["gz", "parquet", "trec"])
@pytest.mark.parametrize("mixed", [False, True], ids=["sorted", "scattered"])
def test_packed_files_parquet_and_scattered_rows_score_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path], Path], mixed: bool
) -> None:
    """Whatever a file is written as, and though its rows stand in any order: bit for bit what is in memory."""
    monkeypatch.setattr("rankdash.reading.source.document._HEAD", 1 << 10)
    monkeypatch.setattr("rankdash.drivers.scattered._AT_ONCE", 1 << 9)
    for seed in range(sampled(2)):
        folder, rng = written(tmp_path, made(seed, mixed=mixed)), np.random.default_rng(seed)
        policy = some_policy(rng)
        files = RunFiles(*(write(folder / name) for name in ("a.trec", "b.trec")), piece=int(rng.choice([90, 1_500])))
        a, b, judged = rd.read_run(files.a), rd.read_run(files.b), rd.read_judgments(folder / "q.txt")
        kept = rankings_of(files, judged, policy, MEASURES)
        whole = rd.comparison.join(a, b, judged, depth=2 * policy.cutoff)
        same_tables(kept, whole, policy)
        for side, run in (("a", a), ("b", b)):
            assert kept.run(side).source == run.source  # type: ignore[arg-type]
            assert kept.run(side).name == run.name  # type: ignore[arg-type]
            names = [one.run(side).table["query_id"].unique().to_pylist() for one in (kept, whole)]  # type: ignore[arg-type]
            assert sorted(names[0]) == sorted(names[1])
            order = Order.of(policy.scoring)
            assert kept.ranked(side, order).findings == whole.ranked(side, order).findings  # type: ignore[arg-type]


@pytest.mark.parametrize("order", ["auto", "score"])
def test_large_ranks_in_a_part_of_a_file_are_read_as_those_of_the_whole(tmp_path: Path, order: str) -> None:
    """A rank beyond 32 bits makes all ranks of Parquet fractions, also in the pieces that have none."""
    rows = [(f"q{i // 20}", f"d{i % 20}", i % 20 + 1, float(100 - i % 20)) for i in range(400)]
    for name, last in (("a", 2**40), ("b", 20)):
        columns = list(zip(*rows[:-1], (*rows[-1][:2], last, rows[-1][3]), strict=True))
        names = ("query_id", "doc_id", "rank", "score")
        pq.write_table(pa.table(dict(zip(names, columns, strict=True))), tmp_path / f"{name}.parquet")
    (tmp_path / "q.txt").write_text("".join(f"q{i} 0 d{i} 1\n" for i in range(20)), "ascii")
    files = [str(tmp_path / f"{name}.parquet") for name in "ab"]
    asked = [*files, "-q", str(tmp_path / "q.txt"), "--order", order]
    assert said(asked, 0, piece=200) == said(asked, 1 << 62)


def test_how_far_the_reading_is_says_rows_bytes_and_time() -> None:
    """Of a packed file nobody knows how much is left."""
    both = [Progress("a", 1_000_000, 30_000_000, 60_000_000), Progress("b", 500_000, 10_000_000, 60_000_000)]
    assert streaming.reading_text(both, 2.0) == "reading: 1,500,000 rows, 40 of 120 MB, 4 s left"
    assert streaming.reading_text([both[0], Progress("b", 5, 10, 0)], 2.0) == "reading: 1,000,005 rows"


#: Further arguments of a comparison; every other one is tried on scattered rows first.
SAID = ((), ("--json", "-"), ("--gate", "--experts"), ("-m", *MEASURES), ("-m", "RBO"))


@pytest.mark.parametrize("more", SAID)
def test_the_command_line_says_the_same_streamed_and_in_memory(tmp_path: Path, more: tuple[str, ...]) -> None:
    """Exit status, text, JSON with every note, per-query CSV and problems, byte for byte."""
    for seed in range(SAID.index(more), SAID.index(more) + sampled(2)):
        folder = written(tmp_path, made(seed, mixed=seed % 2 == 1))
        values = folder / "values.csv"
        files = [str(folder / "a.trec"), str(folder / "b.trec"), "-q", str(folder / "q.txt")]
        told = []
        for least in (0, 1 << 62):
            told.append((said([*files, *more, "--per-query", str(values)], least), values.read_bytes()))
            values.unlink()
        assert told[0] == told[1]


def changed_meanwhile(self: KeptRankings, order: Order, among: object = None) -> npt.NDArray[np.bool_]:
    """What a second reading says of files that were exchanged since the first."""
    raise WholeNeededError


def test_what_turns_out_to_need_whole_lists_is_done_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is compared, while it is told, or while it is scored: the same output, and no traceback."""
    folder = written(tmp_path, made(1, mixed=False))
    files = [str(folder / "a.trec"), str(folder / "b.trec"), "-q", str(folder / "q.txt")]
    whole = said(files, 1 << 62)
    assert main(["score", *files, "--out", str(tmp_path / "whole")]) == 0
    told = to_text

    def once(comparison: rd.Comparison, *rest: object) -> str:
        monkeypatch.setattr(text, "to_text", told)
        raise NotKeptError("11 first ranks are kept, not 50")

    monkeypatch.setattr(text, "to_text", once)
    assert said(files, 0) == whole
    monkeypatch.setattr(KeptRankings, "identical", changed_meanwhile)
    monkeypatch.setattr(streaming, "LEAST", 0)
    assert main(["score", *files, "--out", str(tmp_path / "again")]) == 0
    for name in ("whole", "again"):
        assert main(["compare", "--scored", str(tmp_path / name), "--json", str(tmp_path / f"{name}.json")]) == 0
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "whole.json").read_bytes()


def test_what_is_not_kept_is_never_guessed(tmp_path: Path) -> None:
    """Deeper ranks than are kept, or another order of ties, are an error and no number."""
    arguments, files = few(tmp_path, LINES, LINES.replace("d2", "e2"), JUDGED)
    kept = rankings_of(files, rd.read_judgments(arguments[-1]), rd.Policy(primary="nDCG@1", cutoff=1))
    assert isinstance(kept, KeptRankings)
    assert kept.depth == kept.longest == 3
    with pytest.raises(NotKeptError):
        kept.ranked("a", Order("input_order"))
    short = rankings_of(files, rd.read_judgments(arguments[-1]), rd.Policy(primary="nDCG@1", cutoff=1))
    assert short.reaching(50) is short


def test_progress_is_told_to_the_end_of_both_files(tmp_path: Path) -> None:
    """Rows and bytes of each file rise to those of the whole."""
    arguments, files = few(tmp_path, LINES, LINES.replace("d2", "e2"), JUDGED)
    told: list[Progress] = []
    rankings_of(files, rd.read_judgments(arguments[-1]), rd.Policy(), watch=told.append)
    for side, path in (("a", files.a), ("b", files.b)):
        last = [one for one in told if one.side == side][-1]
        assert (last.rows, last.done, last.size) == (9, Path(path).stat().st_size, Path(path).stat().st_size)


def test_lists_that_differ_behind_what_is_kept_are_not_the_same(tmp_path: Path) -> None:
    """Where the first ranks are equal, both files are read once more, to the ends of the lists."""

    def lists(*last: str) -> str:
        docs = [[f"d{j}" for j in range(28)] + [f"{end}1", f"{end}2"] for end in last]
        return "".join(f"q{i} Q0 {doc} {j} {90 - j} t\n" for i, row in enumerate(docs) for j, doc in enumerate(row, 1))

    judged = "".join(f"q{i} 0 d1 1\n" for i in range(3))
    arguments, files = few(tmp_path, lists("x", "x", "x"), lists("x", "y", "x"), judged)
    policy = rd.Policy(primary="nDCG@1", cutoff=1)
    kept = rankings_of(files, rd.read_judgments(arguments[-1]), policy)
    assert score_queries(kept, policy)["identical"].tolist() == [True, False, True]


def test_rows_that_stand_together_never_go_to_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a file is cut, its lists stay whole."""
    monkeypatch.setattr("rankdash.drivers.streamed.Scattered", None)
    folder = written(tmp_path, made(1))
    judged = rd.read_judgments(folder / "q.txt")
    for piece in PIECES:
        rankings_of(RunFiles(folder / "a.trec", folder / "b.trec", piece=piece), judged, rd.Policy())
