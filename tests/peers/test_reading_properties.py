"""Whatever ids and bytes there are: ids come back as they were written, and bad bytes are told, never a crash."""

from __future__ import annotations

import contextlib
import csv
import io

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.fuzz_reading import LIMITS, READERS, corpus
from rankdash.reading import (
    ReadError,
    read_judgments,
    read_models,
    read_queries,
    read_run,
    read_votes,
    recognise,
)
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
    for read in (read_run, read_judgments, read_models, read_queries, read_votes, recognise):
        try:
            read(content)
        except ReadError as error:
            told = [str(problem) for problem in error.problems]
        else:
            continue
        assert told
        assert all(sentence.startswith("the file") for sentence in told)


CORPUS = corpus()
CHANGES = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 20), st.one_of(PIECES, st.binary(max_size=4))), max_size=4)


@settings(max_examples=sampled(80), deadline=None)
@given(st.sampled_from(CORPUS), CHANGES, st.sampled_from(list(READERS)))
def test_a_changed_file_of_any_format_is_read_or_refused(
    content: bytes, changes: list[tuple[float, int, bytes]], reader: str
) -> None:
    """A workbook, an archive, JSON, Parquet or Arrow with a few bytes changed is a table or a ReadError."""
    for place, taken, put in changes:
        at = int(place * len(content))
        content = content[:at] + put + content[at + taken :]
    with contextlib.suppress(ReadError):
        READERS[reader](content, limits=LIMITS)
