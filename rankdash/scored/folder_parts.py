"""The Parquet files of a folder of scored queries, as the parts of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from rankdash.scored.header import TableError


@dataclass(frozen=True)
class FolderReader:
    """Reads columns of the files of a folder. What a file says of all of its columns is read once."""

    folder: Path
    _footers: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def read(self, part: str, names: Sequence[str]) -> pa.Table:
        """Return some columns of a file in this order. TableError where they cannot be read."""
        import pyarrow.parquet as pq  # loading it costs more than a small comparison

        try:
            known = self._footers.get(part)
            with pa.OSFile(str(self.folder / part)) as opened:  # a path is looked up in every filesystem first
                file = pq.ParquetFile(opened, metadata=known, page_checksum_verification=True)
                self._footers[part] = file.metadata
                return file.read(columns=list(names), use_threads=False).select(names)
        except (pa.ArrowException, OSError, KeyError) as error:
            raise self.broken(f"{names[0]!r} of {part} cannot be read ({_first(error)})") from None

    def broken(self, why: str) -> TableError:
        """Return the error for a folder that is not as it was written."""
        return broken(self.folder, why)


def broken(place: Path, why: str) -> TableError:
    """Return the error for a folder that is not as it was written."""
    return TableError(f"{place}: the scored queries are broken, {why}; score the runs again.")


def _first(error: Exception) -> str:
    """Return the first line of an error, without a full stop."""
    return (str(error).splitlines() or [type(error).__name__])[0][:200].rstrip(".")
