"""Frozen records do what frozen dataclasses do."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any

import pytest

from rankdash.records import cached_property, frozen


@frozen
class Ours:
    """A record of ours."""

    a: int
    b: tuple[float, ...] = ()
    c: str = field(default="c", compare=False)
    d: str = field(default="d", repr=False, kw_only=True)
    e: list[int] = field(default_factory=list, hash=False)

    def __post_init__(self) -> None:
        """Check."""
        if self.a < 0:
            raise ValueError("a")

    @cached_property
    def twice(self) -> int:
        """Computed late."""
        return 2 * self.a


@frozen
class More(Ours):
    """One with another field."""

    f: int = 0


@dataclass(frozen=True)
class Standard:
    """What the standard library makes of the same fields."""

    a: int
    b: tuple[float, ...] = ()
    c: str = field(default="c", compare=False)
    d: str = field(default="d", repr=False, kw_only=True)
    e: list[int] = field(default_factory=list, hash=False)


CASES: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    ((1,), {}), ((1, (2.0,)), {}), ((1, (2.0,), "x"), {}), ((1,), {"d": "y"}), ((True,), {}), ((1,), {"e": [1]}),
)  # fmt: skip


@pytest.mark.parametrize("one", CASES, ids=str)
@pytest.mark.parametrize("other", CASES, ids=str)
def test_equality_hash_and_text_are_those_of_a_dataclass(one: Any, other: Any) -> None:
    """A record equals, hashes and prints as the standard one with the same values, and equals no other class."""
    (ours, theirs), (ours2, theirs2) = ((Ours(*a, **k), Standard(*a, **k)) for a, k in (one, other))
    assert (ours == ours2, hash(ours) == hash(ours2)) == (theirs == theirs2, hash(theirs) == hash(theirs2))
    assert repr(ours) == repr(theirs).replace("Standard", "Ours")
    assert theirs != ours != More(*one[0], **one[1])
    assert [f.name for f in fields(Ours)] == [f.name for f in fields(Standard)] == ["a", "b", "c", "d", "e"]


def test_nothing_can_be_set_or_deleted() -> None:
    """A record keeps its values, and what is copied, pickled or replaced is such a record too."""
    for record in (Ours(1), replace(More(2, f=3), a=1), copy.copy(Ours(1)), pickle.loads(pickle.dumps(Ours(1)))):
        assert record.twice == 2
        for name in ("a", "d", "twice", "other"):
            with pytest.raises(FrozenInstanceError, match=name):
                setattr(record, name, 5)
            with pytest.raises(FrozenInstanceError, match=name):
                delattr(record, name)
        assert (record.a, record.d, record.twice) == (1, "d", 2)
    assert replace(More(2, f=3), a=1) == More(1, f=3)
    with pytest.raises(ValueError, match="a"):
        replace(Ours(1), a=-1)
