"""Saved comparisons at a shell: save, list, open, where links lead, and one sentence for whatever goes wrong."""

import socket
from pathlib import Path
from typing import Any

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.cli import serve
from rankdash.store import Settings, Store
from tests.long import every
from tests.noted import besides_notes

QRELS = "".join(f"q{i} 0 good 2\nq{i} 0 fair 1\nq{i} 0 bad 0\n" for i in range(60))
URL = "https://rank.example/team"
LINK = f"{URL}/?comparison="
FILES = ["a.trec", "b.trec", "-q", "q.txt"]


def trec(lists: list[list[str]]) -> str:
    """A TREC run of lists, the best document first."""
    rows = [(i, rank, doc) for i, docs in enumerate(lists) for rank, doc in enumerate(docs, 1)]
    return "".join(f"q{i} Q0 {doc} {rank} {9 - rank} x\n" for i, rank, doc in rows)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two runs and judgments, the working directory in it, and a store of its own."""
    (tmp_path / "a.trec").write_text(trec([["bad", "fair", "good"]] * 60), "utf-8")
    (tmp_path / "b.trec").write_text(trec([["good", "fair", "bad"], ["fair", "bad", "good"]] * 30), "utf-8")
    (tmp_path / "q.txt").write_text(QRELS, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RANKDASH_STORE")
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("RANKDASH_URL", f"{URL}/")
    return tmp_path


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What the dashboard was started with, instead of starting it."""
    calls: list[tuple[Any, ...]] = []
    monkeypatch.setattr(serve, "serve", lambda *arguments: calls.append(arguments))
    return calls


def saved(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """The id under which the files are saved."""
    assert main(["save", *FILES, *more]) == 0
    told = capsys.readouterr()
    assert told.out.startswith(LINK)
    assert told.out.count("\n") == 1
    assert besides_notes(told.err) == ""
    return told.out.strip().removeprefix(LINK)


def store() -> Store:
    """The store that the environment names."""
    return Store.open(Settings.from_environment())


@pytest.mark.parametrize("named", ["", "rank.example", "javascript:alert(1)", "https://u:secret@rank.example/"])
def test_without_an_address_there_is_an_id_and_no_link(
    named: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no link can begin with RANKDASH_URL the id is printed, and told how it is opened, without a secret; with
    --quiet the id alone.
    """
    monkeypatch.setenv("RANKDASH_URL", named)
    assert main(["save", *FILES]) == 0
    (id,) = (row.id for row in store().listed().rows)
    out, err = capsys.readouterr()
    assert out == f"{id}\n"
    assert f"`rankdash open {id}`" in err
    assert ("RANKDASH_URL is " in err) == bool(named)
    assert "secret" not in err
    if not named:
        assert main(["save", *FILES, "--quiet"]) == 0
        assert capsys.readouterr() == (f"{store().listed().rows[0].id}\n", "")


def test_everything_that_is_written_has_the_same_link(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`compare --save`, and the report on what is saved, lead where `save` does; what was saved is told."""
    assert main(["compare", *FILES, "--save", "--out", "r.md"]) == 0
    (id,) = (row.id for row in store().listed().rows)
    assert f"Saved: {LINK}{id}\n" in capsys.readouterr().err
    assert main(["report", id, "-o", "report.md"]) == 0
    monkeypatch.delenv("RANKDASH_URL")
    for file in ("r.md", "report.md"):
        assert f"({LINK}{id})" in Path(file).read_text("utf-8")
    assert main(["report", id, "-o", "alone.md"]) == 0
    assert id not in Path("alone.md").read_text("utf-8")


def test_an_id_is_whole(served: list[tuple[Any, ...]], capsys: pytest.CaptureFixture[str]) -> None:
    """`rankdash open` takes an id or a link; anything else is one sentence."""
    id = saved(capsys)
    for named in (id, f"http://localhost:8501/?comparison={id}"):
        assert main(["open", named]) == 0
        assert served[-1][-1] == id
    for wrong, said in ((id[:8], "no sav"), (f"{id[:8]}_", "neither"), ("beef", "no sav")):
        assert main(["open", wrong]) == 2
        told = capsys.readouterr().err
        assert said in told
        assert told.count("\n") == 1


def test_saving_prints_the_link_and_keeps_the_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    """One line, the link below RANKDASH_URL, is on standard output; the verdict is that of `rankdash compare`."""
    Path("p.toml").write_text('primary = "nDCG@2"\n', "utf-8")
    id = saved(capsys, "--policy", "p.toml", "--name", "Weekly")
    policy = rd.Policy(primary="nDCG@2")
    comparison = rd.compare(rd.read_run("a.trec"), rd.read_run("b.trec"), rd.read_judgments("q.txt"), policy=policy)
    (result,) = store().results(id)
    assert result.json == rd.decide(comparison).to_dict()
    assert store().load(id).state.name == "Weekly"
    assert rd.decide(rd.load(id)) == rd.decide(comparison)


def test_files_that_do_not_belong_together_are_not_saved(capsys: pytest.CaptureFixture[str]) -> None:
    """What `rankdash compare` refuses is told as there, and leaves nothing behind."""
    Path("q.txt").write_text(QRELS.replace("q", "other"), "utf-8")
    assert main(["compare", "a.trec", "b.trec", "-q", "q.txt"]) == 2
    said = capsys.readouterr().err
    assert main(["save", "a.trec", "b.trec", "-q", "q.txt"]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", said)
    assert store().listed().total == 0


def test_the_list_has_what_was_saved(capsys: pytest.CaptureFixture[str]) -> None:
    """`rankdash list` prints a row for each, the last changed first; with words those that have all of them."""
    assert main(["list"]) == 0
    assert capsys.readouterr().out == "No comparison is saved here yet. Save one: rankdash save A B -q Q\n"
    ids = [saved(capsys, "--name", name) for name in ("100% weekly", "Other")]
    store().tag(ids[1], "Q3 review")
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["id", *reversed(ids)]
    assert "a → b  nDCG@10  +0." in lines[1]
    assert lines[1].endswith("Q3 review")
    for words, wanted in ((["%"], ids[:1]), (["REVIEW", "oth"], ids[1:]), (["weekly", "review"], [])):
        assert main(["list", *words]) == 0
        assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]] == wanted
    assert main(["list", "--most", "1"]) == 0
    assert capsys.readouterr().out.endswith("and 1 more: --most 2\n")


@pytest.mark.parametrize(
    "name", every(3, ["\x1b[31mred", "two\nlines\r", "\u202eevil", "nul\0l", "=1+1", "n" * 100_000])
)
def test_hostile_names_are_listed_letter_for_letter(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of a name drives the terminal: it stands on one line of at most a screen, with every mark spelled out."""
    saved(capsys, "--name", name)
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 2
    assert all(letter.isprintable() for line in out.split("\n") for letter in line)
    assert len(out) < 700


@pytest.mark.parametrize("how", [["open"], []])
def test_files_are_opened_on_a_saved_comparison(
    how: list[str], served: list[tuple[Any, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    """`rankdash A B -q Q` and `rankdash open A B -q Q` save the comparison and start the dashboard on it."""
    assert main([*how, "a.trec", "b.trec", "-q", "q.txt", "--port", "8765", "--headless"]) == 0
    ((port, host, names, headless, id),) = served
    assert (port, host, names, headless) == (8765, None, [], True)
    assert [row.id for row in store().listed().rows] == [id]
    assert main(["-q", "q.txt", "a.trec", "b.trec"]) == 0
    assert len(served) == 2
    assert besides_notes(capsys.readouterr().err) == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["open", "0" * 32], "There is no saved comparison '00000000"),
        (["open", "\x1b[2J"], "'\\x1b[2J' is neither"),
        (["open", "http://[bad"], "'http://…' is neither"),
        (["open"], "Name the lists of A and B, or the id or link of a saved comparison"),
        (["save"], "Name the lists of A and B, or votes with --votes."),
        (["compar", "a.trec", "b.trec"], "'compar' is neither a command nor a file. Did you mean rankdash compare?"),
        (["missing.trec", "b.trec", "-q", "q.txt"], "missing.trec: the file cannot be opened: No such file"),
        (["save", "a.trec", "b.trec"], "There are no judgments"),
    ],
)
def test_what_cannot_be_opened_is_one_sentence(
    arguments: list[str], said: str, served: list[tuple[Any, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Unknown ids, misspelled commands and missing files: one sentence on stderr, exit status 2, no server."""
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.err.count("\n") == 1
    assert (told.out, served) == ("", [])


COMMANDS = (["list"], ["save", *FILES], ["open", "0" * 32], FILES)


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("RANKDASH_STORE", "off", "Comparisons are not saved here: RANKDASH_STORE is off."),
        ("RANKDASH_DATABASE_URL", "mysql://u:secret@h/d", "RANKDASH_DATABASE_URL is "),
        ("RANKDASH_DATABASE_URL", "postgresql://u:secret@127.0.0.1:9/d", "127.0.0.1:9/d cannot be reached"),
        ("RANKDASH_HOME", "q.txt/home", "rankdash may not write to"),
        ("RANKDASH_FILES_URL", "nosuch://x", "RANKDASH_FILES_URL is "),
    ],
)
def test_a_store_that_cannot_be_used_is_one_sentence(
    arguments: list[str],
    name: str,
    value: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    served: list[tuple[Any, ...]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A store that is off, or wrongly set, is told in one line without a password, with exit status 2."""
    monkeypatch.setenv(name, value)
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.err.count("\n") == 1
    assert "secret" not in told.err
    assert (told.out, served) == ("", [])


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_a_broken_store_is_one_sentence_and_stays_as_it_is(
    arguments: list[str], files: Path, served: list[tuple[Any, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    """A database that is none is told, and left alone."""
    home = files / "home"
    home.mkdir()
    (home / "rankdash.sqlite").write_bytes(b"not a database, and longer than a header of one" * 50)
    before = (home / "rankdash.sqlite").read_bytes()
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert "broken" in told.err
    assert told.err.count("\n") == 1
    assert ((home / "rankdash.sqlite").read_bytes(), served) == (before, [])


def test_a_file_that_is_called_like_a_command_is_opened_by_its_path(served: list[tuple[Any, ...]]) -> None:
    """`rankdash ./list b.trec -q q.txt` is about files; a file that looks like an id is a file."""
    Path("list").write_bytes(Path("a.trec").read_bytes())
    Path("0" * 32).write_bytes(Path("a.trec").read_bytes())
    assert main(["./list", "b.trec", "-q", "q.txt"]) == 0
    assert main(["0" * 32, "b.trec", "-q", "q.txt"]) == 0
    assert len(served) == 2


def test_a_port_that_is_used_is_passed_over() -> None:
    """Without --port the first one that is free from 8501 on is taken."""
    first = serve.free_port(None)
    with socket.create_server(("localhost", first)):
        assert serve.free_port(None) > first
