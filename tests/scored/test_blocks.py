"""Files scored block by block: the same table as in memory, bit for bit, or None where a file has to be read whole."""

import csv
import gzip
import json
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rankdash as rd
from rankdash.reading.source import Document
from rankdash.scoring import PerQuery, scored_in_memory
from rankdash.scoring.blocks import score_files
from tests.long import every

Row = tuple[str, str, float]
POLICY = rd.Policy(primary="nDCG@3", guardrails=[["AP", 0.01]])
FORMS = ("trec", "trec.gz", "csv", "tsv", "ranked.csv", "plain.csv", "parquet")


def rows_of(random: Random, order: Sequence[str], ties: bool) -> list[Row]:
    """Lists of some of the queries, one after the other; a document may stand twice."""
    rows: list[Row] = []
    for query in order:
        if random.random() < 0.8:
            documents = random.choices("abcdefgh", k=random.randint(1, 9))
            scores = [random.randint(0, 3) + 0.5 if ties else random.random() for _ in documents]
            rows += zip([query] * len(documents), documents, sorted(scores, reverse=True), strict=True)
    return rows or [(order[0], "a", 1.0)]


def write(path: Path, form: str, rows: Sequence[Row]) -> Path:
    """A file of a form, named after it."""
    file = path.with_name(f"{path.name}.{form}")
    if form == "parquet":
        query, doc, score = (list(column) for column in zip(*rows, strict=True))
        pq.write_table(pa.table({"query_id": query, "doc_id": doc, "score": score}), file)
        return file
    if form.startswith("trec"):
        text = "".join(f"{query} Q0 {doc} {at} {score} tag\n" for at, (query, doc, score) in enumerate(rows, 1))
        file.write_bytes(gzip.compress(text.encode()) if form.endswith("gz") else text.encode())
        return file
    names = {"ranked.csv": ("query_id", "doc_id", "rank"), "plain.csv": ("query_id", "doc_id")}
    place: dict[str, int] = {}
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, delimiter="\t" if form == "tsv" else ",", quoting=csv.QUOTE_NONNUMERIC)
        columns = names.get(form, ("query_id", "doc_id", "score", "title"))
        writer.writerow(columns)
        for query, doc, score in rows:
            place[query] = place.get(query, 0) + 1
            cells = {"query_id": query, "doc_id": doc, "score": score, "rank": place[query], "title": 'a "b", c'}
            writer.writerow([cells[name] for name in columns])
    return file


def judged(random: Random, queries: Sequence[str]) -> rd.Judgments:
    """Grades of some documents, the first of them contradicted."""
    rows = [{"query_id": q, "doc_id": d, "relevance": random.randint(0, 3)} for q in queries for d in "abcde"]
    rows = [row for row in rows if random.random() < 0.7] or rows
    random.shuffle(rows)
    return rd.read_judgments([*rows, {**rows[0], "relevance": 2}, {**rows[-1], "relevance": 1}])


def in_memory(paths: tuple[Path, Path], judgments: rd.Judgments) -> PerQuery:
    """The table of the files read whole."""
    a, b = (rd.read_run(path) for path in paths)
    return scored_in_memory(a, b, judgments, POLICY, ("RR", "bpref"))


def in_blocks(paths: tuple[Path, Path], judgments: rd.Judgments, size: int) -> PerQuery | None:
    """The table of the files in blocks of so many bytes."""
    return score_files((str(paths[0]), str(paths[1])), judgments, POLICY, ("RR", "bpref"), size=size)


@pytest.mark.parametrize(("form", "seed"), every(6, product(FORMS, range(9))))
def test_a_table_in_blocks_is_that_in_memory(form: str, seed: int, tmp_path: Path) -> None:
    """Whatever the size of the blocks, the order of the queries, and what one file or the judgments lack."""
    random = Random(f"{seed} {form}")
    queries = [f"q{at}" for at in range(random.choice((1, 4, 12)))]
    orders = [random.sample(queries, len(queries)) if random.random() < 0.4 else queries for _ in "ab"]
    ties = form != "plain.csv" and random.random() < 0.5
    a, b = (
        write(tmp_path / name, form, rows_of(random, order, ties=ties))
        for name, order in zip("ab", orders, strict=True)
    )
    judgments = judged(random, random.sample(queries, random.randint(1, len(queries))))
    whole = in_memory((a, b), judgments)
    for size in (40, 150, 1 << 20):
        blocks = in_blocks((a, b), judgments, size)
        assert blocks.to_arrow().equals(whole.to_arrow(), check_metadata=True) or blocks == whole
        assert (blocks.noticed, blocks.inputs) == (whole.noticed, whole.inputs)


LINES = "".join(f"q{at // 4} Q0 d{at % 4} 1 {9 - at % 4}.5 t\n" for at in range(40))


@pytest.mark.parametrize(
    "text",
    {
        "a query that comes again": LINES + "q1 Q0 e 1 0.25 t\n",
        "grades beside the documents": "query_id,doc_id,score,relevance\n"
        + "".join(f"q{at // 4},d{at % 4},{9 - at % 4},1\n" for at in range(40)),
        "cells of several lines": "query_id,doc_id,score,title\n"
        + "".join(f'q{at // 4},d{at % 4},{9 - at % 4},"a\nb"\n' for at in range(40)),
        "two models, one after the other": "model,query_id,doc_id,score\n"
        + "".join(f"{'ab'[at > 19]},q{at // 4},d{at % 4},{9 - at % 4}\n" for at in range(40)),
        "JSON": '{"q1": {"d1": 2.5, "d2": 1}}',
        "a cell that is no number": LINES + "q99 Q0 e 1 x t\n",
        "another encoding": LINES + "q99 Q0 é 1 0.25 t\n",
    }.values(),
)
def test_other_files_are_read_whole(text: str, tmp_path: Path) -> None:
    """Nothing is guessed: what does not stand together, or is not read alike in pieces, is no file for blocks."""
    file, other = tmp_path / "a.txt", tmp_path / "b.txt"
    file.write_bytes(text.encode("latin-1"))
    other.write_text(LINES)
    judgments = rd.read_judgments({"q1": {"d1": 1}, "q2": {"d2": 2}})
    assert in_blocks((file, other), judgments, 60) is None
    assert in_blocks((other, file), judgments, 60) is None
    assert in_blocks((other, other), judgments, 60) is not None
    assert score_files((str(other), str(other)), judgments, POLICY, ("RBO",), size=60) is None


def test_large_files_are_scored_in_blocks_and_give_the_same_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """rd.score, rankdash score and rankdash compare choose blocks by the size of the files; nothing else changes."""
    from rankdash.__main__ import main

    random = Random(1)
    queries = [f"q{at}" for at in range(30)]
    a, b = (write(tmp_path / name, "trec", rows_of(random, queries, ties=True)) for name in "ab")
    grades = tmp_path / "qrels.txt"
    grades.write_text("".join(f"{query} 0 {doc} {random.randint(0, 2)}\n" for query in queries for doc in "abcd"))
    commands = (["compare", str(a), str(b), "-q", str(grades), "--json", "-"],)
    whole, said = rd.score(a, b, grades), []
    for large in (1 << 40, 1):
        for module in ("rankdash.cli.comparing", "rankdash.scoring.blocks"):
            monkeypatch.setattr(f"{module}.LARGE", large)
        for command in commands:
            main(command)
            told = json.loads(capsys.readouterr().out)
            said.append((told["verdict"], told["measures"]))
    assert rd.score(a, b, grades) == whole
    assert said[0] == said[1]


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt, MemoryError, rd.ReadError([])], ids=["interrupt", "memory", "unfit"]
)
def test_no_file_is_read_on_once_the_other_has_failed(
    error: BaseException | type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever interrupts a command does not wait until the end of a large file."""
    from rankdash.scoring import blocks

    files = [tmp_path / name for name in "ab"]
    lines = "".join(f"q{at // 4} Q0 d{at % 4} 1 {9 - at % 4}.5 t\n" for at in range(8_000))
    for file in files:
        file.write_text(lines)
    pieces: list[str] = []
    read = blocks.read_run

    def counted(document: Document, **how: object) -> rd.Run:
        pieces.append(document.name)
        if document.name == "a":
            raise error
        return read(document, **how)

    monkeypatch.setattr(blocks, "read_run", counted)
    with suppress(KeyboardInterrupt, MemoryError):
        assert in_blocks((files[0], files[1]), rd.read_judgments({"q1": {"d1": 1}}), 60) is None
    assert pieces.count("b") < len(lines) // 60 // 2
