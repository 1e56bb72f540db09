"""Baselines: what is kept is what is read back, bit for bit, or refused in one sentence."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankdash as rd
from rankdash.baselines import Baseline, BaselineError, Shelf
from tests.made import judgments, run

IDS = st.text(min_size=1, max_size=8).filter(lambda text: text.strip() == text and text.isprintable())
LISTS = st.dictionaries(IDS, st.lists(IDS, min_size=1, max_size=5, unique=True), min_size=1, max_size=5)
NAMED = "q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 1.5 bm25\nq2 Q0 d3 1 0.5 bm25\n"
GRADES = judgments({"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}})


@given(LISTS, st.sampled_from(["lists", "scores", "records"]))
def test_any_run_comes_back(lists: dict[str, list[str]], form: str) -> None:
    """Any run that a reader makes comes back with its columns, order, names and source, whatever the ids."""
    given = {
        "lists": lists,
        "scores": {query: {doc: float(-at) for at, doc in enumerate(docs)} for query, docs in lists.items()},
        "records": [(query, doc, 1 / 3 - at) for query, docs in lists.items() for at, doc in enumerate(docs)],
    }
    kept = Baseline.of("main", rd.read_run(given[form], name="a model"), None)
    back = Baseline.from_bytes(kept.to_bytes(), "it")
    assert back == kept
    assert back.run.table.equals(kept.run.table)
    assert back.run.table.schema.equals(kept.run.table.schema)


def test_a_renamed_run_and_its_further_columns_come_back(tmp_path: Path) -> None:
    """Names, notes, missing numbers, grades and titles of a run are kept."""
    file = tmp_path / "a.csv"
    file.write_text("query_id,doc_id,rank,relevance,title,shop\nq1,d1,1,2,A title,x\nq1,d2,2,,,y\n", "utf-8")
    kept = Baseline.of("main", rd.read_run(file).renamed("other"), None)
    shelf = Shelf.at(str(tmp_path / "kept"))
    shelf.keep(kept)
    back = shelf.take("main")
    assert (back.run.source, back.kept, back.judged_by) == (kept.run.source, kept.kept, None)
    assert (back.run.name, back.run.first_name, back.run.source.name) == ("other", "a", "a.csv")
    assert back.run.table.schema.equals(kept.run.table.schema)
    assert str(back.run.table.to_pylist()) == str(kept.run.table.to_pylist())  # NaN is not equal to itself


def test_other_judgments_are_told() -> None:
    """A baseline beside other judgments than it was kept with says so, beside the same in another order it does not."""
    kept = Baseline.of("main", rd.read_run(NAMED.encode()), GRADES)
    same = judgments({"q2": {"d3": 2}, "q1": {"d1": 1, "d2": 0}})
    other = judgments({"q1": {"d1": 1, "d2": 1}, "q2": {"d3": 2}})
    assert not any("other judgments" in note for note in kept.noted(same).source.notes)
    assert not any("other judgments" in note for note in kept.noted(None).source.notes)
    assert any("other judgments" in note for note in kept.noted(other).source.notes)


def test_a_broken_file_is_refused(tmp_path: Path) -> None:
    """A baseline that was cut, altered or is another file is refused with its name and what to do."""
    shelf = Shelf.at(str(tmp_path))
    shelf.keep(Baseline.of("main", run({"q": ["a", "b"]}), None))
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for broken in (b"", b"x", whole[:-9], whole[: len(whole) // 2], b"ARROW1\x00\x00" + bytes(400)):
        file.write_bytes(broken)
        with pytest.raises(BaselineError, match=r"^The baseline 'main' in .* set it anew\.$"):
            shelf.take("main")


def test_altered_lists_are_refused() -> None:
    """Lists that are not those that were kept are refused, though the file is whole."""
    first, second = (Baseline.of("main", run({"q": docs}), None).to_bytes() for docs in (["a", "b"], ["b", "a"]))
    tables = [pa.ipc.open_file(data).read_all() for data in (first, second)]
    mixed = tables[0].replace_schema_metadata(tables[1].schema.metadata)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, mixed.schema) as writer:
        writer.write_table(mixed)
    with pytest.raises(BaselineError, match="not those that were kept"):
        Baseline.from_bytes(sink.getvalue(), "It")


@pytest.mark.parametrize("name", ["", ".", "..", "../main", "a/b", "a b", "-x", "ä", "x" * 65, "a\n"])
def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    """No name leaves the folder, hides there, or is taken for an option."""
    shelf = Shelf.at(str(tmp_path / "kept"))
    for act in (lambda: shelf.take(name), lambda: shelf.keep(Baseline.of(name, run({"q": ["a"]}), None))):
        with pytest.raises(BaselineError, match="is no name of a baseline"):
            act()
    assert not (tmp_path / "kept").exists()


def test_names_are_listed_and_forgotten(tmp_path: Path) -> None:
    """A shelf lists its baselines, tells them where another is asked for, and forgets one."""
    shelf = Shelf.at(str(tmp_path / "kept"))
    assert shelf.names() == []
    for name in ("b", "a"):
        shelf.keep(Baseline.of(name, run({"q": ["d"]}), None))
    assert shelf.names() == ["a", "b"]
    with pytest.raises(BaselineError, match="kept there: a, b"):
        shelf.take("c")
    shelf.remove("a")
    assert shelf.names() == ["b"]
    with pytest.raises(BaselineError, match="No baseline 'a'"):
        shelf.remove("a")
