"""Tables as CSV and Parquet: values per query, lists and judgments."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from pathlib import PurePath
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from rankdash.arrow import Strings, for_spreadsheets, from_strings
from rankdash.scoring import Rankings

if TYPE_CHECKING:
    from rankdash.inspect.labels import LabelCandidate
    from rankdash.inspect.view import Floats, Viewed
    from rankdash.report.sections import Reported


#: Endings of files that are mostly qrels.
_QRELS = ("", ".txt", ".trec", ".qrel", ".qrels")


def file_name(name: str, edited: object) -> str:
    """Return the name of a file, which says so where the comparison is edited: label_next_edited.csv."""
    stem, dot, ending = name.rpartition(".")
    return f"{stem}_edited{dot}{ending}" if edited else name


def per_query_csv(reported: Reported) -> bytes:
    """Return columns query_id, measure, a, b, delta as UTF-8 CSV; empty where undefined.

    Ids that a spreadsheet would run as a formula get an apostrophe in front.
    """
    assert reported.judged is not None
    return rows_csv(reported.judged.per_query_table)


def rows_csv(table: pa.Table) -> bytes:
    """Return a table of text and numbers as UTF-8 CSV, in which no cell is a formula; cells of undefined numbers are
    empty. Text that begins like a formula gets an apostrophe, and the column "disarmed" says so.
    """
    buffer = io.BytesIO()
    pyarrow.csv.write_csv(for_spreadsheets(table), buffer)
    return buffer.getvalue()


def viewed_csv(viewed: Viewed, overlap: Floats, churn: Floats) -> bytes:
    """Return the queries of a view, in their order, as UTF-8 CSV, with how alike their lists are, (n,); ids and texts
    are disarmed.
    """
    changes = viewed.changes
    text = {"query_id": changes.query_ids, "text": changes.texts}
    numbers = {
        "a": changes.a,
        "b": changes.b,
        "delta": changes.delta,
        f"overlap@{viewed.k}": overlap,
        f"unjudged@{viewed.k}": viewed.unjudged,
        "churn": churn,
    }
    columns = {name: Strings.of(values).array.cast(pa.string()) for name, values in text.items()}
    columns |= {name: pa.array(values, pa.float64(), from_pandas=True) for name, values in numbers.items()}
    return rows_csv(pa.table(columns))


def per_query_parquet(reported: Reported) -> bytes:
    """Return columns query_id, measure, a, b, delta as Parquet; null where undefined; ids as they are."""
    assert reported.judged is not None
    return rows_parquet(reported.judged.per_query_table)


def rows_parquet(table: pa.Table) -> bytes:
    """Return a table as Parquet."""
    import pyarrow.parquet as pq  # loading it costs more than a small comparison

    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()


def judgments_file(joined: Rankings) -> tuple[str, Callable[[Rankings], bytes]]:
    """Return the ending of a file of the judgments and what writes it: qrels where they came in a file of no other
    form, and no id or grade needs more; else CSV.
    """
    table, name = joined.judgments.table, joined.judgments.source.name
    fits = name and table.num_columns == 3 and PurePath(name).suffix.lower() in _QRELS
    ids = (table.column(own).cast(pa.string()) for own in ("query_id", "doc_id"))
    is_split = fits and any(pc.any(pc.match_substring_regex(own, r"\s|^$")).as_py() for own in ids)
    return ("qrels", judgments_qrels) if fits and not is_split else ("csv", judgments_csv)


def judgments_qrels(joined: Rankings) -> bytes:
    """Return the judgments as they stand, as qrels: query, 0, document, grade."""
    rows = zip(*(joined.judgments.array(own).to_pylist() for own in ("query_id", "doc_id", "relevance")), strict=True)
    lines = (f"{query} 0 {document} {repr(grade).removesuffix('.0')}\n" for query, document, grade in rows)
    return "".join(lines).encode()


def judgments_csv(joined: Rankings) -> bytes:
    """Return the judgments as they stand: query_id, doc_id, relevance, and only_for where typed lists share no
    documents.
    """
    table = joined.judgments.table
    at = table.column_names.index("query_id")
    return rows_csv(table.set_column(at, "query_id", table.column("query_id").cast(pa.string())))


def worklist_csv(candidates: Iterable[LabelCandidate]) -> bytes:
    """Return what to label next, with an empty column relevance: filled in and read back, it is a file of judgments."""
    rows = [(label.query_id, label.doc_id, "", label.title, f"{abs(label.effect):.6f}") for label in candidates]
    names = ("query_id", "doc_id", "relevance", "title", "effect")
    return rows_csv(pa.table({name: from_strings([row[i] for row in rows]) for i, name in enumerate(names)}))
