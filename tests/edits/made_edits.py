"""Tables and edits made at random, for tests that need no more than numpy."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

import numpy as np
import pyarrow as pa

import rankdash as rd
from rankdash.arrow import disarmed, from_strings
from rankdash.edits import Edit
from rankdash.report.tables import COLUMNS
from rankdash.scoring import Side


def random_edits(rng: np.random.Generator, n: int) -> list[Edit]:
    """Edits of every kind on a few queries."""
    found: list[Edit] = []
    for _ in range(n):
        query, doc = f"q{rng.integers(12)}", f"d{rng.integers(30)}"
        side: Side = "a" if rng.random() < 0.5 else "b"
        kind = rng.integers(4)
        if kind == 0:
            found.append(Edit(query, doc, "grade", None, None, float(rng.integers(4))))
        elif kind == 1:
            found.append(Edit(query, doc, "remove", side, 1, None))
        else:
            found.append(Edit(query, doc, "rank" if kind == 2 else "add", side, 1, int(rng.integers(1, 12))))
    return found


def random_tables(rng: np.random.Generator, ties: bool) -> tuple[rd.Run, rd.Run, rd.Judgments]:
    """Two runs of twelve queries with equal scores here and there, and judgments."""
    runs = []
    for name in "AB":
        lists = {
            f"q{q}": {
                f"d{d}": float(rng.integers(8)) if ties else float(rng.random()) for d in rng.permutation(30)[:15]
            }
            for q in range(12)
        }
        runs.append(rd.read_run(lists, name=name))
    grades = {f"q{q}": {f"d{d}": float(rng.integers(4)) for d in rng.permutation(30)[:18]} for q in range(12)}
    return runs[0], runs[1], rd.read_judgments(grades)


def edits_csv(edits: Iterable[Edit]) -> bytes:
    """A file of edits for --edits; ids that begin like a formula have an apostrophe."""
    lists = {"a": "A", "b": "B", None: "A and B"}
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    out.writerow(COLUMNS)
    for edit in edits:
        ids = disarmed(pa.chunked_array([from_strings([edit.query_id, edit.doc_id])])).to_pylist()
        numbers = ("" if number is None else repr(float(number)) for number in (edit.before, edit.after))
        out.writerow([*ids, edit.what, lists[edit.side], *numbers])
    return text.getvalue().encode()
