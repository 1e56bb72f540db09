"""The kinds of values that a field of a policy may have: one small record per kind, which checks and converts.

A kind accepts a value, perhaps in another spelling, or raises ValueError with a sentence about what is allowed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sized
from dataclasses import dataclass
from typing import Any, Protocol

from rankdash.strings import measure_text

#: The most letters of a problem.
_LONGEST = 800
#: The most items of a list: the time of the search for the queries that carry a verdict grows with their square.
_MOST_LISTED = 20
_LARGEST = 1_000_000_000
Margins = tuple[tuple[str, float], ...]


class PolicyError(ValueError):
    """A policy that cannot be used. ``problems`` are all reasons, one sentence each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(map(_shortened, problems))
        super().__init__("\n".join(self.problems))


def _shortened(problem: str) -> str:
    """Return a problem cut to what a person reads: it quotes a file, whose text may be of any length."""
    return problem if len(problem) <= _LONGEST else f"{problem[: _LONGEST // 2]} … {problem[3 - _LONGEST // 2 :]}"


class ValueKind(Protocol):
    """A kind of value."""

    def accept(self, name: str, value: Any) -> Any:
        """Return the value as the policy holds it.

        ValueError, with a sentence about the field ``name``, where the value does not fit.
        """


@dataclass(frozen=True)
class OneOf:
    """One of a few words, each with its text on screen."""

    shown: Mapping[str, str]

    @property
    def words(self) -> tuple[str, ...]:
        """The words themselves, the default first."""
        return tuple(self.shown)

    def accept(self, name: str, value: Any) -> str:
        """Return the word itself."""
        if not isinstance(value, str) or value not in self.shown:
            raise ValueError(f"{name} must be one of {', '.join(self.words)}, not {value!r}.")
        return str(value)


@dataclass(frozen=True)
class Whole:
    """A whole number from ``least`` on."""

    least: int = 1

    def accept(self, name: str, value: Any) -> int:
        """Return the number; 30.0 is taken as 30."""
        x = finite(value)
        if x is None or x != int(x) or not self.least <= x <= _LARGEST:
            raise ValueError(f"{name} must be a whole number from {self.least} to {_LARGEST:,}, not {value!r}.")
        return int(x)


@dataclass(frozen=True)
class Between:
    """A number in a closed range."""

    low: float
    high: float

    def accept(self, name: str, value: Any) -> float:
        """Return the number."""
        x = finite(value)
        if x is None or not self.low <= x <= self.high:
            raise ValueError(f"{name} must be a number from {self.low:g} to {self.high:g}, not {value!r}.")
        return x


@dataclass(frozen=True)
class Margin:
    """A positive amount, in the unit of the measure; 0 only where that has a meaning."""

    may_be_zero: bool = False

    def accept(self, name: str, value: Any) -> float:
        """Return the amount."""
        x = finite(value)
        if x is None or x < 0 or (x == 0 and not self.may_be_zero):
            zero = ", or 0" if self.may_be_zero else ""
            raise ValueError(f"{name} is {value!r}, but margins are positive numbers{zero}.")
        return x + 0.0  # never -0.0


@dataclass(frozen=True)
class Columns:
    """Names of columns, each once."""

    def accept(self, name: str, value: Any) -> tuple[str, ...]:
        """Return the names, in their order."""
        columns = (value,) if isinstance(value, str) else tuple(value) if _is_list(value) else (None,)
        if not all(isinstance(column, str) and column.strip() for column in columns):
            raise ValueError(f"{name} must be a list of column names, not {value!r}.")
        _check_length(name, columns)
        return tuple(dict.fromkeys(str(column) for column in columns))


@dataclass(frozen=True)
class MarginList:
    """Pairs of a measure and its margin, or a table {measure: margin}. The measures themselves are checked later."""

    def accept(self, name: str, value: Any) -> Margins:
        """Return the pairs, in their order."""
        pairs: list[Any] = [None]
        if isinstance(value, Mapping) or _is_list(value):
            pairs = list(value.items() if isinstance(value, Mapping) else value)
        named = [(measure_text(pair[0]), pair[1]) for pair in pairs if _is_list(pair) and len(pair) == 2]
        if len(named) < len(pairs) or any(measure is None for measure, _ in named):
            raise ValueError(f'{name} must be a list of pairs like ["AP", 0.01], not {value!r}.')
        _check_length(name, named)
        return tuple((str(measure), Margin().accept(f"{name}, {measure}", margin)) for measure, margin in named)


def finite(value: Any) -> float | None:
    """Return the value as a number; None for text, True, NaN and the infinite."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= sys.float_info.max:
        return None
    return float(value)


def _check_length(name: str, values: Sized) -> None:
    if len(values) > _MOST_LISTED:
        raise ValueError(f"{name} lists {len(values):,}, but at most {_MOST_LISTED} are allowed.")


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))
