"""One file with the lists of several models."""

import random
from collections import Counter
from pathlib import Path

import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_run
from rankdash.reading.recognition import recognise
from rankdash.records import replace
from rankdash.tables import with_distinct_names
from tests.long import every

LONG = (
    b"model,query,position,asin,product_title,label\n"
    b"new,q1,1,a,A,2\nnew,q1,2,b,B,\nold,q1,1,b,B,\nold,q2,1,c,C,0\nnew,q2,1,c,C,0\nnew,q3,1,d,D,\n"
)


def test_each_model_is_a_run_in_order_of_appearance() -> None:
    """A column for the model splits the file into runs, named and ordered as the models first appear."""
    models = read_models(LONG)
    assert [run.name for run in models.runs] == ["new", "old"]
    assert models.runs[1].table.select(["query_id", "doc_id", "rank", "title"]).to_pylist() == [
        {"query_id": "q1", "doc_id": "b", "rank": 1, "title": "B"},
        {"query_id": "q2", "doc_id": "c", "rank": 1, "title": "C"},
    ]
    assert models.runs[1].table.column("query_id").chunk(0).dictionary.to_pylist() == ["q1", "q2"]
    assert [run.source.rows for run in models.runs] == [4, 2]
    assert {run.source.sha256 for run in models.runs} == {models.judgments.source.sha256}


def test_the_grades_of_all_models_are_the_judgments() -> None:
    """The grades beside the documents of every model are pooled; blank ones are no judgments."""
    judgments = read_models(LONG).judgments
    assert judgments.table.to_pylist() == [
        {"query_id": "q1", "doc_id": "a", "relevance": 2.0},
        {"query_id": "q2", "doc_id": "c", "relevance": 0.0},
        {"query_id": "q2", "doc_id": "c", "relevance": 0.0},
    ]
    assert read_judgments(LONG).table.equals(judgments.table)
    assert read_models(LONG.replace(b"label", b"other")).judgments is None


def test_names_choose_models_and_their_order() -> None:
    """names= takes the models it lists, in that order, and refuses one that is not there."""
    assert [run.name for run in read_models(LONG, names=["old", "new"]).runs] == ["old", "new"]
    with pytest.raises(ReadError, match=r'there is no model "x"\. Found: "new", "old"\.'):
        read_models(LONG, names=["x"])


def test_two_models_are_no_run() -> None:
    """A file of several models is refused as a run, with their names and what to do. One model is a run under its name,
    unless somebody gives another, or A and B have the same: these go by their files.
    """
    with pytest.raises(ReadError, match='there are 2 models in one file: "new", "old"') as error:
        read_run(LONG)
    assert "give the file alone to rankdash compare, with --pair A,B" in error.value.problems[0].phrase("shell")
    run = read_run(LONG.replace(b"old", b"new"))
    assert "model" not in run.table.column_names
    assert (run.name, read_run(LONG.replace(b"old", b"new"), name="B").name) == ("new", "B")
    files = [replace(run, source=replace(run.source, name=name)) for name in ("x.csv", "y.csv")]
    assert [one.name for one in with_distinct_names(*files)] == ["x.csv", "y.csv"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"query_id,doc_id\nq,a\n", "there is no column for the model"),
        (b"model,query_id,doc_id\n,q,a\nx,q,a\n", "the model is empty"),
        (b"x,q,a,1\ny,q,a,1\n", "there is no header line, and 4 columns do not make a combined file"),
        (b"q Q0 d 1 2 t\n", "this is a TREC run of one model"),
        (b"q 0 d 1\n", "these are judgments"),
    ],
)
def test_what_is_no_combined_file_is_refused(text: bytes, sentence: str) -> None:
    """Files without a model for every row are refused in one sentence."""
    with pytest.raises(ReadError, match=sentence):
        read_models(text)


_TWICE = "{heading},user,rank,item,score\nA,u1,1,d1,.9\nA,u1,2,d2,.8\nB,u1,1,d2,.7\nB,u1,2,d3,.6\n"


@pytest.mark.parametrize("heading", ["retriever", "engine", "strategy_id", "config", "tag", "pipeline", "bucket", "x"])
def test_lists_that_a_column_tells_apart_are_not_mixed(heading: str) -> None:
    """Lists of several models under any heading are refused as a run, with the column and what to do."""
    source = _TWICE.format(heading=heading).encode()
    with pytest.raises(ReadError) as error:
        read_run(source)
    assert f'column "{heading}" tells lists apart: "A", "B"' in str(error.value)
    assert f'columns={{"model": "{heading}"}}' in str(error.value)
    assert [run.name for run in read_models(source, columns={"model": heading}).runs] == ["A", "B"]
    look = recognise(source)
    assert (look.kind, [choice.key for choice in look.choices]) == ("models", ["model"])
    assert recognise(source, columns={"model": heading}).kind == "models"
    assert len(read_run(source, columns={"model": ""}).table) == 4


def test_numbers_tell_lists_apart_where_ranks_begin_anew() -> None:
    """Models that are numbered are told apart by their ranks; pages of one list are, once somebody says so."""
    source = _TWICE.format(heading="config").replace("A,", "1,").replace("B,", "2,").encode()
    with pytest.raises(ReadError, match='column "config" tells lists apart: "1", "2"'):
        read_run(source)
    pages = b"page,query,rank,item\n1,q1,1,d1\n1,q1,2,d2\n2,q1,3,d2\n2,q1,4,d3\n"
    assert len(read_run(pages, columns={"model": ""}).table) == 4


def made_of_models(dice: random.Random, names: list[str]) -> list[tuple[str, str, int, str]]:
    """Query, document, rank and name of the lists of models, one below the other or query by query."""
    rows = [
        (f"q{query}", f"d{document}", rank, name)
        for name in names
        for query in range(dice.randint(1, 5))
        for rank, document in enumerate(dice.sample(range(9), dice.randint(1, 6)), start=1)
    ]
    if dice.random() < 0.5:
        rows.sort(key=lambda row: row[0])
    return rows


def are_told_apart(rows: list[tuple[str, str, int, str]]) -> bool:
    """Whether documents of a query repeat, and none does within a name: the slow twin."""
    pairs = Counter((query, document) for query, document, *_ in rows)
    within = Counter((query, document, name) for query, document, _, name in rows)
    return max(pairs.values()) > 1 and max(within.values()) == 1 and len({name for *_, name in rows}) > 1


@pytest.mark.parametrize("names", every(2, [["x"], ["x", "y"], ["1", "2"], ["x", "y", "z"]]))
def test_lists_of_several_models_are_refused_wherever_a_name_tells_them_apart(names: list[str]) -> None:
    """In random worlds a run is refused exactly where documents of a query repeat, but not under one name, as a table
    with any heading and as TREC lines with tags.
    """
    refused = Counter()
    for seed in range(60):
        rows = made_of_models(random.Random(seed), names)
        table = "query,doc,rank,x\n" + "\n".join(f"{q},{d},{rank},{name}" for q, d, rank, name in rows)
        falls = (f"{q},{d},{99 - at},{name}" for at, (q, d, _, name) in enumerate(rows))
        scored = "\n".join(("query,doc,score,x", *falls))
        lines = "\n".join(f"{q} Q0 {d} {rank} {-rank} {name}" for q, d, rank, name in rows)
        for content in (table, lines, *([] if names[0].isdigit() else [scored])):
            try:
                read_run(content.encode())
                is_refused = False
            except ReadError as error:
                is_refused = "apart" in str(error) or "by their tags" in str(error)
            assert is_refused == are_told_apart(rows), (seed, content)
            refused[is_refused] += 1
    assert refused[False] > 0
    assert refused[True] > 50 or len(names) == 1


@pytest.mark.parametrize("line_end", [" {}\n", "\t{}\r\n", "  {} \n"])
def test_a_tag_far_from_both_ends_of_a_file_counts(tmp_path: Path, line_end: str) -> None:
    """Tags between the first lines and the last are seen too: lists of two models are refused exactly where a plain
    look at all lines tells them apart, and no file with one tag is.
    """
    refused = Counter[bool]()
    for seed in range(12):
        dice = random.Random(seed)
        rows = [
            (query, f"d{document}", rank, tag)
            for query, tags in zip("pqr", ("x", dice.choice(["x", "xy", "yx", "zz"]), "x"), strict=True)
            for tag in tags
            for rank, document in enumerate(dice.sample(range(90), dice.choice([2, 30, 70])), start=1)
        ]
        path = tmp_path / f"{seed}.trec"
        path.write_text("".join(f"{q} Q0 {d} {r} {-r}{line_end.format(tag)}" for q, d, r, tag in rows), newline="")
        try:
            read_run(path)
            is_refused = False
        except ReadError as error:
            is_refused = "by their tags" in str(error)
        assert is_refused or not are_told_apart(rows), seed
        assert not is_refused or len({tag for *_, tag in rows}) > 1, seed
        refused[is_refused] += 1
    assert min(refused[False], refused[True]) > 1
