"""TOML is bounded before a parser sees it: its size, the parts of its keys, and its brackets within each other."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.policy.toml import MOST_BYTES, MOST_DEEP, MOST_PARTS, read_toml

PACKAGE = Path(rd.__file__).parent
DEEP = "The policy is nested too deep: line "
#: What takes gigabytes, minutes, or the whole stack of a parser that reads it.
ATTACKS = {
    "a key of many parts": ("a." * 30_000 + "a = 1", f"{DEEP}1 has a key of more than 8 parts"),
    "a key of quoted parts": (
        "mpe = 1\n" + "\"a\".'b' . " * 5_000 + "a = 1",
        f"{DEEP}2 has a key of more than 8 parts",
    ),
    "a header of many parts": ("\n\n[" + "a." * 9 + "a]", f"{DEEP}3 has a key of more than 8 parts"),
    "a key inside of a table": ("a = {" + "b." * 9 + "c = 1}", f"{DEEP}1 has a key of more than 8 parts"),
    "lists in lists": ("a = " + "[" * 30_000, f"{DEEP}1 has brackets more than 8 deep"),
    "brackets alone": ("[" * 1_000, f"{DEEP}1 has brackets more than 8 deep"),
    "tables in tables": ("a = " + "{a = " * 9, f"{DEEP}1 has brackets more than 8 deep"),
    "tables in lists": ("a = " + "[{a = " * 5, f"{DEEP}1 has brackets more than 8 deep"),
    "lists over lines": ("a = " + "[ # [\n" * 9, f"{DEEP}9 has brackets more than 8 deep"),
    "a large document": ("# " + "x" * MOST_BYTES, "The policy is larger than 65,536 bytes"),
    "letters of several bytes": ('x = "' + "甲" * 30_000 + '"', "The policy is larger than 65,536 bytes"),
    "text without an end": ('a = """' + '\\"""' * 10_000, "The policy is not valid TOML"),
    "ends without a text": ('"""' * 20_000, "The policy is not valid TOML"),
    "many unknown names": ("".join(f"k{i} = 1\n" for i in range(6_000)), "And 5,990 more names are no fields."),
    "a long unknown name": ("x" * 60_000 + " = 1", "is not a field of a policy"),
    "a long value": ('judgments = "' + "x" * 60_000 + '"', "judgments must be one of auto"),
    "a number of many digits": ("mpe = 1" + "0" * 400, "margins are positive numbers"),
    "a whole number of many digits": ("n_min = 1e300", "a whole number from 1 to 1,000,000,000"),
    "a limit of many digits": ("[convention]\nrel = 1" + "0" * 400, "is not a number"),
    "a gain of many digits": ("[convention.gain]\n1 = 1" + "0" * 400, "grades and gains are numbers"),
    "many gains": ("[convention.gain]\n" + "".join(f"{i} = 1\n" for i in range(1, 2_000)), "a table of 1,999 gains"),
    "many guardrails": ("[guardrails]\n" + "".join(f'"P@{i}" = 0.1\n' for i in range(1, 4_000)), "at most 20"),
    "many segments": (f"segments = {[f's{i}' for i in range(5_000)]}", "segments lists 5,000, but at most 20"),
}


@pytest.mark.parametrize(("text", "says"), ATTACKS.values(), ids=ATTACKS)
def test_what_would_take_a_parser_down_is_refused_at_once(text: str, says: str) -> None:
    """A policy that is too large or too deep is refused in a sentence, with its line."""
    with pytest.raises(rd.PolicyError) as error:
        rd.Policy.from_toml(text)
    assert says in str(error.value)
    assert len(str(error.value)) < 10_000


@pytest.mark.parametrize("name", ["a key of many parts", "brackets alone", "a large document"])
def test_a_shell_refuses_them_in_one_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On the command line such a file is one line of a problem, with its name, and the exit status 2."""
    text, says = ATTACKS[name]
    path = tmp_path / "deep.toml"
    path.write_text(text, "utf-8")
    run = tmp_path / "run.csv"
    run.write_text("query_id,doc_id,rank,relevance\nq,a,1,1\n", "utf-8")
    assert main(["compare", str(run), str(run), "--policy", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"{path}: {says}")


def test_of_an_endless_file_only_the_beginning_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    """A file without an end, such as a device, is refused as soon as it is too large."""
    assert main(["compare", "a", "b", "--policy", "/dev/zero"]) == 2
    assert "The policy is larger than 65,536 bytes" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        "a.b.c.d.e.f.g.h = 1",
        "[a.b.c.d.e.f.g.h]\ni.j.k.l.m.n.o.p = 1.5",
        "a = [[[[[[[[1]]]]]]]]",
        "a = [[[[[[[{b = 1}]]]]]]]\nc = [[[[[[[[]]]]]]]]",
        "# [[[[[[[[[[[[ a.b.c.d.e.f.g.h.i.j\n",
        'a = "[[[[[[[[[[[[ a.b.c.d.e.f.g.h.i.j \\" ]"',
        "a = '[[[[[[[[[[[[ \\'",
        'a = """\n[[[[[[[[[[[[ "" \\""" ]\n"""""',
        "a = '''\n[[[[[[[[[[[[ '' ]\n'''''",
        '"a.b.c.d.e.f.g.h.i.j" = [1.5, 07:32:00.5, 2.5e-3, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5]',
    ],
)
def test_what_is_deep_enough_for_a_policy_is_read(text: str) -> None:
    """Keys of 8 parts and brackets 8 deep are read, and whatever stands in quoted text or in a comment."""
    assert read_toml(text) == tomllib.loads(text)


def bounded(text: str) -> bool:
    """The slow twin: one letter after another, whether keys and brackets of a document are within their limits."""
    at, depth, parts, dot = 0, 0, 0, False
    while at < len(text):
        letter, start = text[at], at
        if letter in " \t":
            at += 1
            continue
        if letter == "#":
            at = ended(text, at, "\n")
        elif letter in "\"'":
            at = after_quoted(text, at, letter)
        elif letter.isalnum() or letter in "_-":
            while at < len(text) and (text[at].isalnum() or text[at] in "_-"):
                at += 1
        else:
            at += 1
        is_part = letter not in "#" and (letter in "\"'_-" or letter.isalnum())
        parts = parts + 1 if is_part and dot else 1 if is_part else parts if letter == "." else 0
        dot = letter == "." and parts > 0
        depth = max(0, depth + (letter in "[{") - (letter in "]}"))
        if parts > MOST_PARTS or depth > MOST_DEEP:
            return False
        assert at > start
    return True


def ended(text: str, at: int, end: str) -> int:
    """Where a text ends that goes on to a letter, which is no part of it."""
    found = text.find(end, at)
    return len(text) if found < 0 else found


def after_quoted(text: str, at: int, quote: str) -> int:
    """Behind a quoted text; one on a single line has no end, or ends with its line."""
    three = text.startswith(quote * 3, at)
    at += 3 if three else 1
    while at < len(text):
        if quote == '"' and text[at] == "\\" and (three or text[at + 1 : at + 2] != "\n"):
            at += 2
        elif three and text.startswith(quote * 3, at):
            more = 3
            while more < 5 and text.startswith(quote, at + more):
                more += 1
            return at + more
        elif not three and text[at] == quote:
            return at + 1
        elif not three and text[at] == "\n":
            return at
        else:
            at += 1
    return len(text)


@pytest.mark.parametrize("seed", range(20))
def test_random_documents_are_bounded_as_their_slow_twin_says(seed: int) -> None:
    """Whatever stands next to whatever, keys and brackets are counted as letter by letter, and no reader fails."""
    chance = random.Random(seed)
    pieces = ['"', '"""', "'", "'''", "\\", "#", "\n", ".", "[", "]", "{", "}", "a", "b-1", " ", "=", "[[", "a.b.c.d"]
    deep = 0
    for _ in range(500):
        text = "".join(chance.choices(pieces, k=chance.randrange(60)))
        try:
            read_toml(text)
        except ValueError as error:
            refused = "nested too deep" in str(error)
        else:
            refused = False
        assert refused is not bounded(text), text
        deep += refused
    assert 0 < deep < 500


def test_toml_is_read_in_one_place() -> None:
    """No other module of the package has a parser of TOML: nothing gets past the limits."""
    users = [path for path in PACKAGE.rglob("*.py") if "tomllib" in path.read_text("utf-8")]
    assert users == [PACKAGE / "policy" / "toml.py"]
