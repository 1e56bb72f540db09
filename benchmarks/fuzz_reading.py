"""Hostile files for every reader: only a table or a ReadError, never another exception, a hang or a flood of memory.

    python -m benchmarks.fuzz_reading [--inputs 200000] [--seed 1] [--processes 2]

Each input is one of a corpus of small files of every format, changed by a few random operations, or random bytes. The
same seed gives the same inputs. An input that fails is printed as Python bytes, with the reader and the seed.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import io
import json
import lzma
import random
import resource
import signal
import sys
import tarfile
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rankdash.reading import (
    Limits,
    ReadError,
    read_judgments,
    read_models,
    read_queries,
    read_run,
    read_votes,
    recognise,
)
from tests.reading.made_files import archive, binary_workbook, old_workbook, open_document, workbook

READERS: dict[str, Callable[..., Any]] = {
    "run": read_run,
    "judgments": read_judgments,
    "models": read_models,
    "queries": read_queries,
    "votes": read_votes,
    "recognise": recognise,
}
#: Small enough that a flood would be seen, large enough for every file of the corpus.
LIMITS = Limits(upload=5_000_000, unpacked=20_000_000, rows=200_000, columns=200, cell=100_000, line=500_000)
#: A workbook is opened in a process of its own; this much and no more.
LIMITS = replace(LIMITS, memory=600_000_000, seconds=10)
#: What one input may add to the memory of the process that reads it.
MEMORY = 300 << 20
SECONDS = 10
SHARE = 2_000

TEXTS = (
    'query_id,doc_id,rank,score,relevance,title\nq1,a,1,2.5,3,x\nq1,b,2,1.5,0,"y, z"\nq2,a,1,9,,""\n',
    "query;docno;pos;label\nq;a;1;Exact\nq;b;2;Irrelevant\n",
    "model\tquery\tposition\tasin\nx\tq\t1\ta\ny\tq\t1\tb\n",
    "q1 Q0 a 1 2.5 tag\nq1 Q0 b 2 1.5 tag\nq2 Q0 a 1 nan tag\n",
    "q1 0 a 1\nq1 0 b 0\n# comment\nq2 0 a -1\n",
    "q a 1\nq b 0\n",
    "sep=;\r\nquery_id;doc_id;score\r\nq;a;0,75\r\nq;b;1.234,5\r\n",
    "Export of Monday\n\nquery_id,doc_id,rank\nq,a,1\nTotal: 1\n",
    "查询ID,商品ID,排名,相关性\n红鞋,甲,1,非常相关\n红鞋,乙,2,不相关\n",
    "クエリID,商品番号,順位,関連度\n靴,甲,1,関連\n",
    "query_id,rank1,rank2,rank3\nq,a,b,c\nr,d,,\n",
    'query;docs\nq;["a", "b"]\nr;a b c\n',
    "query_id,rank,doc_a,doc_b,label_a,label_b\nq,1,a,b,1,0\n",
    "id,model_a,model_b,rater,verdict,left\n1,x,y,r,good,A\n1,x,y,s,bad,B\n2,x,z,r,same,A\n",
    "query_id,rater1,rater2\nq,1,2\nr,0,-1\n",
    "query_id,vote\nq,A\nr,B\ns,tie\n",
    '1\twho is he\n2\twhat is "it"\n',
    "qid,query,weight,device\n1,red shoes,0.5,mobile\n2,boots,12%,web\n",
    "2 qid:1 1:0.5 2:1 # docid = a\n0 qid:1 1:0.1 # docid = b\n",
    json.dumps({"q": {"a": 1.5, "b": 1}, "r": {"c": None}}),
    json.dumps([{"query_id": "q", "query": "x", "results": [{"doc_id": "a", "score": 1}, {"id": "b"}]}]),
    "\n".join(json.dumps({"query_id": "q", "doc_id": f"d{i}", "rank": i}) for i in range(4)),
    json.dumps({"columns": ["query_id", "doc_id"], "data": [["q", "a"]]}),
    json.dumps({"A": {"q": {"a": 1}}, "B": {"q": ["a", "b"]}}),
    json.dumps({"took": 1, "data": {"q": {"hits": {"hits": [{"_id": "a", "_score": 1, "_source": {"title": "x"}}]}}}}),
    json.dumps({"query_id": {"0": "q", "1": "q"}, "doc_id": {"0": "a", "1": "b"}, "score": {"0": 2, "1": 1}}),
    json.dumps({"0": {"query_id": "q", "doc_id": "a"}, "1": {"query_id": "q", "doc_id": "b"}}),
    json.dumps([["query_id", "doc_id", "score"], ["q", "a", 1], ["q", "b", None]]),
    '{"query_id": "q", "doc_id": "a", "score": NaN}{"query_id": "q", "doc_id": "\\ud800", "score": 1}',
    "<html><body>Please sign in</body></html>",
)
PIECES = (
    *(
        "query_id doc_id rank score relevance model vote title id q1 0 1 -1 2.5 1e400 nan inf NA - 0,5 １２ \" ' , ; | "
        "\t \r \n \r\n # // [ ] { } : null true sep=; good A B tie qid:1 1:0.5 甲 \ufeff \u200b \x00 \x1a"
    )
    .encode()
    .split(b" "),
    *(b" ", b"\xff", b"\xfe\xff", b"PK\x03\x04", b"PAR1", b"\x1f\x8b\x08", b"\x80\x04", b"\xd0\xcf\x11\xe0"),
)


def corpus() -> list[bytes]:
    """Small files of every format."""
    files = [text.encode() for text in TEXTS]
    for text in TEXTS[:10]:
        files += [text.encode(encoding, "replace") for encoding in ("utf-16", "gb18030", "cp932", "big5", "cp1252")]
    files += [pack(file) for file in files[:3] for pack in (gzip.compress, bz2.compress, lzma.compress, _zstd)]
    table = pa.table({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [2.0, 1.0], "tags": [["x"], None]})
    lists = pa.table({"query_id": ["q"], "docs": [["a", "b"]], "scores": [[2.0, 1.0]]})
    files += [_parquet(table), _parquet(lists), _parquet(table, compression="gzip")]
    files += [_arrow(table, pa.ipc.new_file), _arrow(lists, pa.ipc.new_stream)]
    files += [archive({"a.csv": files[0]}), archive({"a.csv": files[0], "b.csv": files[1]}), _tar(files[0])]
    rows = [["query_id", "doc_id", "rank", "title"], ["q", 7, 1, "a\nb"], ["q", "007", 2, None], ["r", "x", 1, True]]
    books = [workbook({"S": rows, "T": rows[:1]}, merged=["A2:A3"]), open_document({"S": rows}), binary_workbook(rows)]
    return [*files, *books, *map(_stored, books), old_workbook(rows)]


def _zstd(content: bytes) -> bytes:
    out = pa.BufferOutputStream()
    with pa.CompressedOutputStream(out, "zstd") as packed:
        packed.write(content)
    return bytes(out.getvalue())


def _arrow(table: pa.Table, writer: Callable[..., Any]) -> bytes:
    out = io.BytesIO()
    with writer(out, table.schema) as written:
        written.write_table(table)
    return out.getvalue()


def _tar(content: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as packed:
        info = tarfile.TarInfo("a.csv")
        info.size = len(content)
        packed.addfile(info, io.BytesIO(content))
    return out.getvalue()


def _stored(content: bytes) -> bytes:
    """The same zip archive with its parts as they are, so that changes reach them."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as packed, zipfile.ZipFile(out, "w") as stored:
        for name in packed.namelist():
            stored.writestr(name, packed.read(name))
    return out.getvalue()


def _parquet(table: pa.Table, **how: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out, **how)
    return out.getvalue()


def mutated(files: Sequence[bytes], chance: random.Random) -> bytes:
    """One input: a file of the corpus after one to four changes, or bytes from nowhere."""
    if chance.random() < 0.05:
        return chance.randbytes(chance.randrange(200))
    content = chance.choice(files)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        at = chance.randrange(len(content) + 1)
        end = min(len(content), at + chance.randrange(1, 20))
        content = chance.choice(CHANGES)(content, at, end, files, chance)[:MOST]
    return content


Change = Callable[[bytes, int, int, Sequence[bytes], random.Random], bytes]
MOST = 20_000
CHANGES: tuple[Change, ...] = (
    lambda content, at, end, files, chance: content[:at] + content[end:],
    lambda content, at, end, files, chance: content[:at] + chance.choice(PIECES) + content[at:],
    lambda content, at, end, files, chance: content[:at] + chance.choice(PIECES) + content[end:],
    lambda content, at, end, files, chance: content[:at] + chance.randbytes(1) + content[at + 1 :],
    lambda content, at, end, files, chance: content[:at] + content[at:end] * chance.choice((2, 3, 50)) + content[at:],
    lambda content, at, end, files, chance: (
        content[:at] + chance.choice(PIECES) * chance.choice((2, 2000)) + content[at:]
    ),
    lambda content, at, end, files, chance: content[:at],
    lambda content, at, end, files, chance: content[:at] + chance.choice(files)[at:],
)


def options(chance: random.Random) -> dict[str, Any]:
    """Now and then, what people may say about a file."""
    how: dict[str, Any] = {}
    if chance.random() < 0.05:
        how["encoding"] = chance.choice(("gb18030", "utf-16", "big5", "utf-8", "nothing"))
    if chance.random() < 0.05:
        how["columns"] = {chance.choice(("doc_id", "relevance", "text")): chance.choice(("1", "label", "query"))}
    if chance.random() < 0.05:
        how["grades"] = {"Exact": 3.0, "1": 7.0}
    if chance.random() < 0.03:
        how |= {"sheet": chance.choice((1, "S", 99)), "member": chance.choice(("a.csv", "x"))}
    if chance.random() < 0.02:
        how |= {"scores": b"1\n2\n", "groups": b"1\n1\n"}
    return how


@dataclass
class Outcome:
    """What became of a number of inputs."""

    inputs: int = 0
    slowest: float = 0.0
    slow: str = ""
    memory: int = 0
    worker: int = 0
    results: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


class Hang(Exception):
    """A reader took too long."""


def _alarm(*_: object) -> None:
    raise Hang


def run(seed: int, inputs: int) -> Outcome:
    """Reads that many inputs of one seed."""
    files, chance, outcome = corpus(), random.Random(seed), Outcome()
    signal.signal(signal.SIGPROF, _alarm)
    for _ in range(inputs):
        content, how = mutated(files, chance), options(chance)
        name = chance.choice(list(READERS))
        start, before = _processor(), _memory()
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            READERS[name](content, limits=LIMITS, **how)
            outcome.results[f"{name}: read"] += 1
        except ReadError as error:
            outcome.results[f"{name}: refused"] += 1
            if not str(error).strip():
                outcome.failures.append(f"seed {seed}, {name}, {how}\n{content!r}\nrefused without a word")
        except Exception:  # noqa: BLE001 - every other exception is what is looked for
            outcome.failures.append(f"seed {seed}, {name}, {how}\n{content!r}\n{traceback.format_exc(limit=-4)}")
        signal.setitimer(signal.ITIMER_PROF, 0)
        if _memory() - before > MEMORY:
            outcome.failures.append(f"seed {seed}, {name}, {how}\n{content!r}\ntook more than {MEMORY >> 20} MB")
        took = _processor() - start
        if took > outcome.slowest:
            outcome.slowest, outcome.slow = took, f"{took:.2f} s: {name}, {how}, {content[:2000]!r}"
        outcome.inputs += 1
    outcome.memory, outcome.worker = _memory(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
    return outcome


def _processor() -> float:
    """The seconds of a processor that this process and those that it started have had: others do not count."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def _memory() -> int:
    """The most bytes that this process has had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def shares(inputs: int, seed: int) -> Iterator[tuple[int, int]]:
    """Seeds and how many inputs each has."""
    for i, start in enumerate(range(0, inputs, SHARE)):
        yield seed * 1_000_000 + i, min(SHARE, inputs - start)


def fuzzed(inputs: int, seed: int, processes: int) -> tuple[Outcome, float]:
    """What became of that many inputs, and the seconds that it took."""
    start, total = time.perf_counter(), Outcome()
    with ProcessPoolExecutor(processes) as pool:
        for outcome in pool.map(run, *zip(*shares(inputs, seed), strict=True)):
            total.inputs += outcome.inputs
            total.slowest, total.slow = max((total.slowest, total.slow), (outcome.slowest, outcome.slow))
            total.memory, total.worker = max(total.memory, outcome.memory), max(total.worker, outcome.worker)
            total.results += outcome.results
            total.failures += outcome.failures
            print(f"{total.inputs:,} inputs", *outcome.failures[:3], sep="\n", file=sys.stderr, flush=True)
    return total, time.perf_counter() - start


def told(total: Outcome, seconds: float) -> list[str]:
    """Lines about what became of the inputs."""
    lines = [
        f"{total.inputs:,} inputs in {seconds:,.0f} s, the slowest in {total.slowest:.2f} s of a processor",
        f"peak {total.memory >> 20} MB, of a process that opens workbooks {total.worker >> 20} MB",
    ]
    lines += [f"  {name:22} {count:,}" for name, count in sorted(total.results.items())]
    lines += [f"the slowest: {total.slow}"] if total.slowest > 1 else []
    return [*lines, f"{len(total.failures):,} failures"]


def main() -> int:
    """Runs the share of each process and prints what became of the inputs; 1 where anything failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    total, seconds = fuzzed(options.inputs, options.seed, options.processes)
    print("\n".join([*told(total, seconds), *total.failures[:20]]))
    return int(bool(total.failures))


if __name__ == "__main__":
    sys.exit(main())
