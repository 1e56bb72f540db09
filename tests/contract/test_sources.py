"""Every ordinary form of a file or object is read to the same tables."""

from typing import Any

import pyarrow as pa
import pytest

import rankdash as rd
from tests.contract.sources import ACCENTS, OTHERS, RUN, RUNS, TWO, Row

JUDGMENTS = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d9": 3, "d1": 0}, "q3": {"d7": 1}}
MEASURES = ["nDCG@10", "AP", "RR", "P@1"]


def rows(table: pa.Table, names: list[str]) -> list[tuple[Any, ...]]:
    """The rows of some columns, in one order."""
    return sorted(zip(*(table.column(name).to_pylist() for name in names), strict=True))


@pytest.mark.parametrize("form", RUNS)
def test_a_run_is_the_same_in_every_form(form: str) -> None:
    """Ids, scores and the numbers of every query are those of the TREC run."""
    make, has_scores = RUNS[form]
    run = rd.read_run(make())
    wanted: list[Row] = ACCENTS if form == "cp1252" else RUN
    names = ["query_id", "doc_id", "score"][: 3 if has_scores else 2]
    assert rows(run.table, names) == sorted(row[: len(names)] for row in wanted)
    if wanted is RUN:
        expected = rd.evaluate(rd.read_run(RUNS["TREC"][0]()), JUDGMENTS, MEASURES)
        assert rd.evaluate(run, JUDGMENTS, MEASURES).equals(expected)


@pytest.mark.parametrize("source", OTHERS)
def test_other_tables_are_read(source: str) -> None:
    """Judgments, votes and queries have these rows."""
    read, names, expected = OTHERS[source]
    assert rows(read().table, names.split()) == expected


@pytest.mark.parametrize(
    ("table", "names", "model_b"),
    [(TWO, ("old", "new"), "new"), (TWO, ("new", "old"), "old")],
    ids=["a column of models", "the other way round"],
)
def test_both_models_in_one_file_are_told_apart_by_name(
    table: dict[str, list[Any]], names: tuple[str, str] | None, model_b: str
) -> None:
    """The first name given is A's; each model has its own rows."""
    both = rd.read_models(pa.table(table), names=names)
    assert both.runs[1].name == model_b
    found = [sorted(run.table.column("doc_id").to_pylist()) for run in both.runs]
    assert found[0] == found[1] == sorted(table["doc_id"][: len(found[0])])


#: What is refused, as what, and by which code.
REFUSED: dict[str, tuple[Any, bytes]] = {
    "no number": (rd.read_run, b"query_id,doc_id,score\nq,a,x\n"),
    "a missing cell": (rd.read_run, b"query_id,doc_id,score\nq,a\n"),
    "no column of documents": (rd.read_run, b"query_id,score\nq,1\n"),
    "an empty file": (rd.read_run, b""),
    "headings alone": (rd.read_run, b"query_id,doc_id,score\n"),
    "a broken Parquet file": (rd.read_run, b"PAR1" + b"x" * 40 + b"PAR1"),
    "broken JSON": (rd.read_run, b'[{"query_id": "q", '),
    "a grade that is a word": (rd.read_judgments, b"query_id,doc_id,relevance\nq,a,blue\n"),
    "an unknown vote": (rd.read_votes, b"query_id,vote\nq,purple\n"),
    "no vote at all": (rd.read_votes, b"query_id,doc_id\nq,a\n"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_wrong_is_refused_by_its_code(what: str, golden: Any) -> None:
    """A source that is not right raises one error, whose problems have codes and places."""
    read, content = REFUSED[what]
    with pytest.raises(rd.ReadError) as error:
        read(content)
    golden(f"refused: {what}", [[one.code, one.row, one.column] for one in error.value.problems])
