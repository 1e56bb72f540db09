"""A table of scored queries on the disk: it is opened at once, and a column is read when somebody asks for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pyarrow as pa

from rankdash.scoring import ComparisonError, PerQuery, TableError
from rankdash.scoring.parts import Parts, TablePart, read_column
from rankdash.scoring.table import check_there, described
from rankdash.store.files.parquet import read_layout, table_of


@dataclass(frozen=True, eq=False)
class InPieces:
    """A table that was written; ``sha256`` is the digest of the bytes of its file.

    The file is open for as long as this object exists, whatever becomes of its name.
    """

    file: pa.NativeFile
    schema: pa.Schema
    footer: Any = field(repr=False)
    sha256: str
    _made: list[PerQuery] = field(default_factory=list, repr=False)

    @classmethod
    def of(cls, file: pa.NativeFile, sha256: str) -> InPieces | None:
        """Return the table in a file; None where its columns cannot be read one by one. Errors as for ``table_of``."""
        layout = read_layout(file)
        return None if layout is None else cls(file, *layout, sha256)

    def __len__(self) -> int:
        rows: int = self.footer.num_rows
        return rows

    def whole(self) -> pa.Table:
        """Return all of it."""
        self.file.seek(0)
        return table_of(self.file.read_buffer())

    def per_query(self) -> PerQuery:
        """Return the per-query table, always the same one. TableError where it is none of this version."""
        if not self._made:
            self._made.append(self._opened())
        return self._made[0]

    def _opened(self) -> PerQuery:
        header, aliases = described(self.schema)
        check_there(["query_id", *(name for name in header.scope.types if name not in aliases)], self.schema.names)
        rows = [self.footer.row_group(piece).num_rows for piece in range(self.footer.num_row_groups)]
        parts = [TablePart("", count, aliases, partial(self.column, piece)) for piece, count in enumerate(rows)]
        return Parts(header.scope, tuple(parts), _broken).per_query(header)

    def column(self, piece: int, name: str) -> pa.ChunkedArray:
        """Return a column of one piece. Errors as for ``read_column``."""
        return read_column(self.file, self.footer, name, piece)[0]


class _KeptError(TableError, ComparisonError):
    """A table that was whole when it was opened, and is not when a column of it is read."""


def _broken(why: str) -> TableError:
    """Return the error for a table that is not as it was written."""
    return _KeptError(f"The table of per-query values that is kept is broken, {why}.")
