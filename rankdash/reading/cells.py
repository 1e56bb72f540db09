"""Separated text into Arrow columns: read batch by batch, collected in place, one chunk per column.

Batches are copied to their place as they come, because collecting chunks first and joining them afterwards needs
nearly twice the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO, Any

import pyarrow as pa
import pyarrow.csv

from rankdash.reading.growing import GROWING, Growing, Kind, UnfitError
from rankdash.reading.limits import Limits, megabytes
from rankdash.reading.problems import refuse

#: What stands in a numeric column where there is no number.
BLANKS = (
    *("", "NA", "N/A", "n/a", "na", "#N/A", "<NA>"),
    *("NaN", "nan", "NAN", "null", "NULL", "Null", "None", "none", "NONE"),
)

_CODE = pa.dictionary(pa.int32(), pa.string())
_TYPES: dict[Kind, pa.DataType] = {
    "code": _CODE,
    "text": pa.string(),
    "float": pa.float64(),
    "int": pa.int32(),
}


@dataclass(frozen=True)
class Layout:
    """How the cells of a text are separated.

    ``width`` columns between ``delimiter``; ``blank`` lines at the top, then ``skip`` rows above the data;
    ``quoting`` as in CSV. With ``strict``
    an empty cell is an UnfitError: in a TREC file it means that white space is irregular.
    """

    width: int
    delimiter: str
    blank: int = 0
    skip: int = 0
    quoting: bool = False
    strict: bool = False

    def options(self, *, block: int = 1 << 20, uneven: Callable[[Any], str] | None = None) -> dict[str, object]:
        """Arrow's own options. ``uneven`` is asked what to do with each row of another width."""
        read = pa.csv.ReadOptions(
            column_names=[str(i) for i in range(self.width)],
            skip_rows=self.blank,
            skip_rows_after_names=self.skip,
            block_size=block,
            use_threads=uneven is None,  # or Arrow would not know the number of the row
        )
        parse = pa.csv.ParseOptions(
            delimiter=self.delimiter,
            quote_char='"' if self.quoting else False,
            newlines_in_values=self.quoting,
            invalid_row_handler=uneven,
        )
        return {"read_options": read, "parse_options": parse}


def read_cells(
    name: str,
    stream: pa.NativeFile | IO[bytes],
    size: int,
    layout: Layout,
    kinds: Mapping[int, Kind],
    limits: Limits,
    block: int = 1 << 20,
) -> dict[int, pa.Array]:
    """The wanted columns of a text, by column number; without nulls except NaN for a blank float.

    UnfitError when a cell is not of its kind, a row has another number of cells, or bytes are not UTF-8. ReadError
    beyond the limits.
    """
    convert = pa.csv.ConvertOptions(
        include_columns=[str(i) for i in kinds],
        column_types={str(i): _TYPES[kind] for i, kind in kinds.items()},
        null_values=list(BLANKS),
        strings_can_be_null=False,
    )
    columns: dict[int, Growing] = {}
    rows = 0
    try:
        with pa.csv.open_csv(stream, convert_options=convert, **layout.options(block=block)) as batches:
            for batch in batches:
                if not columns:
                    expected = int(batch.num_rows * max(1.0, size / block) * 1.1) + 1
                    columns = {i: GROWING[kind](expected) for i, kind in kinds.items()}
                for values, column in zip(batch.columns, columns.values(), strict=True):
                    _append(name, column, values, rows + layout.skip, layout, limits)
                rows += batch.num_rows
                if rows > limits.rows:
                    raise refuse(name, f"there are more than {limits.rows:,} rows", "That is the limit.")
    except pa.ArrowInvalid as error:
        raise UnfitError(str(error)) from None
    return {i: columns[i].finish() if columns else pa.nulls(0, _TYPES[kind]) for i, kind in kinds.items()}


def _append(name: str, column: Growing, values: pa.Array, above: int, layout: Layout, limits: Limits) -> None:
    """Add one batch of a column; refuse an empty cell where the layout is strict, and a cell beyond the limit."""
    lengths = column.append(values)
    if lengths is None or not len(lengths):
        return
    if layout.strict and not lengths.min():
        raise UnfitError("an empty cell")
    if lengths.max() > limits.cell:
        row = above + int(lengths.argmax()) + 1
        raise refuse(name, f"row {row:,} has a cell of {megabytes(int(lengths.max()))}", _CELL.format(limits.cell))


_CELL = "At most {:,} bytes are read."
