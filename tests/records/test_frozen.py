"""Frozen records do what frozen dataclasses do, attributes are computed once, and every record of the API compares by
content, has a hash and can be pickled.
"""

import copy
import gc
import math
import pickle
import threading
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from itertools import product

import pyarrow as pa
import pytest

import rankdash as rd
from rankdash.records import cached_property, frozen, remembered
from tests.awaited import HUNG


class Record:
    """A record with each kind of field."""

    a: int
    b: tuple[float, ...] = ()
    c: str = field(default="c", compare=False)
    d: str = field(default="d", repr=False, kw_only=True)
    e: list[int] = field(default_factory=list, hash=False)

    @cached_property
    def twice(self) -> int:
        """Computed late."""
        return 2 * self.a


Standard = dataclass(frozen=True)(type("Record", (), dict(vars(Record))))
frozen(Record)


@frozen
class More(Record):
    """One with another field."""

    f: int = 0


def test_equality_hash_and_text_are_those_of_a_dataclass() -> None:
    """Two records equal, hash and print as the standard ones with the same values, and equal no other class."""
    cases = ({"a": 1}, {"a": 1, "b": (2.0,)}, {"a": 1, "c": "x"}, {"a": 1, "d": "y"}, {"a": True}, {"a": 1, "e": [1]})
    assert [one.name for one in fields(Record)] == [one.name for one in fields(Standard)]
    for one, other in product(cases, cases):
        pairs = [(kind(**one), kind(**other)) for kind in (Record, Standard)]
        assert len({(x == y, hash(x) == hash(y), repr(x), repr(y)) for x, y in pairs}) == 1
        assert pairs[1][0] != pairs[0][0] != More(**one)


def test_nothing_can_be_set_or_deleted() -> None:
    """A record keeps its values, and what is copied, pickled or replaced is such a record too."""
    for record in (Record(1), replace(More(2, f=3), a=1), copy.copy(Record(1)), pickle.loads(pickle.dumps(Record(1)))):
        assert record.twice == 2
        for name in ("a", "d", "twice", "other"):
            with pytest.raises(FrozenInstanceError, match=name):
                setattr(record, name, 5)
            with pytest.raises(FrozenInstanceError, match=name):
                delattr(record, name)
        assert (record.a, record.d, record.twice) == (1, "d", 2)


@dataclass(frozen=True)
class Slow:
    """A record whose value is there when an event happens."""

    may_go_on: threading.Event

    @cached_property
    def value(self) -> list[str]:
        """What takes long."""
        assert self.may_go_on.wait(HUNG)
        return ["computed"]


def test_a_record_does_not_wait_for_another_one() -> None:
    """While a thread computes an attribute of one record, others get the same attribute of other records."""
    waits, ready = Slow(threading.Event()), Slow(threading.Event())
    ready.may_go_on.set()
    thread = threading.Thread(target=lambda: waits.value)
    thread.start()
    try:
        other = threading.Thread(target=lambda: ready.value, daemon=True)
        other.start()
        other.join(HUNG)
        assert not other.is_alive()
    finally:
        waits.may_go_on.set()
        thread.join()


def test_all_threads_get_the_same_object() -> None:
    """Of threads that compute an attribute at once, each gets the very object that stays."""
    slow = Slow(threading.Event())
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append(slow.value)) for _ in range(8)]
    for thread in threads:
        thread.start()
    slow.may_go_on.set()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(each is slow.value for each in found)
    assert isinstance(Slow.value, cached_property)


def test_what_is_known_of_an_object_is_computed_once_and_goes_with_it() -> None:
    """Tables that hold the same are two objects; one at the place of another that is gone is looked at again."""
    asked = list[int]()

    @remembered
    def rows(table: pa.Table) -> list[int]:
        asked.append(len(table))
        return [len(table)]

    one, other = pa.table({"x": [1, 2]}), pa.table({"x": [1, 2]})
    assert rows(one) is rows(one)
    assert rows(one) is not rows(other)
    assert asked == [2, 2]
    for size in range(3, 200):  # most lie where the one before lay
        one = pa.table({"x": [0] * size})
        assert rows(one) == [size]
    del one, other
    gc.collect()
    known = next(cell.cell_contents for cell in rows.__closure__ or () if isinstance(cell.cell_contents, dict))
    assert known == {}


QUERIES, DOCS = [f"q{i}" for i in range(12)], [f"d{j}" for j in range(5)]
A = {q: {d: 1 / (j + 1) for j, d in enumerate(DOCS)} for q in QUERIES}
B = {q: {d: 1 / (6 - j) for j, d in enumerate(DOCS)} for q in QUERIES}
GRADES: dict[str, dict[str, float]] = {q: {d: j % 3 for j, d in enumerate(DOCS[:4])} for q in QUERIES} | {
    "none": {"d0": 0}
}
WEIGHTS = [{"query_id": q, "text": f"text {q}", "weight": at + 1} for at, q in enumerate(QUERIES[:-1])]
MODELS = b"model,query_id,doc_id,rank,relevance\nx,q1,a,1,2\nx,q1,b,2,\ny,q1,b,1,\n"


def compared() -> rd.Comparison:
    """A comparison with everything beside the lists, and values that are not defined."""
    return rd.compare(A, B, GRADES, votes=dict.fromkeys(QUERIES, "good"), queries=WEIGHTS, missing_weight=0)


RECORDS = {
    "Comparison": compared,
    "Comparison of scored": lambda: rd.compare_scored(rd.score(A, B, GRADES)),
    "PerQuery": lambda: rd.score(A, B, GRADES),
    "Verdict": lambda: rd.decide(compared()),
    "Run": lambda: rd.read_run(A),
    "Judgments": lambda: rd.read_judgments(GRADES),
    "Queries": lambda: rd.read_queries(WEIGHTS),
    "Votes": lambda: rd.read_votes(dict.fromkeys(QUERIES, "good")),
    "VotesAlone": lambda: rd.compare_votes(rd.read_votes(dict.fromkeys(QUERIES, "good"))),
    "Models": lambda: rd.read_models(MODELS),
    "Explanation": lambda: rd.explain(A, GRADES, "nDCG@10", "q1"),
    "Policy": rd.Policy,
    "Measure": lambda: rd.parse_measure("nDCG@10"),
    "Source": lambda: rd.read_run(A).source,
    "Robustness": lambda: rd.robustness(compared()),
}


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_compares_by_content_has_a_hash_and_can_be_stored(name: str) -> None:
    """Made twice it is equal with one hash; so are a copy, and what is stored and read, also after it was used."""
    one, other = RECORDS[name](), RECORDS[name]()
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one
    assert copy.deepcopy(one) == one
    if isinstance(one, rd.Comparison):
        rd.report(one, format="json")
        assert one == other
        assert hash(one) == hash(other)
        assert rd.decide(pickle.loads(pickle.dumps(one))) == rd.decide(other)
    assert one != "x"


def test_another_content_is_another_record() -> None:
    """A score, a grade, a vote, a policy or a name that differs makes another record; NaN beside NaN does not."""
    first = compared()
    worse = {q: {**docs, "d0": 0.0} for q, docs in B.items()}
    assert first != rd.compare(
        A, worse, GRADES, votes=dict.fromkeys(QUERIES, "good"), queries=WEIGHTS, missing_weight=0
    )
    assert first != rd.compare(A, B, GRADES)
    assert rd.read_run(A) != rd.read_run(B)
    assert rd.read_run(A) != replace(rd.read_run(A), name="x")
    blank = [{"query_id": "q1", "weight": math.nan}, {"query_id": "q2", "weight": 1.0}]
    assert rd.read_queries(blank) == rd.read_queries(blank)
