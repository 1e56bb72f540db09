"""Frozen records do what frozen dataclasses do."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from itertools import product

import pytest

from rankdash.records import cached_property, frozen


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
