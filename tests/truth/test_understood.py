"""What is not understood is told or refused: random sources with unknown members, columns, attributes and types.

Each is read as if these were not there, and every one of them is named in a note; or it is refused in a sentence.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from rankdash.reading import ReadError, read_judgments, read_run
from rankdash.reading.problems import printable
from tests.truth.scale import done, scaled
from tests.truth.unknown_members import FORMS, Row, Unknown

WORLDS = scaled(320)
#: At most so many of a hundred sources are refused: the others have to be read.
_REFUSED = 20


def rows_of(chance: random.Random, numbers: str) -> list[Row]:
    """A few lists with scores that differ, or with grades."""
    rows: list[Row] = []
    for query in range(chance.randint(1, 3)):
        for place in range(chance.randint(1, 4)):
            number = round(20 - place - chance.random(), 3) if numbers == "score" else float(chance.randint(0, 3))
            rows.append((f"query{query}", f"doc{query}{place}", number))
    chance.shuffle(rows)
    return rows


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("read", "number"), [(read_run, "score"), (read_judgments, "relevance")])
def test_what_nobody_understands_is_named_and_changes_nothing(read: Any, number: str, seed: int) -> None:
    """The rows are those of the same source without unknown members, and the notes name each of these."""
    chance = random.Random(f"{number} {seed}")
    refused = 0
    for world in range(WORLDS // 2):
        rows, unknown, form = rows_of(chance, number), Unknown(chance), chance.choice(FORMS)
        source = form(rows, number, unknown)
        try:
            table = read(source)
        except ReadError as error:
            refused += 1 if str(error) and unknown.told else WORLDS
            continue
        found = [(row["query_id"], row["doc_id"], row[number]) for row in table.table.to_pylist()]
        assert sorted(found) == sorted(rows), (world, form.__name__, source)
        notes = "\n".join(table.source.notes)
        for names in unknown.told:
            assert any(printable(name) in notes for name in names), (form.__name__, names, notes, source)
    done("sources with unknown members", WORLDS // 2)
    assert 100 * refused <= _REFUSED * WORLDS // 2
