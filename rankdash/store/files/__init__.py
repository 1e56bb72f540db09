"""The tables of saved comparisons as files: their bytes, where they lie, and what their content is known by."""

from rankdash.store.files.contents import about_lists, content_digest, lists_of
from rankdash.store.files.parquet import InPieces, Pieces, table_of, written
from rankdash.store.files.places import Files, Stored

__all__ = ["Files", "InPieces", "Pieces", "Stored", "about_lists", "content_digest", "lists_of", "table_of", "written"]
