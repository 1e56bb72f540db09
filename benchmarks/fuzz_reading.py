"""Hostile files for every reader: only a table or a ReadError, never another exception, a hang or a flood of memory.

    python benchmarks/fuzz_reading.py [--inputs 200000] [--seed 1] [--processes 2]

Each input is one of a corpus of small files of every format, changed by a few random operations, or random bytes. The
same seed gives the same inputs. An input that fails is printed as Python bytes, with the reader and the seed.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import resource
import signal
import sys
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
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
    recognised,
)

READERS: dict[str, Callable[..., Any]] = {
    "run": read_run,
    "judgments": read_judgments,
    "models": read_models,
    "queries": read_queries,
    "votes": read_votes,
    "recognised": recognised,
}
#: Small enough that a flood would be seen, large enough for every file of the corpus.
LIMITS = Limits(upload=5_000_000, unpacked=20_000_000, rows=200_000, columns=200, cell=100_000, json=2_000_000)
SECONDS = 20

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
    files += [gzip.compress(file) for file in files[:4]]
    table = pa.table({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [2.0, 1.0], "tags": [["x"], None]})
    lists = pa.table({"query_id": ["q"], "docs": [["a", "b"]], "scores": [[2.0, 1.0]]})
    files += [_parquet(table), _parquet(lists), _parquet(table, compression="gzip")]
    files += [_zip({"a.csv": files[0]}), _zip({"a.csv": files[0], "b.csv": files[1]}), _workbook()]
    return files


def _parquet(table: pa.Table, **how: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out, **how)
    return out.getvalue()


def _zip(files: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return out.getvalue()


def _workbook() -> bytes:
    """A workbook whose parts are stored as they are, so that changes reach the XML."""
    office = "http://schemas.openxmlformats.org"
    main, links = f"{office}/spreadsheetml/2006/main", f"{office}/package/2006/relationships"
    link = f"{office}/officeDocument/2006/relationships"
    table = (("query_id", "doc_id", "rank"), ("q", "a", "1"), ("q", "b", "2"))
    cell = '<c r="{}{}" t="inlineStr"><is><t>{}</t></is></c>'
    cells = ["".join(cell.format(c, i, v) for c, v in zip("ABC", row, strict=True)) for i, row in enumerate(table, 1)]
    rows = "".join(f'<row r="{i}">{row}</row>' for i, row in enumerate(cells, 1))
    book = (
        f'<workbook xmlns="{main}" xmlns:r="{link}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>'
    )
    target = f'<Relationship Id="r1" Type="{link}/worksheet" Target="worksheets/sheet1.xml"/>'
    parts = {
        "[Content_Types].xml": "<Types/>",
        "xl/workbook.xml": book,
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{links}">{target}</Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>',
    }
    return _zip({name: text.encode() for name, text in parts.items()}, zipfile.ZIP_STORED)


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
    memory: int = 0
    results: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


class Hang(Exception):
    """A reader took too long."""


def _alarm(*_: object) -> None:
    raise Hang


def run(seed: int, inputs: int) -> Outcome:
    """Reads that many inputs of one seed."""
    files, chance, outcome = corpus(), random.Random(seed), Outcome()
    signal.signal(signal.SIGALRM, _alarm)
    for _ in range(inputs):
        content, how = mutated(files, chance), options(chance)
        name = chance.choice(list(READERS))
        start = time.perf_counter()
        signal.alarm(SECONDS)
        try:
            READERS[name](content, limits=LIMITS, **how)
            outcome.results[f"{name}: read"] += 1
        except ReadError as error:
            outcome.results[f"{name}: refused"] += 1
            if not str(error).strip():
                outcome.failures.append(f"seed {seed}, {name}, {how}\n{content!r}\nrefused without a word")
        except Exception:  # noqa: BLE001 - every other exception is what is looked for
            outcome.failures.append(f"seed {seed}, {name}, {how}\n{content!r}\n{traceback.format_exc(limit=-4)}")
        signal.alarm(0)
        outcome.slowest = max(outcome.slowest, time.perf_counter() - start)
        outcome.inputs += 1
    outcome.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return outcome


def shares(inputs: int, seed: int) -> Iterator[tuple[int, int]]:
    """Seeds and how many inputs each has."""
    for i, start in enumerate(range(0, inputs, 5000)):
        yield seed * 1_000_000 + i, min(5000, inputs - start)


def main() -> int:
    """Runs the share of each process and prints what became of the inputs; 1 where anything failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    told = parser.parse_args()
    start = time.perf_counter()
    total = Outcome()
    with ProcessPoolExecutor(told.processes) as pool:
        for outcome in pool.map(run, *zip(*shares(told.inputs, told.seed), strict=True)):
            total.inputs += outcome.inputs
            total.slowest = max(total.slowest, outcome.slowest)
            total.memory = max(total.memory, outcome.memory)
            total.results += outcome.results
            total.failures += outcome.failures
    seconds = time.perf_counter() - start
    print(f"{total.inputs:,} inputs in {seconds:,.0f} s; slowest {total.slowest:.2f} s; peak {total.memory // 1024} MB")
    for name, count in sorted(total.results.items()):
        print(f"  {name:22} {count:,}")
    for failure in total.failures[:20]:
        print(failure)
    print(f"{len(total.failures):,} failures")
    return int(bool(total.failures))


if __name__ == "__main__":
    sys.exit(main())
