"""A table of scored queries on the disk: it is opened at once, and a column is read when somebody asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rankdash.comparison import ComparisonError, PerQuery, TableError
from rankdash.scored.parts import in_parts
from rankdash.store.files.parquet import read_layout, table_of


@dataclass(frozen=True, eq=False)
class InPieces:
    """A table that was written, known by ``sha256``, the digest of the bytes of its file.

    The file is open for as long as this object exists, whatever becomes of its name.
    """

    file: pa.NativeFile
    schema: pa.Schema
    footer: Any = field(repr=False)
    sha256: str
    _made: list[PerQuery] = field(default_factory=list, repr=False)

    @classmethod
    def of(cls, file: pa.NativeFile, sha256: str) -> InPieces | None:
        """The table in a file; None where its columns cannot be read one by one. Errors as for ``table_of``."""
        layout = read_layout(file)
        return None if layout is None else cls(file, *layout, sha256)

    @property
    def sizes(self) -> Mapping[str, int]:
        """The rows of each piece, by its name, in order."""
        return {str(piece): self.footer.row_group(piece).num_rows for piece in range(self.footer.num_row_groups)}

    def __len__(self) -> int:
        return sum(self.sizes.values())

    def whole(self) -> pa.Table:
        """All of it."""
        self.file.seek(0)
        return table_of(self.file.read_buffer())

    def per_query(self) -> PerQuery:
        """The per-query table, always the same one. TableError where it is none of this version."""
        if not self._made:
            self._made.append(in_parts(self.schema, _Columns(self.file, self.footer), self.sizes))
        return self._made[0]


class _KeptError(TableError, ComparisonError):
    """A table that was whole when it was opened, and is not when a column of it is read."""


@dataclass(frozen=True)
class _Columns:
    """Reads columns of a file, piece by piece."""

    file: pa.NativeFile
    footer: Any

    def read(self, part: str, names: Sequence[str]) -> pa.Table:
        """Return some columns of a piece in this order."""
        try:
            parquet = pq.ParquetFile(self.file, metadata=self.footer, page_checksum_verification=True)
            return parquet.read_row_group(int(part), columns=list(names), use_threads=False).select(names)
        except (pa.ArrowException, OSError, KeyError) as error:
            raise self.broken(f"{names[0]!r} cannot be read ({' '.join(str(error).split())[:200]})") from None

    def broken(self, why: str) -> TableError:
        """Return the error for a table that is not as it was written."""
        return _KeptError(f"The table of per-query values that is kept is broken, {why}.")
