"""Whatever ids and bytes there are: ids come back as they were written, and bad bytes are told, never a crash."""

import contextlib
import csv
import gzip
import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given, settings, strategies as st

from rankdash.reading import Limits, ReadError, read_judgments, read_models, read_queries, read_run, read_votes
from rankdash.reading.recognition import recognise
from tests.reading.made_files import archive, workbook
from tests.truth.scale import sampled

# Python's own csv module reads a lone carriage return as a line end, so ids with one cannot be written without quotes.
WRITABLE = st.characters(codec="utf-8", exclude_characters="\t\n\r\0", exclude_categories=["Cs"])
# Nobody sees these at either end of an id; they go, with a note.
UNSEEN = "\u200b\u2060\ufeff"
IDS = st.text(WRITABLE, min_size=1, max_size=12).filter(lambda text: text.strip() == text == text.strip(UNSEEN))
WORDS = IDS.filter(lambda text: not any(char in text for char in " \v\f"))


@settings(deadline=None)
@given(st.lists(st.tuples(IDS, IDS), min_size=1, max_size=30), st.sampled_from(",;\t|"))
def test_ids_come_back_from_csv(ids: list[tuple[str, str]], delimiter: str) -> None:
    """Any id that CSV can hold is read as it was written, whatever the delimiter."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(["query_id", "doc_id", "rank"])
    writer.writerows([query, doc, i] for i, (query, doc) in enumerate(ids, 1))
    run = read_run(text.getvalue().encode())
    found = zip(run.table.column("query_id").to_pylist(), run.table.column("doc_id").to_pylist(), strict=True)
    assert list(found) == ids


@settings(deadline=None)
@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=30), st.sampled_from([" ", "\t", "  ", " \t"]))
def test_ids_come_back_from_trec(ids: list[tuple[str, str]], between: str) -> None:
    """Any id without white space is read from a TREC run as it was written, whatever stands between the words."""
    lines = [between.join([query, "Q0", doc, str(i), "1.5", "tag"]) for i, (query, doc) in enumerate(ids, 1)]
    run = read_run("\n".join(lines).encode())
    found = zip(run.table.column("query_id").to_pylist(), run.table.column("doc_id").to_pylist(), strict=True)
    assert list(found) == ids


READERS: tuple[Callable[..., Any], ...] = (read_run, read_judgments, read_models, read_queries, read_votes, recognise)
WORDS_IN_FILES = (
    b'query_id doc_id rank model label vote , ; | " - q1 Q0 0 1 2.5 nan PAR1 \x1f\x8b \xff \xef\xbb\xbf \xc3\xa9 \x85 '
    b'good E 0,5 # // sep=; [ ] { } : "a" null qid:1 1:0.5 PK\x03\x04 \xff\xfe \xb2\xe9\xd1\xaf docs_a rank1 rank2 %'
)
PIECES = st.sampled_from([*WORDS_IN_FILES.split(b" "), b" ", b"\t", b"\n", b"\n", b"\r", b"\0"])
FILES = st.one_of(st.binary(max_size=200), st.lists(PIECES, max_size=60).map(b"".join))


@settings(max_examples=sampled(100), deadline=None)
@given(FILES)
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    """Any bytes at all are either read or refused with a ReadError of at least one sentence."""
    for read in READERS:
        try:
            read(content)
        except ReadError as error:
            told = [str(problem) for problem in error.problems]
        else:
            continue
        assert told
        assert all(sentence.startswith("the file") for sentence in told)


# Small enough that a flood would be seen, large enough for every file of the corpus.
LIMITS = Limits(upload=5_000_000, unpacked=20_000_000, rows=200_000, columns=200, cell=100_000, line=500_000)
LIMITS = replace(LIMITS, memory=600_000_000, seconds=10)
TEXTS = (
    'query_id,doc_id,rank,score,relevance,title\nq1,a,1,2.5,3,x\nq1,b,2,1.5,0,"y, z"\nq2,a,1,9,,""\n',
    "sep=;\r\nquery_id;doc_id;score\r\nq;a;0,75\r\nq;b;1.234,5\r\n",
    "q1 Q0 a 1 2.5 tag\nq1 Q0 b 2 1.5 tag\nq2 Q0 a 1 nan tag\n",
    "q1 0 a 1\nq1 0 b 0\nq2 0 a -1\n",
    "id,model_a,model_b,rater,verdict,left\n1,x,y,r,good,A\n1,x,y,s,bad,B\n2,x,z,r,same,A\n",
    "2 qid:1 1:0.5 2:1 # docid = a\n0 qid:1 1:0.1 # docid = b\n",
    json.dumps({"q": {"a": 1.5, "b": 1}, "r": {"c": None}}),
    json.dumps([{"query_id": "q", "query": "x", "results": [{"doc_id": "a", "score": 1}, {"id": "b"}]}]),
    json.dumps({"took": 1, "data": {"q": {"hits": {"hits": [{"_id": "a", "_score": 1, "_source": {"title": "x"}}]}}}}),
    '{"query_id": "q", "doc_id": "a", "score": NaN}{"query_id": "q", "doc_id": "\\ud800", "score": 1}',
)


def corpus() -> list[bytes]:
    """Return a small file of every format."""
    files = [text.encode() for text in TEXTS]
    parquet, arrow = io.BytesIO(), io.BytesIO()
    table = pa.table({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [2.0, 1.0], "tags": [["x"], None]})
    pq.write_table(table, parquet)
    with pa.ipc.new_file(arrow, table.schema) as written:
        written.write_table(table)
    book = workbook({"S": [["query_id", "doc_id", "rank"], ["q", 7, 1], ["q", "007", 2]]})
    packed = [gzip.compress(files[0]), archive({"a.csv": files[0], "b.csv": files[1]})]
    return [*files, TEXTS[0].encode("utf-16"), parquet.getvalue(), arrow.getvalue(), book, *packed]


CORPUS = corpus()
CHANGES = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 20), st.one_of(PIECES, st.binary(max_size=4))), max_size=4)


@settings(max_examples=sampled(80), deadline=None)
@given(st.sampled_from(CORPUS), CHANGES, st.sampled_from(READERS))
def test_a_changed_file_of_any_format_is_read_or_refused(
    content: bytes, changes: list[tuple[float, int, bytes]], reader: Callable[..., Any]
) -> None:
    """A workbook, an archive, JSON, Parquet or Arrow with a few bytes changed is a table or a ReadError."""
    for place, taken, put in changes:
        at = int(place * len(content))
        content = content[:at] + put + content[at + taken :]
    with contextlib.suppress(ReadError):
        reader(content, limits=LIMITS)
