"""What reading does by hand with bytes and numbers, against slow twins in plain Python on random texts."""

import csv
import io
import random

import numpy as np
import pyarrow as pa

from rankdash.reading import read_run
from rankdash.reading.grid import parse_numbers
from tests.truth.scale import scaled

WORLDS = scaled(90)
CELLS = ("a", "b c", 'q"q', "x,y", "two\nlines", "", " ", '""', "7", "é", "ten\r\nlines", "'")


def written(rows: list[list[str]], chance: random.Random) -> str:
    """Rows as CSV, some of them with quotes around every cell."""
    out = io.StringIO()
    for row in rows:
        how = chance.choice([csv.QUOTE_ALL, csv.QUOTE_MINIMAL])
        csv.writer(out, lineterminator=chance.choice(["\n", "\r\n"]), quoting=how).writerow(row)
    return out.getvalue()


def test_cells_are_those_of_the_csv_module() -> None:
    """Ids and titles of a random table are what Python's own reader finds, and the notes count no row that is not."""
    chance = random.Random(3)
    for _ in range(WORLDS // 3):
        rows = [[f"q{i % 3}", f"d{i}", str(i + 1), chance.choice(CELLS)] for i in range(chance.randint(2, 25))]
        text = written([["query_id", "doc_id", "rank", "title"], *rows], chance)
        table = read_run(text.encode()).table
        expected = list(csv.reader(io.StringIO(text, newline="")))[1:]
        found = [table.column(name).to_pylist() for name in ("query_id", "doc_id", "rank", "title")]
        assert [list(map(str, row)) for row in zip(*found, strict=True)] == expected


def slow_number(cell: str) -> float:
    """A number in digits of any width, with a sign and a point; NaN where a comma may stand between thousands."""
    text = "".join(str(int(sign)) if sign.isdecimal() else sign for sign in cell).replace("−", "-")
    return float("nan") if "," in text else float(text)


def test_numbers_are_those_of_a_plain_parser() -> None:
    """Signs and full-width digits have the value that they are written for, and thousands are never decimals."""
    chance = random.Random(4)
    for _ in range(WORLDS):
        cells = ["1", "2.5"]  # plain numbers beside which a comma stands between thousands
        for _ in range(chance.randint(1, 8)):
            number = f"{chance.randint(0, 10**7):,}" if chance.random() < 0.5 else str(chance.randint(0, 999))
            number += f".{chance.randint(0, 99)}" if chance.random() < 0.4 else ""
            if chance.random() < 0.3:
                number = number.translate({ord(str(i)): chr(0xFF10 + i) for i in range(10)})
            cells.append(chance.choice(["", "+", "-", "−"]) + number)
        found = parse_numbers(pa.array(cells, pa.large_string())).values
        np.testing.assert_array_equal(found, [slow_number(cell) for cell in cells])
