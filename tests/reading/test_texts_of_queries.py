"""Lists without a header whose second column is the text of the query: it is never taken for the document."""

from __future__ import annotations

import random

import pytest

from rankdash.reading import ReadError, read_judgments, read_run, recognise


def text_of(columns: str, *, title: str = "Title of {}", doc: str = "d{}", delimiter: str = ",") -> bytes:
    """Three queries of four rows with these columns: query, text, rank, doc, title, score, whole (a whole score)."""
    chance = random.Random(2)
    lines = []
    for query in range(3):
        for rank, number in enumerate(chance.sample(range(1000, 2000), 4), 1):
            cells = {
                "query": f"q{query}",
                "text": f"red shoes {query}",
                "rank": str(rank),
                "doc": doc.format(number),
                "title": title.format(number),
                "score": f"{9.5 - rank}",
                "whole": str(90 - 7 * rank),
            }
            lines.append(delimiter.join(cells[name] for name in columns.split()))
    return "\n".join(lines).encode()


DOCS = read_run(text_of("query doc rank")).table.column("doc_id").to_pylist()
FORMS = ("query text rank doc title score", "query text doc title rank", "query text doc score")


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
@pytest.mark.parametrize("doc", ["d{}", "{}", "https://shop.example/{}"])
@pytest.mark.parametrize("columns", FORMS)
def test_the_text_of_a_query_is_no_document(columns: str, doc: str, delimiter: str) -> None:
    """A column that says one thing in all rows of a query has no documents; the one that can have them has."""
    run = read_run(text_of(columns, doc=doc, delimiter=delimiter))
    assert run.table.column("doc_id").to_pylist() == [doc.format(name[1:]) for name in DOCS]
    assert run.ordered_by == ("rank" if "rank" in columns else "score")


def test_what_stays_open_is_asked() -> None:
    """Where two columns could have the documents a person chooses one, and the rest is read as before."""
    text = text_of("query text rank doc title score", title="T{}")
    with pytest.raises(ReadError, match='the document id could be "column 4", "column 5"') as error:
        read_run(text)
    (choice,) = error.value.choices
    assert (choice.option, choice.key) == ("columns", "doc_id")
    found = recognise(text)
    assert (found.kind, found.choices) == ("run", (choice,))
    for wish in ("column 4", "4"):
        run = read_run(text, columns={"doc_id": wish})
        assert run.table.column("doc_id").to_pylist() == DOCS
        assert run.ordered_by == "rank"
    titles = read_run(text, columns={"doc_id": "column 5"}).table.column("doc_id").to_pylist()
    assert titles == [name.replace("d", "T") for name in DOCS]


def test_whole_scores_may_be_documents() -> None:
    """Whole numbers beside ids could be either: they are asked for too."""
    with pytest.raises(ReadError, match='the document id could be "column 4", "column 5"'):
        read_run(text_of("query text rank doc whole"))


def test_judgments_of_query_texts_are_refused() -> None:
    """Grades beside query and text alone are no judgments: no document is named."""
    with pytest.raises(ReadError, match="there is no header line"):
        read_judgments(b"q,red shoes,1\nq,red shoes,0\n")


def test_lists_of_one_document_are_as_before() -> None:
    """Where every query has one row nothing repeats, and the second column is the document."""
    assert read_run(b"q,a,1.5\nr,b,2.5\n").table.column("doc_id").to_pylist() == ["a", "b"]
