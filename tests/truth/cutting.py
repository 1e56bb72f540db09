"""Everything that works block by block, with blocks of another size."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

#: Sizes of blocks of rows, from one row up.
ROWS = (1, 2, 3, 7, 64)
_IN_ROWS = {"rankdash.judged": ("BLOCK",), "rankdash.metrics.similarity": ("_BLOCK",)}
_IN_BYTES = {"rankdash.reading": ("BLOCK", "_BLOCK", "_SEGMENT", "_LARGE_BLOCK", "_ROWS", "_WAITING")}


@contextmanager
def _set(sizes: dict[str, tuple[str, ...]], size: int) -> Iterator[int]:
    found = [
        (module, name)
        for place, module in list(sys.modules.items())
        if place.startswith("rankdash.")
        for room, names in sizes.items()
        for name in names
        if place.startswith(room) and isinstance(getattr(module, name, None), int)
    ]
    patches = [patch.object(module, name, size) for module, name in found]
    for one in patches:
        one.start()
    try:
        yield len(found)
    finally:
        for one in patches:
            one.stop()


def blocks_of_rows(size: int) -> contextmanager[int]:  # type: ignore[valid-type]
    """Lists are put in order and matched in blocks of about so many rows."""
    return _set(_IN_ROWS, size)  # type: ignore[return-value]


def blocks_of_bytes(size: int) -> contextmanager[int]:  # type: ignore[valid-type]
    """Files are read in blocks of so many bytes, and texts are looked at so many at a time."""
    return _set(_IN_BYTES, size)  # type: ignore[return-value]
