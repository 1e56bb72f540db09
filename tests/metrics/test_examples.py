"""The worked example of every measure: what one query is worth by hand is what the code computes."""

from __future__ import annotations

import json
from math import log2
from pathlib import Path
from typing import Any

import pytest

import rankdash as rd
from rankdash.metrics import DEFINITIONS, Definition

ROWS = list(DEFINITIONS.values())
SCORING = [row for row in ROWS if row.of_pair is None]
#: By measure: the list from rank 1 down, what is known of its documents, and the value with its sum.
EXAMPLES = json.loads((Path(__file__).parents[1] / "cases" / "measure_examples.json").read_bytes())


def asked(row: Definition) -> str:
    """The name of a measure as its example has it."""
    example = EXAMPLES[row.name]
    name = f"{row.name}{example.get('own', '')}"
    return f"{name}@{example['k']}" if "k" in example else name


def run(ranking: str) -> rd.Run:
    """A run of one query."""
    return rd.read_run({"q": ranking.split()})


def beside(row: Definition) -> dict[str, Any]:
    """What is known of the documents of an example, and the time."""
    example = EXAMPLES[row.name]
    items = [{"doc_id": doc_id, **facts} for doc_id, facts in example.get("items", {}).items()]
    return {"items": items, "at": example.get("at")} if items else {}


def judgments(row: Definition) -> rd.Judgments:
    """The grades of an example."""
    if not row.of_subtopics:
        return rd.read_judgments({"q": EXAMPLES[row.name]["grades"]})
    subtopics = EXAMPLES[row.name]["subtopics"]
    of_each = [(doc_id, subtopic) for doc_id, own in subtopics.items() for subtopic in own.split()]
    columns = {"query_id": "q", "relevance": 1}
    return rd.read_judgments([{**columns, "doc_id": doc_id, "subtopic": subtopic} for doc_id, subtopic in of_each])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_code_gives_the_value_of_the_example(row: Definition) -> None:
    """A measure has one code, and it gives the value that is worked out for it, to twelve decimals."""
    assert [row.of_lists, row.of_items, row.of_pair].count(None) == 2
    example = EXAMPLES[row.name]
    if row.of_pair is None:
        frame = rd.evaluate(run(example["ranking"]), judgments(row), [asked(row)], **beside(row))
    else:
        frame = rd.similarity(run(example["ranking"]), run(example["other"]), [asked(row)])
    assert frame["value"].tolist() == [pytest.approx(example["value"], abs=1e-12)]
    assert eval(example["how"], {"log2": log2}) == pytest.approx(example["value"], abs=1e-15)


@pytest.mark.parametrize("row", SCORING, ids=lambda row: row.name)
def test_the_example_is_worked_out(row: Definition) -> None:
    """The calculation of the example ends in its value; without a sum of its own the value stands for itself."""
    example = EXAMPLES[row.name]
    worked = rd.explain(run(example["ranking"]), judgments(row), asked(row), "q", **beside(row))
    assert worked.value == pytest.approx(example["value"], abs=1e-12)
    assert [rank.doc_id for rank in worked.ranks] == example["ranking"].split()
    assert worked.above / (worked.below or 1.0) == worked.value


def test_no_two_measures_share_a_name_or_a_spelling() -> None:
    """Every name and every spelling means one measure, whatever its letters' case."""
    spellings = [word for row in ROWS for word in (row.name.lower(), *row.spellings.split())]
    assert len(set(spellings)) == len(spellings)
    assert spellings == [word.lower() for word in spellings]
