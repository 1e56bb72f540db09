"""Whatever enters by whatever door is read or refused: hostile inputs, half characters in names and texts, and names of
files that are not UTF-8.
"""

import json
import os
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.edits import Edit
from rankdash.notes import whole_text
from rankdash.reading.typed import read_typed
from rankdash.sandbox import processes
from tests.doors.table import DOORS, REFUSED
from tests.intake.test_intake import given
from tests.long import every

Rows = list[dict[str, Any]]
#: What a row of each file holds; a key or a value of it gets half a character.
ROWS: dict[str, Rows] = {
    "run": [{"query_id": f"q{q}", "doc_id": f"d{d}", "score": 3 - d, "title": "t"} for q in (1, 2) for d in (1, 2)],
    "judgments": [{"query_id": f"q{q}", "doc_id": f"d{d}", "relevance": d} for q in (1, 2) for d in (1, 2)],
    "queries": [{"query_id": f"q{q}", "text": "t", "weight": 1, "segment": "s"} for q in (1, 2)],
    "votes": [{"query_id": f"q{q}", "rater": "r", "vote": "good"} for q in (1, 2)],
    "models": [
        {"query_id": "q1", "doc_id": f"d{d}", "score": 3 - d, "model": model} for d in (1, 2) for model in ("x", "y")
    ],
}
#: One place of each kind of file, as its heading and whether the heading itself is changed; "" is a further column.
PLACES = [(kind, name, is_heading) for kind, rows in ROWS.items() for name in (*rows[0], "") for is_heading in (0, 1)]


def halved(text: str, at: random.Random) -> str:
    """A text with a lone surrogate anywhere in it."""
    place = at.randint(0, len(text))
    return text[:place] + chr(at.randint(0xD800, 0xDFFF)) + text[place:]


def changed(kind: str, name: str, is_heading: int, at: random.Random) -> Rows:
    """The rows of a file with half a character in one heading, or in all cells of a column."""
    if is_heading:
        other = halved(name, at)
        return [{other if key == name else key: value for key, value in (row | {"": 1}).items()} for row in ROWS[kind]]
    return [row | {name: halved(str(row.get(name, "")), at)} for row in ROWS[kind]]


def shell(capsys: pytest.CaptureFixture[str], *words: str) -> int:
    """The exit status of a command: done, or refused in a sentence."""
    status = main(words)
    told = capsys.readouterr()
    assert status in (0, 2), told.err
    assert told.err or status == 0
    (told.out + told.err).encode()
    return status


def said(work: Callable[[], Any]) -> Any:
    """What some work returns, or the mistake of a user that it raises; whatever else it raises is ours."""
    try:
        return work()
    except UnicodeError:
        raise
    except (*REFUSED, TypeError) as error:
        return error


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A file of each kind, and a store."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "home"))
    for kind, rows in ROWS.items():
        Path(f"{kind}.json").write_text(json.dumps(rows))
    return {kind: f"{kind}.json" for kind in ROWS}


@pytest.mark.parametrize(("kind", "name", "is_heading"), every(7, PLACES))
def test_half_characters_in_a_file_are_replaced_or_refused(
    files: dict[str, str], capsys: pytest.CaptureFixture[str], kind: str, name: str, is_heading: int
) -> None:
    """Wherever in a file half a character stands, every command reads it with a note, or refuses it in a sentence."""
    rows = changed(kind, name, is_heading, random.Random(name))
    for content in (json.dumps(rows), "\n".join(map(json.dumps, rows))):
        paths = files | {kind: f"odd-{kind}.json"}
        Path(paths[kind]).write_text(content)
        lists = [paths["models"]] if kind == "models" else [paths["run"], "run.json"]
        inputs = [*lists, "-q", paths["judgments"], "--queries", paths["queries"]]
        inputs += ["--votes", paths["votes"]] if kind == "votes" else []
        outputs = [word for form in ("json", "md", "html", "xml", "csv") for word in ("--out", f"odd.{form}")]
        status = shell(capsys, "compare", *inputs, *outputs)
        shell(capsys, "save", *inputs)
        shell(capsys, "evaluate", *lists, "-q", paths["judgments"])
        shell(capsys, "explain", *lists, "-q", paths["judgments"], "--query", "q1")
        upload = given(halved("upload.json", random.Random(name)), content.encode())
        (whole_text(processes.look(upload).name) + str(processes.look(upload).error)).encode()
        page = processes.read(upload, kind)
        assert (page.error is None) or status == 2
        if page.table is not None and kind != "models" and (name or kind != "judgments"):
            assert any(note.code == "half_characters" for note in page.table.source.notes)
    shell(capsys, "list")


@pytest.mark.parametrize("part", ["run", "judgments", "policy", "out", "name", "measure", "query", "home", "word"])
def test_names_that_are_not_utf8_end_in_a_sentence(
    files: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """Whatever word of a command line is not UTF-8, every command ends with 0 or 2, and without a traceback."""
    odd = os.fsdecode(b"n\xff.json")
    for kind in ("run", "judgments"):
        with open(os.fsencode(odd), "wb") as file:
            file.write(json.dumps(ROWS[kind if part == kind else "run"]).encode())
        own = {kind: odd if part == kind else path for kind, path in files.items()}
        inputs = [own["run"], "run.json", "-q", own["judgments"]]
        inputs += {"policy": ["--policy", odd], "out": ["--out", odd], "measure": ["--measure", odd]}.get(part, [])
        if part == "home":
            monkeypatch.setenv("RANKDASH_HOME", os.path.abspath(odd) + "home")
        inputs += [odd] if part == "word" else []
        for command in ("compare", "save", "score", "evaluate", "explain"):
            more = {"save": ["--name", odd] if part == "name" else [], "score": ["--out", "scored"]}.get(command, [])
            query = ["--query", odd if part == "query" else "q1"] if command == "explain" else []
            shell(capsys, command, *inputs, *more, *query)
        shell(capsys, "list", *([odd] if part == "word" else []))
        said(lambda: rd.read_run(odd))
        assert rd.read_run(open(os.fsencode(odd), "rb")).name  # noqa: SIM115 - its name is bytes


def test_half_characters_in_settings_are_refused_or_replaced() -> None:
    """Policies, edits, names and texts of a measure with half a character raise what bad input raises."""
    half = halved("nDCG@10", random.Random(1))
    run, grades = rd.read_run(ROWS["run"]), rd.read_judgments(ROWS["judgments"])
    for work in (
        lambda: rd.Policy(primary=half),
        lambda: rd.Policy.from_toml(f'primary = "{half}"'),
        lambda: rd.read_run(ROWS["run"], name=half),
        lambda: rd.compare(run, rd.read_run(ROWS["run"], name=half), grades).to_json(),
        lambda: rd.evaluate({half: run}, grades),
        lambda: rd.compare(run, run, grades, measures=[half]),
        lambda: rd.compare(run, run, grades, edits=(Edit(half, half, "grade", None, 1, 2),)),
        lambda: read_typed((half, half, half, half)),
        lambda: read_typed(("", "", "", f"{half}\tgood")),
    ):
        said(work)
    assert whole_text(half) != half


@pytest.mark.parametrize(("door", "name"), every(6, [(door, name) for door in DOORS for name in DOORS[door].inputs]))
def test_what_enters_is_read_or_refused(door: str, name: str) -> None:
    """No input ends in a traceback."""
    with suppress(REFUSED):
        DOORS[door].prepare(name, DOORS[door].inputs[name])()
