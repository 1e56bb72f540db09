"""Ids, types and numbers that programs take for something else: kept exactly, or told, or refused in a sentence."""

import datetime
import io
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import rankdash as rd
from rankdash.judged import Order, ranked_rows
from tests.long import every
from tests.truth.sources import SOURCES
from tests.truth.worlds import Row

#: Ids that look like something else, beginnings of each other, and alike under case folding or normalization.
ODD = [
    *"nan NaN None null NULL NA N/A #N/A inf -inf true TRUE False 1e5 100000 1 01 001 1.0 -1 +1 -0 0 0x10".split(),
    *("1_000", "1,5", "9007199254740993", "9007199254740992", "[", "{x", '{"q"', "a=b", "d#1", "日本"),
    *("a", "A", "Ａ", "ß", "ss", "SS", "é", "e\u0301", "İ", "i\u0307", "K", "\u212a", "ﬁ", "fi"),
    *("x" * n for n in (7, 8, 9, 15, 16, 17, 199, 200)),
]


CONTROL = ["a\0", "a\0\0", "a\tb", "a b", "a\nb", "a\r\nb", "a\x1bb", "\0", "a\u2028b", 'a"b', "a,b"]


def listed(run: rd.Run, query: str = "q", order: Order | None = None) -> list[str]:
    """The documents of a list, best first."""
    rows, _, _ = ranked_rows(run, query, order or Order())
    ids = run.table.column("doc_id").to_pylist()
    return [ids[row] for row in rows]


def table(scores: Any, docs: Any = ("a", "b", "c"), queries: Any = ("q", "q", "q"), name: str = "score") -> pa.Table:
    """An Arrow table of three rows."""
    return pa.table({"query_id": pa.chunked_array([queries]) if isinstance(queries, pa.Array) else queries,
                     "doc_id": docs, name: scores})  # fmt: skip


@pytest.mark.parametrize("name", every(4, SOURCES))
def test_ids_that_look_like_something_else_are_kept(name: str) -> None:
    """Each is read as it was written, tabs, line ends and zeros in it too, is no other one, and meets its own judgment
    alone.
    """
    source = SOURCES[name]
    ids = [*ODD, *(CONTROL if source.alphabet == "any" else ())]
    rows: list[Row] = [("nan", id_, float(at)) for at, id_ in enumerate(ids)]
    run = source.run(rows)
    assert run.table.column("doc_id").to_pylist() == ids
    assert set(run.table.column("query_id").to_pylist()) == {"nan"}
    for at in range(0, len(ids), 7):
        frame = rd.evaluate(run, source.judgments([("nan", ids[at], 1.0), ("nan", "other", 0.0)]), ["RR"])
        assert frame["value"].tolist() == [1 / (len(ids) - at)], ids[at]


@pytest.mark.parametrize("name", [name for name in SOURCES if not name.startswith("trec")])
def test_white_space_around_ids_is_no_part_of_them(name: str) -> None:
    """It is taken away in runs and judgments alike."""
    run = SOURCES[name].run([(" q1", "a ", 2.0), (" q1", " b", 1.0)])
    assert listed(run, "q1") == ["a", "b"]
    judged = SOURCES[name].judgments([("q1 ", "b", 1.0), ("q1", "c", 0.0)])
    assert rd.evaluate(run, judged, ["RR"])["value"].tolist() == [0.5]


@pytest.mark.parametrize("codes", [pa.int8(), pa.uint16(), pa.uint64()])
@pytest.mark.parametrize("column", ["query_id", "doc_id"])
def test_dictionaries_with_codes_of_any_type_are_read(codes: pa.DataType, column: str) -> None:
    """Four chunks of a hundred ids each are four hundred ids, though their codes have eight bits."""
    ids = [f"{chunk}-{at}" for chunk in range(4) for at in range(100)]
    chunks = [
        pa.array(ids[at : at + 100]).dictionary_encode().cast(pa.dictionary(codes, pa.string()))
        for at in range(0, 400, 100)
    ]
    other = "doc_id" if column == "query_id" else "query_id"
    made = pa.table({column: pa.chunked_array(chunks), other: ["x"] * 400, "score": np.arange(400.0)})
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, made.schema) as writer:
        writer.write_table(made)
    for source in (made, stream.getvalue()):
        run = rd.read_run(source)
        assert run.table.column(column).to_pylist() == ids
        assert run.table.column("query_id").type == pa.dictionary(pa.int32(), pa.string())


@pytest.mark.parametrize(
    ("scores", "best_first"),
    [
        (pa.array(np.array([1, 3, 2], np.float16)), "bca"),
        (pa.array([Decimal("1.1"), Decimal("-3"), Decimal("1.2")]), "cab"),
        (pa.array([2**64 - 1, 5, 2**63], pa.uint64()), "acb"),
        (pa.array(["1", "1e2", "-.5"]), "bac"),
        (pa.array([1.0, 3.0, 1.0]).dictionary_encode(), "bca"),
        (pa.array([0.0, -0.0, -1.0]), "bac"),  # zero is zero: a tie
        (pa.array([5e-324, 1e-323, 0.0]), "bac"),
    ],
    ids=str,
)
def test_scores_of_any_type_of_number_order_the_list(scores: pa.Array, best_first: str) -> None:
    """Each at its value; of equal ones the document with the larger id comes first."""
    assert listed(rd.read_run(table(scores))) == list(best_first)


@pytest.mark.parametrize(
    "source",
    [
        table(pa.array([2**53 + 1, 2**53, 1])),
        b"query_id,doc_id,score\nq,a,9007199254740993\nq,b,9007199254740992\nq,c,1\n",
        b"q Q0 a 1 9007199254740993 x\nq Q0 b 2 9007199254740992 x\nq Q0 c 3 1 x\n",
        {"q": {"a": 2**53 + 1, "b": 2**53, "c": 1}},
    ],
    ids=["Arrow", "CSV", "TREC", "dict"],
)
def test_whole_numbers_too_large_for_a_float64_are_told(source: Any) -> None:
    """Scores that differ in their last digits alone become equal: a note says so."""
    run = rd.read_run(source)
    assert sum("last digits" in str(note) for note in run.source.notes) == 1
    assert listed(run) == ["b", "a", "c"]


MOMENTS = [datetime.datetime(2024, 1, day) for day in (1, 2, 3)]


@pytest.mark.parametrize("name", ["score", "rank", "relevance"])
@pytest.mark.parametrize(
    "values", [MOMENTS, [moment.date() for moment in MOMENTS], [datetime.timedelta(1)] * 3], ids=str
)
def test_what_is_no_number_is_refused_by_its_type(name: str, values: list[Any]) -> None:
    """Dates, moments and spans of time say what they are."""
    read = rd.read_judgments if name == "relevance" else rd.read_run
    with pytest.raises(rd.ReadError, match=f'column "{name}" holds .*, not numbers'):
        read(table(values, name=name))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (table([1.0, None, 2.0]), "row 2"),
        (table([1.0, float("inf"), 2.0]), "row 2"),
        (table([1.0, 2.0, 3.0], docs=pa.array(["a", "", "c"])), "row 2"),
        (table([1.0, 2.0, 3.0], queries=pa.array(["q", None, "q"]).dictionary_encode()), "row 2"),
        (table([1.0, 2.0, 3.0], docs=pc.run_end_encode(pa.array(["a", "b", "c"]))), "no column for the document"),
    ],
    ids=range(5),
)
def test_what_no_list_can_hold_is_refused_in_a_sentence(made: pa.Table, said: str) -> None:
    """Blank scores and ids, and columns of a kind that no reader has."""
    with pytest.raises(rd.ReadError, match=said):
        rd.read_run(made)


def test_grades_of_any_type_of_number_are_taken() -> None:
    """Booleans are 1 and 0, decimals themselves, minus zero is zero, and what is null is not judged."""
    run = rd.read_run({"q": ["a", "b", "c"]})
    for grades, value in (
        ([True, False, None], 1.0),
        *((pa.array([1, 0, None], kind), 1.0) for kind in (pa.int8(), pa.uint64(), pa.float32())),
        (pa.array(np.float16([1, 0, 0])), 1.0),
        ([Decimal("1.5"), None, Decimal("0")], 1.0),
        ([-0.0, 0.0, 2.0], 0.5),
        ([0.5, 0.0, 1.0], (0.5 + 0.5) / (1 + 0.5 / np.log2(3))),
    ):
        found = rd.evaluate(run, rd.read_judgments(table(grades, name="relevance")), ["nDCG"])["value"].tolist()
        assert found == pytest.approx([value], abs=1e-15), grades
