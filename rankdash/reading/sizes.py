"""How large a column of Arrow is once each value stands by itself: repeated ones take little memory until then."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import Text, as_numpy
from rankdash.reading.problems import printable, refuse
from rankdash.reading.source import Limits, megabytes
from rankdash.reading.values import filled, is_text

Sizes = npt.NDArray[np.int64]


def check_sizes(name: str, table: pa.Table, limits: Limits) -> None:
    """Raise ReadError for a column of repeated values that unpacks to more than the limits."""
    for heading in table.column_names:
        column = table.column(heading)
        if is_text(column.type) or pa.types.is_primitive(column.type):
            continue
        size = sum(_whole_size(chunk) for chunk in column.chunks)
        if size > limits.unpacked:
            allowed = f"At most {megabytes(limits.unpacked)} are read of it."
            raise refuse("too_large", name, f'column "{printable(heading)}" unpacks to {megabytes(size)}', allowed)


def text_sizes(column: pa.Array) -> Sizes:
    """Return the bytes of each value of a column, a repeated one counted each time."""
    kind, count = column.type, len(column)
    if pa.types.is_dictionary(kind):
        codes = as_numpy(column.indices.fill_null(0).cast(pa.int64()))
        return text_sizes(column.dictionary)[codes] if len(column.dictionary) else np.zeros(count, np.int64)
    if pa.types.is_string_view(kind) or pa.types.is_binary_view(kind):
        lengths = np.frombuffer(column.buffers()[1], np.int32)[::4]  # a view begins with its length
        return lengths[column.offset : column.offset + count].astype(np.int64)
    if is_text(kind):
        return np.diff(Text.of(filled(column)).offsets).astype(np.int64)
    return np.full(count, column.get_total_buffer_size() if pa.types.is_nested(kind) else 8, np.int64)


def _whole_size(array: pa.Array) -> int:
    """Return the bytes of all values, those of lists too."""
    kind = array.type
    if pa.types.is_run_end_encoded(kind):
        return len(array) * int(text_sizes(array.values).max(initial=0))
    if pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind):
        return int(as_numpy(array.sizes.cast(pa.int64())).sum()) * int(text_sizes(array.values).max(initial=0))
    if pa.types.is_struct(kind):
        return sum(map(_whole_size, array.flatten()))
    if pa.types.is_map(kind):
        return _whole_size(array.keys) + _whole_size(array.items)
    if pa.types.is_nested(kind):
        return _whole_size(array.flatten())
    return int(text_sizes(array).sum())
