"""The tables of saved comparisons as files: their bytes, and where they lie."""

from rankdash.store.files.parquet import table_of, written
from rankdash.store.files.places import FileStore, Stored

__all__ = ["FileStore", "Stored", "table_of", "written"]
