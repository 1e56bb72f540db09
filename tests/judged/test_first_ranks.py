"""A run that comes in blocks: what is kept of its rows."""

from __future__ import annotations

import pytest

import rankdash as rd
from rankdash import arrow
from rankdash.judged import Order, pooled
from rankdash.judged.first_ranks import FirstRanks
from tests.made import judgments

COLUMNS = {"doc_id": ["a", "b", "c"], "rank": [1, 2, 3], "score": [0.9, 0.5, 0.1]}


@pytest.mark.parametrize("left_out", [(), ("rank",), ("score",)])
def test_the_first_ranks_keep_all_that_orders_and_names_them(left_out: tuple[str, ...]) -> None:
    """Of each kept row its query, document, rank and score, as they were read, where the run has them; no title."""
    names = [name for name in COLUMNS if name not in left_out]
    rows = zip(*(COLUMNS[name] for name in names), strict=True)
    text = f"query_id,{','.join(names)},title\n" + "".join(f"q,{','.join(map(str, row))},T\n" for row in rows)
    run = rd.read_run(text.encode())
    kept = FirstRanks(pooled(judgments({"q": {"b": 1}})), [Order()], 2)
    kept.add(run)
    table = kept.table(arrow.from_strings(["q"]))
    assert table.column_names == ["query_id", *names]
    expected = {name: COLUMNS[name][:2] for name in names}
    assert table.to_pydict() == {"query_id": ["q", "q"], **expected}
