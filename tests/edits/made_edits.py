"""Tables and edits made at random, for tests that need no more than numpy."""

import numpy as np

import rankdash as rd
from rankdash.edits import Edit
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
