"""Columns of raters: the mean of each row, against a slow twin."""

from __future__ import annotations

import random

import pytest

from rankdash.reading import ReadError, read_judgments


def slow(rows: list[list[str]]) -> tuple[list[str], int, int, float]:
    """The mean of each row as text, the rows with several grades, those where they differ, and the largest spread."""
    means, several, differ, most = [], 0, 0, 0.0
    for row in rows:
        given = [float(cell) for cell in map(str.strip, row) if cell]
        means.append(repr(sum(given) / len(given)) if given else "")
        several += len(given) > 1
        spread = max(given, default=0.0) - min(given, default=0.0)
        differ += spread > 0
        most = max(most, spread)
    return means, several, differ, most


@pytest.mark.parametrize("seed", range(8))
def test_means_are_those_of_a_loop_over_the_rows(seed: int) -> None:
    """To the last digit, with blanks, spellings of one grade, and rows without any; the note counts the same."""
    chance = random.Random(seed)
    raters = chance.randint(2, 7)
    cells = ["0", "1", "2.0", " 3 ", "3.0", "10", "7", "", "", " "]
    rows = [[chance.choice(cells) for _ in range(raters)] for _ in range(300)]
    lines = [f"q{n % 20},d{n}," + ",".join(row) for n, row in enumerate(rows)]
    heading = "query,docid," + ",".join(f"r{n}@x.org" for n in range(raters))
    read = read_judgments("\n".join([heading, *lines]).encode())
    means, several, differ, most = slow(rows)
    expected = {f"d{n}": float(mean) for n, mean in enumerate(means) if mean}
    found = read.table.select(["doc_id", "relevance"]).to_pylist()
    assert {row["doc_id"]: row["relevance"] for row in found} == expected
    told = f"{several} documents have grades of several, which differ for {differ}, by {most:g} at most."
    assert any(f"the mean of {raters} raters" in note and note.endswith(told) for note in read.source.notes)


def test_what_is_no_grade_is_told_row_by_row() -> None:
    """The first 20 cells by row and column, and how many more there are."""
    lines = [f"q,d{n},{'x' if n % 2 else 1},{'y' if n % 3 else 2}" for n in range(60)]
    with pytest.raises(ReadError) as caught:
        read_judgments("\n".join(["query,docid,a@x.org,b@x.org", *lines]).encode())
    bad = [(n, at) for n in range(60) for at in range(2) if (n % 3 if at else n % 2)]
    assert caught.value.count == len(bad)
    found = [(problem.row, problem.column, problem.found) for problem in caught.value.problems]
    assert found == [(n + 2, ("a@x.org", "b@x.org")[at], "xy"[at]) for n, at in bad[:20]]
