"""What every format is read into: named columns, not yet judged, and how to point at a cell of the source."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from rankdash.arrow import from_numpy
from rankdash.reading.source.problems import Rows
from rankdash.reading.values.parsing import Ids, ids
from rankdash.strings.formulas import DISARMED
from rankdash.tables import OrderedBy

#: The kinds in which columns with a meaning are read at first; every other column is text.
NUMBERS = ("rank", "score", "relevance")
IDS = ("query_id", "doc_id", "model")


def from_one(rows: Rows) -> Rows:
    """Data rows as counted in a table without lines: from 1."""
    return rows + 1


@dataclass(frozen=True)
class Grid:
    """The columns of one source, one chunk each.

    ``columns`` by canonical name or, without a meaning, by their own; ``called`` maps canonical names to what the
    source calls them. ``order`` is the order that the format prescribes, if it does. ``row_of`` turns data rows from
    0 into rows as counted in the source; ``first_row`` is the first of these (0: there is no file). ``as_text`` reads
    the source again with every cell as it stands, None where nothing is gained by that. ``delimiter`` is what stands
    between the cells of a text ("" where that has no meaning).
    """

    name: str
    columns: Mapping[str, pa.Array]
    called: Mapping[str, str]
    headings: tuple[str, ...]
    notes: tuple[str, ...] = ()
    order: OrderedBy | None = None
    row_of: Callable[[Rows], Rows] = from_one
    first_row: int = 0
    as_text: Callable[[], Grid] | None = None
    delimiter: str = ""

    @property
    def rows(self) -> int:
        """The number of data rows."""
        return len(next(iter(self.columns.values())))

    def first(self, rows: int) -> Grid:
        """The first rows alone, and the last one: where one model stands below another, it is of the last."""
        if self.rows <= rows + 1:
            return self
        again, row_of = self.as_text, self.row_of
        kept = np.append(np.arange(rows), self.rows - 1)
        taken = {name: column.take(from_numpy(kept)) for name, column in self.columns.items()}
        columns = {
            name: column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
            for name, column in taken.items()
        }
        return replace(
            self,
            columns=columns,
            row_of=lambda places: row_of(kept[places]),
            as_text=again and (lambda: again().first(rows)),
        )

    @property
    def is_harmless(self) -> bool:
        """Whether it is a text that says that apostrophes keep cells from being run by a spreadsheet."""
        return self.delimiter not in ("", " ") and DISARMED in self.headings

    def ids(self, name: str) -> Ids:
        """A column as ids; errors as ``values.ids`` has them."""
        return ids(self.columns[name], harmless=self.is_harmless)

    def title(self, name: str) -> str:
        """What the source calls a column."""
        return self.called.get(name, name)
