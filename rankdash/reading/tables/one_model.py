"""Lists of several models without a column that is known to name them are refused, and not mixed into one."""

from __future__ import annotations

from rankdash.arrow import as_numpy, codes
from rankdash.reading.columns.column_checks import Checked
from rankdash.reading.columns.grid import IDS, NUMBERS, Grid
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import listed, refuse
from rankdash.reading.values.several_lists import names_of_lists


def check_one_model(grid: Grid, good: Checked) -> None:
    """Raise ReadError where documents of a query repeat, and the words of a further column tell the lists apart."""
    columns = {name: column for name, column in good.columns.items() if name not in (*IDS, *NUMBERS)}
    rank = as_numpy(good.columns["rank"]) if "rank" in good.columns else None
    lists = names_of_lists(codes(good.columns["query_id"]), good.columns["doc_id"], columns, rank)
    if lists is None:
        return
    name, words = lists
    title = grid.title(name)
    what = (
        f'documents of a query stand there again and again, and column "{title}" tells these lists apart: '
        f"{listed(words)}"
    )
    allowed = advice("lists_of_models", key="model", column=title)
    raise refuse("unclear", grid.name, what, allowed, Choice("columns", grid.headings or (title,), "model"))
