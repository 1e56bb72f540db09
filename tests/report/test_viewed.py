"""The table of queries as CSV."""

import csv
import io

import rankdash as rd
from rankdash.inspect.query_order import changes
from rankdash.inspect.view import Viewed, likeness, orders_of, shared_lists, viewed
from rankdash.metrics import ListPair
from rankdash.report.tables import viewed_csv
from rankdash.scoring import Comparison


def two_queries() -> tuple[Comparison, Viewed, ListPair]:
    """Two queries, one of which has an id and a text that a spreadsheet would run."""
    ids = ["=cmd|' /C calc'!A0", "q2"]
    a = rd.read_run({query: ["d1", "d2"] for query in ids})
    b = rd.read_run({ids[0]: ["d2", "d1"], "q2": ["d1", "d2"]})
    comparison = rd.compare(a, b, {query: {"d2": 1} for query in ids}, queries={ids[0]: '+1+1|"', "q2": "boots"})
    pair = shared_lists(comparison, orders_of(comparison.joined, comparison.measures[0]))
    return comparison, viewed(comparison, comparison.measures[0], pair), pair


def test_no_cell_is_a_formula_and_every_number_is_there() -> None:
    """The file holds the queries in the order shown, their numbers in full, and no cell that a spreadsheet runs."""
    comparison, found, pair = two_queries()
    content = viewed_csv(found, *likeness(comparison, found, pair))
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8"))))
    assert [row["query_id"].removeprefix("'") for row in rows] == list(changes(comparison).query_ids)
    assert [float(row["delta"]) for row in rows] == found.changes.delta.tolist()
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "@"))]
