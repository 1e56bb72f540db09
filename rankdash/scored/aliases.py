"""Columns that equal others, bit for bit: each stands in a table once, under the first of its names.

Which columns are equal is decided where a table is computed, and written with the table; its readers rely on that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
#: Names of columns, each with the name of the earlier column that has the same values.
Aliases = Mapping[str, str]

#: Rows by which columns are told apart, before they are compared whole.
_LOOKED_AT = 1_000


@dataclass(frozen=True)
class Arrays:
    """Columns in memory, (q,) each: every distinct one under its first name, and its further names."""

    by_name: Mapping[str, Array]
    aliases: Aliases = field(default_factory=dict)

    @classmethod
    def of(cls, columns: Mapping[str, Array]) -> Arrays:
        """Return the columns; each that equals an earlier column is an alias of it."""
        aliases = aliases_among(columns)
        return cls({name: values for name, values in columns.items() if name not in aliases}, aliases)

    @classmethod
    def concatenated(cls, blocks: Sequence[Arrays], kinds: Mapping[str, Any]) -> Arrays:
        """Return the columns of blocks of queries, one block behind the other; ``kinds`` has the type of each."""
        aliases = aliases_in_all([block.aliases for block in blocks], kinds)
        names = [name for name in kinds if name not in aliases]
        return cls({name: np.concatenate([block.column(name) for block in blocks]) for name in names}, aliases)

    def column(self, name: str) -> Array:
        """Return the values of a column, (q,). KeyError, which says so, for one that the table does not have."""
        stored = self.aliases.get(name, name)
        if stored not in self.by_name:
            raise KeyError(f"the per-query table has no column {name!r}: it was left out, or never asked for")
        return self.by_name[stored]

    @property
    def at_hand(self) -> Collection[str]:
        """The names of all columns, aliases too."""
        return self.by_name.keys() | self.aliases.keys()

    def each(self, change: Callable[[Array], Array]) -> Arrays:
        """Return the columns, the rows of each moved or cut in the same way."""
        return Arrays({name: change(values) for name, values in self.by_name.items()}, self.aliases)


def aliases_among(columns: Mapping[str, Array]) -> Aliases:
    """Return which columns equal an earlier one, bit for bit: -0.0 is not 0.0, and NaN is itself."""
    aliases: dict[str, str] = {}
    alike: dict[tuple[str, bytes], list[str]] = {}
    for name, values in columns.items():
        some = values[:: max(1, len(values) // _LOOKED_AT)].tobytes()
        earlier = alike.setdefault((values.dtype.str, some), [])
        twin = next((other for other in earlier if np.array_equal(_bits(columns[other]), _bits(values))), None)
        if twin is None:
            earlier.append(name)
        else:
            aliases[name] = twin
    return aliases


def aliases_in_all(of_parts: Iterable[Aliases], kinds: Mapping[str, Any]) -> Aliases:
    """Return which columns of a table equal an earlier one in each of its parts; ``kinds`` has the type of each column,
    in order.
    """
    parts = list(of_parts)
    stored = {name: (kind, *(part.get(name, name) for part in parts)) for name, kind in kinds.items()}
    first = {where: name for name, where in reversed(list(stored.items()))}
    return {name: first[where] for name, where in stored.items() if first[where] != name}


def _bits(values: Array) -> Array:
    return values.view(f"u{values.itemsize}")
