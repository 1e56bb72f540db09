"""What is given at each door, of at most 1 MB, by what is worst in it; none is anything that anybody has."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Any

from rankdash.reading.typed import MOST_LETTERS
from rankdash.report.tables import COLUMNS
from tests.reading.attacks import ATTACKS, MEGABYTE, filled
from tests.reading.attacks_in_text import lines_up_to, marked, numbered

Make = Callable[[], bytes]
#: What a row of the database held, and what it holds now, as text.
MakeStored = Callable[[dict[str, Any]], str]

DIGITS = "9" * 100_000
RUN, LABELS = "query_id,doc_id,rank\n", "query_id,doc_id,relevance\n"
VOTES, EDITS = "query_id,rater,vote\n", ",".join(COLUMNS) + "\n"
_SOME = 100_000


def _lines(line: str, begin: str = "", size: int = MEGABYTE) -> Make:
    """Lines with a number in each, until a size is reached."""
    return lambda: lines_up_to(numbered(line), begin, size)


def _all(part: str, begin: str = "", end: str = "", size: int = MEGABYTE) -> Make:
    return lambda: filled(part, begin, end, size)


#: What no text should hold, behind the first line of each file of rows.
def _any_rows(head: str) -> dict[str, Make]:
    return {
        "one enormous line": _all("x", head),
        "lines without cells": _all("\n", head),
        "commas": _all(",", head),
        "quotes": _all('"', head),
        "a quote without an end": _all("q,a,1\n", head + '"'),
        "brackets": _all("[", head),
        "spaces": _all(" ", head),
        "zeros": _all("\0", head),
        "marks on a letter": lambda: (head + marked(480_000)).encode(),
        "full-width signs": _all("，", head),
        "bytes that are no text": lambda: head.encode() + b"\xff\xfe" * 400_000,
        "heads": _all(head),
    }


UPLOADS: dict[str, Make] = {
    **ATTACKS,
    "one query, 100,000 documents": _lines("q,{i},1", RUN.replace("rank", "score")),
    "100,000 queries, one document": _lines("{i},d,1", RUN),
    "one document again and again": _all("q,d,1\n", RUN),
    "long ids": _lines("q,{i}" + "x" * 10_000 + ",1", RUN.replace("rank", "score")),
    "long numbers": _lines("q,d{i},0." + "1" * 10_000, RUN.replace("rank", "score")),
    "names that fold to one": _lines("Q{i} ,Ｄ{i},1", RUN),
}

#: The votes of raters: what is read, and what is counted.
_RATERS: dict[str, Make] = {
    "60,000 raters on one query": _lines("q,r{i},good", VOTES),
    "a rater on each query": _lines("q{i},r{i},good", VOTES),
    "one rater on one query": _all("q,r,good\n", VOTES),
    "raters without a name": _all("q,,good\n", VOTES),
    "long names": _lines("q,{i}" + "r" * 10_000 + ",bad", VOTES),
    "documents": _lines("q,d{i},r{i},good,A", "query_id,doc_id,rater,vote,left\n"),
    "two models on each row": _lines("q,m{i},n{i},good", "query_id,model_a,model_b,vote\n"),
    "as many words as votes": _lines("q{i},r,word {i}", VOTES),
    "numbers as votes": _lines("q,r{i},{i}", VOTES),
    "columns of raters": lambda: filled("good,", "query_id," + "".join(f"r{i}," for i in range(60_000)) + "\nq,"),
}
VOTE_FILES: dict[str, Make] = {**_any_rows(VOTES), **_RATERS}
#: On queries of the lists beside them, so that they are counted.
SHELL_VOTES: dict[str, Make] = {
    name: _RATERS[name] for name in ("60,000 raters on one query", "as many words as votes", "long names")
} | {"quotes": VOTE_FILES["quotes"], "columns of raters": _RATERS["columns of raters"]}

LABEL_FILES: dict[str, Make] = {
    **_any_rows(LABELS),
    "one query, 100,000 documents": _lines("q,{i},1", LABELS),
    "100,000 queries, one document": _lines("q{i},d,1", LABELS),
    "one document again and again": _all("q,d,1\n", LABELS),
    "one document, another grade each time": _lines("q,d,{i}", LABELS),
    "as many words as labels": _lines("q,d{i},word {i}", LABELS),
    "a number of 100,000 digits": lambda: f"{LABELS}q,d,{DIGITS}\n".encode(),
    "long ids": _lines("q,{i}" + "d" * 10_000 + ",1", LABELS),
    "deep JSON": _all('{"q":'),
}

_EDIT = "q,{{i}},{what},{list},,{after}"
EDIT_FILES: dict[str, Make] = {
    **_any_rows(EDITS),
    "grades of 30,000 documents": _lines("q,{i},grade,A and B,,3", EDITS),
    "grades of one document": _all("q,d,grade,A and B,,3\n", EDITS),
    "documents put at the top of one list": _lines("q,n{i},add,A,,1", EDITS),
    "documents put at the end of one list": _lines("q,n{i},add,B,,1000000", EDITS),
    "documents of 50,000 queries": _lines("q{i},n,add,A,,1", EDITS),
    "one document up and down": _all("q,a1,rank,A,,1\nq,a1,rank,A,1,3\n", EDITS),
    "documents added and taken out": _lines("q,n{i},add,A,,1\nq,n{i},remove,A,1,", EDITS),
    "rows that are no edits": _all("x,x,x,x,x,x\n", EDITS),
    "a number of 100,000 digits": lambda: f"{EDITS}q,d,grade,A and B,,{DIGITS}\n".encode(),
    "long ids": _lines("q,{i}" + "d" * 10_000 + ",grade,A and B,,3", EDITS),
    "apostrophes": lambda: f"{EDITS}{'’' * 10 + chr(39) * 400_000}=,d,grade,A and B,,3\n".encode(),
}


def _some(**texts: str) -> dict[str, Make]:
    return {name.replace("_", " "): text.encode for name, text in texts.items()}


def _pasted(part: str, begin: str = "", size: int = MOST_LETTERS) -> str:
    return filled(part, begin, size=size).decode()


def _rows(line: str, size: int = MOST_LETTERS) -> str:
    return lines_up_to(numbered(line), size=size).decode()


#: Texts that are as long as what is read, in the first field.
TYPED: dict[str, Make] = _some(
    one_list=_pasted("3 2 1 0 "),
    a_query_on_each_line=_pasted("3\n"),
    named_documents=_rows("d{i}:3"),
    named_documents_of_one_query=_pasted("d:3 ", "e:2 "),
    empty_lines=_pasted("\n", "3"),
    pages=_pasted("\f", "3"),
    brackets=_pasted("[(", "3 "),
    quotes=_pasted('"'),
    blanks=_pasted(" ,;", "3"),
    colons=_pasted("a:", "3"),
    a_number_of_100_000_digits=DIGITS,
    words=_pasted("x "),
    full_width_digits=_pasted("３　２，"),
    long_ids=_rows("{i}" + "d" * 10_000 + ":3"),
    rows_of_a_table=_rows("q{i}\t3 2\t2 3"),
    rows_of_one_query=_pasted("q\t3\t2\n"),
    cells=_pasted("3\t"),
) | {"a megabyte of grades": _all("3 2 1 0 "), "a megabyte of lines": _all("3\n")}
PASTED: dict[str, Make] = _some(
    good=_pasted("good "),
    good_on_lines=_pasted("good\n"),
    good_between_commas=_pasted("good,"),
    votes_on_one_query=_pasted("q\tgood\n"),
    votes_with_ids=_rows("q{i}\tgood"),
    a_row_of_votes=_pasted("good\t", "q\t"),
    other_words=_rows("x{i},y{i}"),
    raters_on_one_query=VOTES + _rows("q,r{i},good", MOST_LETTERS - 100),
    a_million_counted="400000 200000 400000",
    counts_of_100_000_digits=f"good {DIGITS}",
    signs=_pasted("+=-"),
    quotes=_pasted('"'),
    brackets=_pasted("["),
    marks_on_a_letter=marked(MOST_LETTERS),
    two_models_on_each_row="query_id,model_a,model_b,vote\n" + _rows("q{i},x{i},y{i},good", MOST_LETTERS - 100),
) | {"a megabyte of votes": _all("good ")}


def _listed(name: str, values: Iterable[str]) -> bytes:
    return f"{name} = [{', '.join(values)}]\n".encode()


#: Beyond what is looked at, and just within it.
_TOML = 65_000
TOML: dict[str, Make] = {
    "a key of 500,000 parts": _all("a.", end="a=1\n"),
    "keys of many parts": _all("a.", end="a=1\n", size=_TOML),
    "keys of eight parts": _lines("a.b.c.d.e.f.g.k{i} = 1", size=_TOML),
    "tables of eight parts": _lines("[a.b.c.d.e.f.g.k{i}]", size=_TOML),
    "brackets": _all("["),
    "brackets within what is read": _all("[", "a=", size=_TOML),
    "curly brackets": _all("{a=", "a=", size=_TOML),
    "brackets in quotes": _all("[", 'primary = "', '"\n', size=_TOML),
    "a line of megabytes": _all("x"),
    "a quote without an end": _all("x", 'primary = "', size=_TOML),
    "quotes": _all('"', size=_TOML),
    "three quotes": _all('"""\\', size=_TOML),
    "apostrophes": _all("'", size=_TOML),
    "backslashes": _all("\\", 'primary = "', '"\n', size=_TOML),
    "fields that are none": _lines("k{i} = 1", size=_TOML),
    "fields that are nearly one": _lines("guardrail{i} = 1", size=_TOML),
    "the same field again": _all('primary = "AP"\n', size=_TOML),
    "many guardrails": lambda: _listed("guardrails", (f'["nDCG@{i}", 0.01]' for i in range(1, 2_500))),
    "the deepest cutoff": lambda: b'primary = "nDCG@999999999"\ncutoff = 999999999\n',
    "a number of 60,000 digits": lambda: f"mpe = {DIGITS[:60_000]}\n".encode(),
    "a whole number of 60,000 digits": lambda: f"cutoff = {DIGITS[:60_000]}\n".encode(),
    "a measure of 60,000 brackets": _all("(", 'primary = "', '"\n', size=_TOML),
    "a measure of many parts": _all("nDCG+", 'primary = "', '"\n', size=_TOML),
    "segments": lambda: _listed("segments", (f'"s{i}"' for i in range(6_000))),
    "a table of gains": lambda: f'[convention]\ngain = "{", ".join(f"{i}:{i}" for i in range(5_000))}"\n'.encode(),
    "comments": _all("#\n", size=_TOML),
    "bytes that are no text": lambda: b"\xff" * 60_000,
}
SHELL_TOML: dict[str, Make] = {
    name: TOML[name]
    for name in (
        "a key of 500,000 parts",
        "keys of eight parts",
        "brackets",
        "brackets in quotes",
        "fields that are nearly one",
        "many guardrails",
        "a measure of 60,000 brackets",
    )
}
SHELL_EDITS: dict[str, Make] = {
    name: EDIT_FILES[name]
    for name in (
        "one enormous line",
        "quotes",
        "grades of 30,000 documents",
        "grades of one document",
        "documents put at the top of one list",
        "one document up and down",
        "apostrophes",
        "a number of 100,000 digits",
    )
}
#: What is typed is read by ``rankdash.reading.typed`` and its like at a shell of Python.
SHELL_TYPED: dict[str, Make] = TYPED


def _deep(begin: str, end: str = "") -> MakeStored:
    """Brackets in brackets, in the place of a member."""
    return lambda own: json.dumps(own)[:-1] + f', "more": {begin * _SOME}1{end * _SOME}}}'


def _with(**changes: Any) -> MakeStored:
    return lambda own: json.dumps({**own, **changes})


def _upto(make: Callable[[int], Any], size: int = MEGABYTE - 50_000) -> list[Any]:
    """Values whose JSON takes that many bytes."""
    found, length = [], 0
    for i in count():
        found.append(make(i))
        length += len(json.dumps(found[-1])) + 2
        if length > size:
            return found
    raise AssertionError


def _policy(changes: Callable[[], Mapping[str, Any]]) -> MakeStored:
    return lambda own: json.dumps({**own, "policy": {**own["policy"], **changes()}})


def _edits(make: Callable[[int], Iterable[Any]]) -> MakeStored:
    return lambda own: json.dumps({**own, "edits": _upto(lambda i: [*make(i)])})


_ANYWHERE: dict[str, MakeStored] = {
    "deep lists": _deep("[", "]"),
    "deep objects": _deep('{"a":', "}"),
    "a number of 100,000 digits": lambda own: json.dumps(own)[:-1] + f', "more": {DIGITS}}}',
    "no JSON": lambda own: "[" * MEGABYTE,
    "an empty object": lambda own: "{}",
    "a list": lambda own: json.dumps(_upto(lambda i: i)),
    "a text": lambda own: json.dumps("x" * 900_000),
    "many members": lambda own: json.dumps({**own, **{f"m{i}": i for i in range(50_000)}}),
    "null": lambda own: "null",
}
#: The rows of a saved comparison that hold JSON, as table and column, and what stands there.
STORED: dict[tuple[str, str], dict[str, MakeStored]] = {
    ("revision", "state"): {
        **_ANYWHERE,
        "a policy of other fields": _policy(lambda: {f"k{i}": i for i in range(50_000)}),
        "a policy of near fields": _policy(lambda: {f"guardrail{i}": i for i in range(40_000)}),
        "many guardrails": _policy(lambda: {"guardrails": _upto(lambda i: [f"nDCG@{i + 1}", 0.01])}),
        "a measure of brackets": _policy(lambda: {"primary": "(" * 900_000}),
        "a long note": _with(note="x" * 900_000),
        "a policy of a text": _with(policy="x"),
        "names of a list": _with(names=[1]),
        "many questions": lambda own: json.dumps({**own, "asked": _upto(lambda i: ["q", f"d{i}", [], []])}),
    },
    ("step", "body"): {
        **_ANYWHERE,
        "grades of many documents": _edits(lambda i: ("q", f"d{i}", "grade", None, None, 3.0)),
        "grades of one document": _edits(lambda i: ("q", "d", "grade", None, 3.0, 2.0)),
        "documents put at the top": _edits(lambda i: ("q", f"n{i}", "add", "a", None, 1)),
        "one document up and down": _edits(lambda i: ("q", "a1", "rank", "a", 1 + 2 * (i % 2), 3 - 2 * (i % 2))),
        "edits of many queries": _edits(lambda i: (f"q{i}", "n", "add", "b", None, 1)),
        "edits that are none": _edits(lambda i: (i,)),
        "edits of other values": _edits(lambda i: ([], {}, "grade", None, "x", [])),
        "many queries reset": lambda own: json.dumps({**own, "reset": _upto(lambda i: f"q{i}")}),
        "many that hold": lambda own: json.dumps({**own, "held": _upto(lambda i: [f"q{i}", "a", "b"])}),
    },
    ("input", "description"): {
        **_ANYWHERE,
        "many notes": lambda own: json.dumps({**own, "source": {**own["source"], "notes": _upto(lambda i: f"n{i}")}}),
        "a source of a text": _with(source="x"),
    },
    ("result", "json"): _ANYWHERE,
    ("decision", "verdict"): _ANYWHERE,
}
