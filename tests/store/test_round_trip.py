"""What was saved comes back to the bit."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

import rankdash as rd
from rankdash.case import Case
from rankdash.edits import Edit, Held
from rankdash.notes import detail
from rankdash.store import Settings, State, Store
from rankdash.store.files import table_of, written
from rankdash.store.records import description_of, record_of
from rankdash.tables import Judgments, Queries, Source, Votes
from tests.store.promises import reopened
from tests.store.twin import same_to_the_bit
from tests.store.worlds import any_table, run_of


@given(any_table())
def test_any_table_comes_back_to_the_bit(table: pa.Table) -> None:
    """Columns, types, order, nulls, the bits of NaN, and dictionaries with their order and unused values."""
    assert same_to_the_bit(table, table_of(written(table)))


def test_the_same_table_has_the_same_bytes() -> None:
    """Files are known by their bytes, so two uploads of one table share one."""
    run = rd.read_run({"q1": {"a": 1.0, "b": 0.5}})
    assert written(run.table).equals(written(rd.read_run({"q1": {"a": 1.0, "b": 0.5}}).table))


short = st.text(max_size=5)
sources = st.builds(
    Source, short, short, st.integers(0, 99), st.integers(0, 9), st.tuples(st.builds(detail, short, short))
)


@given(any_table(), sources, short, short)
def test_everything_besides_the_table_comes_back(table: pa.Table, source: Source, name: str, read_as: str) -> None:
    """Names, the order, and the source with its notes, whatever text is in them: lone surrogates and NUL too."""
    run = run_of(table)
    run = type(run)(name, table, run.ordered_by, source, read_as)
    for record in (run, Judgments(table, source), Queries(table, source), Votes(table, source)):
        role: Any = "a" if record is run else type(record).__name__.lower()
        told = description_of(record)
        assert description_of(record_of(role, table, json.loads(json.dumps(told)))) == told


SOURCES = {
    "dict": {"q1": {"a": 1.0, "b": 0.5}, "q2": {"a": 1.0}},
    "trec": "中 Q0 d1 1 2.5 m\n中 Q0 d2 2 nan m\n".encode(),
    "csv": b"query_id,doc_id,score,title,extra\nq1,d1,2,a,\nq1,d2,1,,x\n",
    "positions": {"q1": ["b", "a"], "q2": []},
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_a_read_table_is_opened_as_it_was(source: object, tmp_path: Path) -> None:
    """What a reader made of a source is opened to the bit by another process, its notes included."""
    store = Store.open(Settings(tmp_path))
    run = rd.read_run(source)
    judgments = rd.read_judgments({"q1": {"a": 1}})
    policy = rd.Policy(primary="AP", convention="trec_eval-9", segments=("x",))
    edits = (Edit("q1", "a", "rank", "b", 1, 2), Edit("\ud800", "\0", "grade", None, None, 0.1, "labels"))
    state = State("\ud800 \0 name", "a" * 5000, "é", True, policy, edits, (Held("q1", "x", "y"),), ("why\n",))
    found = reopened(store, store.create(Case((run, run), judgments), state))
    assert found.state == state
    assert repr(found.state.edits) == repr(edits)
    for role, table in Case((run, run), judgments).tables.items():
        again = getattr(found.content, role)
        assert same_to_the_bit(table.table, again.table)
        assert description_of(again) == description_of(table)
