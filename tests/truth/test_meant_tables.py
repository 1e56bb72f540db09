"""Random small tables in the forms that tools write: read as they are meant, or refused, and told where another kind
was asked for.

Ids are words, numbers or small numbers; there may be one query, and one document of each; with headings the columns
stand anywhere, under any of their names, among others.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from rankdash.reading import ReadError, read_judgments, read_queries, read_run, read_votes
from tests.truth.scale import scaled

WORLDS = scaled(120)
READERS: dict[str, Callable[[bytes], Any]] = {
    "run": read_run,
    "judgments": read_judgments,
    "queries": read_queries,
    "votes": read_votes,
}
#: The columns of each form. Without headings the order tells a query, a document and a number; others need headings.
FORMS = {
    "run": ["query doc", "query doc rank", "query doc score", "query doc rank score", "query doc score rank",
            "query zero doc rank score tag"],
    "judgments": ["query doc grade", "query zero doc grade", "query doc grade time", "query grade doc"],
}  # fmt: skip
#: Names of columns, as people write them.
HEADINGS = {
    "query": ["query_id", "qid", "topic", "Query", "user_id", "QueryID"],
    "doc": ["doc_id", "docno", "item", "URL", "Product ID", "passage_id"],
    "rank": ["rank", "position", "Pos"],
    "score": ["score", "similarity", "prediction"],
    "grade": ["relevance", "label", "grade", "rating", "Judgment"],
    "zero": ["iteration"],
    "tag": ["note"],
    "time": ["timestamp"],
    "index": ["", "Unnamed: 0"],
}
#: What the notes say where another kind of table was read; without headings they say what each column was taken for.
TOLD = (
    "There is no header line",
    "Judgments alone are not a run.",
    "There are no grades. Each row has grade 1",
    "give them as a run",
    "Columns used as segments",
)


@dataclass(frozen=True)
class Meant:
    """A table as text, its kind, and the lists, best first, or the grades that it holds."""

    kind: str
    content: bytes
    headed: bool
    lists: dict[str, list[str]]
    grades: dict[tuple[str, str], float]


def meant(chance: random.Random) -> Meant:
    """A random table of a few rows."""
    kind = chance.choice([*FORMS])
    form = chance.choice(FORMS[kind]).split()
    sign = chance.choice([" ", "\t"] if "zero" in form else [",", "\t", ";", " "])
    query_form, doc_form = chance.choice(["q{}", "{}", "90{}"]), chance.choice(["d{}", "{}", "77{}x", "810{}"])
    if form[1] == "grade":  # numbers in the third column are grades, whatever the second has
        doc_form = "d{}"
    base, whole, most = chance.choice([0, 1]), chance.random() < 0.3, chance.choice([1, 2, 5])
    rows: list[dict[str, str]] = []
    lists: dict[str, list[str]] = {}
    grades: dict[tuple[str, str], float] = {}
    for number in chance.sample(range(1, 9), chance.randint(1, 4)):
        query, score = query_form.format(number), 90.0
        for place, at in enumerate(chance.sample(range(1, 10), chance.randint(1, most))):
            score -= chance.randint(1, 9) if whole else chance.randint(1, 900) / 101
            doc, grade = doc_form.format(at), chance.choice([0, 0, 1, 2, 3, 5])
            lists.setdefault(query, []).append(doc)
            grades[query, doc] = grade
            time = str(chance.randint(875_000_000, 1_700_000_000))
            cells = (query, doc, str(base + place), f"{score:g}", str(grade), chance.choice(["0", "Q0"]), "bm25", time)
            rows.append({"index": str(len(rows)), **dict(zip(HEADINGS, cells, strict=False))})
    if {"rank", "score"} & {*form} and chance.random() < 0.5:
        chance.shuffle(rows)
    needs = {*form} <= {"query", "doc", "rank", "score"} and len(form) != 3
    sign = "," if needs and sign == " " else sign
    headed = needs or ("zero" not in form and sign != " " and chance.random() < 0.5)
    if headed and chance.random() < 0.3:
        form = ["index", *form]
    above = [chance.choice(HEADINGS[name]) for name in form]
    if headed:
        order = chance.sample(range(len(form)), len(form))
        form, above = [form[i] for i in order], [above[i] for i in order]
    lines = [[row[name] for name in form] for row in rows]
    text = "".join(sign.join(cells) + "\n" for cells in ([above] if headed else []) + lines)
    return Meant(kind, text.encode(), headed, lists, grades)


def found(kind: str, table: Any) -> Any:
    """What was read: the lists, best first, or the grades."""
    rows = table.table.to_pylist()
    if kind == "judgments":
        return {(row["query_id"], row["doc_id"]): row["relevance"] for row in rows}
    by = {"rank": lambda row: row.get("rank", 0), "score": lambda row: -row.get("score", 0), "position": lambda row: 0}
    lists: dict[str, list[str]] = {}
    for row in sorted(rows, key=by[str(table.ordered_by)]):
        lists.setdefault(row["query_id"], []).append(row["doc_id"])
    return lists


@pytest.mark.parametrize("seed", range(4))
def test_a_table_is_read_as_it_is_meant_or_refused(seed: int) -> None:
    """Each list has its documents in their order, each document its grade; a table of another kind is refused, or a
    note says what was taken for what.
    """
    chance = random.Random(seed)
    outcomes = Counter[tuple[bool, str]]()
    for world in range(WORLDS):
        table = meant(chance)
        for kind, read in READERS.items():
            try:
                result = read(table.content)
            except ReadError:
                outcomes[kind == table.kind, "refused"] += 1
                continue
            outcomes[kind == table.kind, "read"] += 1
            if kind == table.kind:
                said = (world, table.content, result.table.to_pylist(), result.source.notes)
                assert found(kind, result) == (table.lists if kind == "run" else table.grades), said
            else:
                notes = "\n".join(str(note.text) for note in result.source.notes)
                assert any(told in notes for told in TOLD), (world, kind, table.content, notes)
    assert outcomes[True, "read"] > 2 * outcomes[True, "refused"]
    assert outcomes[False, "refused"] > 2 * outcomes[False, "read"]
