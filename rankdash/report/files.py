"""Per-query values as CSV or Parquet."""

from __future__ import annotations

import io
from collections.abc import Collection
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.csv

from rankdash import arrow
from rankdash.scoring import Comparison
from rankdash.strings.formulas import for_spreadsheets

if TYPE_CHECKING:
    from rankdash.inspect.view import Viewed

#: The column that says which queries were edited, in a table of an edited comparison.
EDITED = "edited"


def marked(table: pa.Table, edited: Collection[str]) -> pa.Table:
    """Return the table with a column "edited" at its end: yes in the rows of the queries that were edited.

    The table is returned as it is where nothing was edited; where its rows name no queries, all of them say yes.
    """
    if not edited:
        return table
    if EDITED in table.column_names:
        table = table.drop_columns([EDITED])
    if "query_id" in table.column_names:
        ids = set(edited)
        said = ["yes" if query in ids else "" for query in table.column("query_id").to_pylist()]
    else:
        said = ["yes"] * len(table)
    return table.append_column(EDITED, arrow.from_strings(said))


def file_name(name: str, edited: Collection[str]) -> str:
    """Return the name of a file, which says so where the comparison is edited: label_next_edited.csv."""
    stem, dot, ending = name.rpartition(".")
    return f"{stem}_{EDITED}{dot}{ending}" if edited else name


def per_query_csv(comparison: Comparison, edited: Collection[str] = ()) -> bytes:
    """Return columns query_id, measure, a, b, delta as UTF-8 CSV; empty where undefined. ``edited`` as for ``marked``.

    Ids that a spreadsheet would run as a formula get an apostrophe in front.
    """
    return rows_csv(comparison.per_query_table, edited)


def rows_csv(table: pa.Table, edited: Collection[str] = ()) -> bytes:
    """Return a table of text and numbers as UTF-8 CSV, in which no cell is a formula; cells of undefined numbers are
    empty.

    ``edited`` as for ``marked``. Text that begins like a formula gets an apostrophe, and the column "disarmed" says so.
    """
    buffer = io.BytesIO()
    pyarrow.csv.write_csv(for_spreadsheets(marked(table, edited)), buffer)
    return buffer.getvalue()


def viewed_csv(viewed: Viewed, edited: Collection[str] = ()) -> bytes:
    """Return the queries of a view, in their order, as UTF-8 CSV; ids and texts are disarmed. ``edited`` as above."""
    changes = viewed.changes
    text = {"query_id": changes.query_ids, "text": changes.texts}
    numbers = {
        "a": changes.a,
        "b": changes.b,
        "delta": changes.delta,
        f"overlap@{viewed.k}": viewed.overlap,
        f"unjudged@{viewed.k}": viewed.unjudged,
        "churn": viewed.churn,
    }
    columns = {name: arrow.Strings.of(values).array.cast(pa.string()) for name, values in text.items()}
    columns |= {name: pa.array(values, pa.float64(), from_pandas=True) for name, values in numbers.items()}
    return rows_csv(pa.table(columns), edited)


def per_query_parquet(comparison: Comparison, edited: Collection[str] = ()) -> bytes:
    """Return columns query_id, measure, a, b, delta as Parquet; null where undefined; ids as they are. ``edited`` as
    above.
    """
    import pyarrow.parquet as pq  # loading it costs more than a small comparison

    buffer = io.BytesIO()
    pq.write_table(marked(comparison.per_query_table, edited), buffer)
    return buffer.getvalue()
