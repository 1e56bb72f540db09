"""Uploads are read in a process of its own: the same comes out, within limits, and whoever waits sees it."""

import re
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from rankdash import intake as files
from rankdash.intake import Decisions
from rankdash.reading import ReadError
from rankdash.reading.typed import TypedError, read_typed
from rankdash.sandbox import processes
from tests.awaited import HUNG, awaited
from tests.growth import near_linear
from tests.intake.test_intake import given
from tests.long import every
from tests.reading.attacks import ATTACKS
from tests.reading.made_files import workbook

ROOT = Path(__file__).parents[2]
CSV = b"query_id,doc_id,rank,score\nq,a,1,2.5\nq,\xe7\x94\xb2,2,nan\nr,b,1,1\n"


SAMPLES: dict[str, tuple[str, bytes, Decisions]] = {
    "run": ("run", CSV, Decisions()),
    "order": ("run", CSV, Decisions(order="score", columns=(("score", "rank"),))),
    "models": ("models", b"model,query_id,doc_id,rank,relevance\nx,q,a,1,2\ny,q,b,1,0\n", Decisions()),
    "workbook": (
        "run",
        workbook({"S": [["query_id", "doc_id", "rank"], ["q", "007", 1], ["q", "b", 2]], "other": [["x"]]}),
        Decisions(),
    ),
    "grades": ("judgments", b"query_id,doc_id,relevance\nq,a,E\nq,b,I\n", Decisions(grades=(("E", 3.0), ("I", 0.0)))),
    "words": ("judgments", b"query_id,doc_id,relevance\nq,a,blue\nq,b,red\n", Decisions()),
    "sheets": ("run", workbook({name: [["query_id", "doc_id"], ["q", "a"]] for name in "AB"}), Decisions()),
    "queries": ("queries", b"query_id,text,weight\nq,red shoes,0.5\n", Decisions()),
    "votes": ("votes", b"query_id,vote,rater\nq,good,r\nr,bad,r\n", Decisions()),
    "items": ("items", b'doc_id,category,date,vector\na,x,2026-10-01,"[1, 2]"\nb,,,\n', Decisions()),
    "broken": ("run", b"query_id,doc_id,score\nq,a,x\n", Decisions()),
    "damaged workbook": ("run", workbook({"S": [["query_id", "doc_id"], ["q", "a"]]})[:-60], Decisions()),
    "latin": ("run", "query_id,doc_id,rank\nq,é,1\n".encode("utf-16"), Decisions(encoding="utf-16")),
    "subtopics": ("judgments", b"q 1 d 1\nq 2 d 0\nq 1 e 1\n", Decisions()),
    "bytes": ("run", bytes(range(256)), Decisions()),
}


@pytest.mark.parametrize("sample", every(3, SAMPLES))
def test_the_same_comes_out_as_beside_it(sample: str) -> None:
    """What a process of its own looks at and reads is what this one would: table, notes, errors, choices."""
    kind, content, decisions = SAMPLES[sample]
    file = given(f"{sample}.csv", content)
    there, here = processes.look(file, decisions), files.look(file, decisions)
    assert plain(there) == plain(here)
    assert plain(processes.read(file, kind, decisions, form=here.form)) == plain(
        files.read(file, kind, decisions, form=here.form)
    )


def plain(value: Any) -> Any:
    """A record as something that can be compared, errors too."""
    if isinstance(value, pa.Table):  # nan is no other nan
        return str(value.schema), repr(value.to_pydict())
    if is_dataclass(value):
        return [type(value).__name__, *(plain(getattr(value, field.name)) for field in fields(value))]
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    if isinstance(value, ReadError):
        return [type(value).__name__, value.problems, value.count]
    return value


def test_a_letor_file_is_read_with_its_scores_and_sizes() -> None:
    """Files that belong together go together."""
    letor, numbers = given("l.txt", b"2 1:0.5\n0 1:1\n"), given("s.txt", b"0.5\n0.7\n")
    how = {"scores": numbers, "groups": given("g.txt", b"2\n")}
    here, there = (read(letor, "run", name="m", **how) for read in (files.read, processes.read))
    assert plain(there) == plain(here)


@pytest.mark.parametrize(
    ("allowed", "said"),
    every(
        3,
        [
            (processes.Allowed(10**7, 60, 60), r"takes more than (60 seconds or )?10 MB"),
            (processes.Allowed(10**9, 0, 60), "takes more than 0 seconds or 1,000 MB"),
            (processes.Allowed(10**9, 60, 0.6), "takes more than 1 seconds"),
        ],
    ),
)
def test_what_takes_too_much_is_refused_and_the_next_is_read(
    allowed: processes.Allowed, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond its time or its memory a file is refused in a sentence; the next one is read as if nothing had been."""
    hard = given("hard.xlsx", ATTACKS["cells.xlsx"]())
    processes.end()  # a process that has read much has memory left of that
    processes.look(given("a.csv", CSV))
    with monkeypatch.context() as patched:
        patched.setattr(processes.Allowed, "for_size", lambda _: allowed)
        found = processes.look(hard)
        assert len(found.digest) == 64
        assert re.search(said, str(found.error))
    assert processes.look(given("a.csv", CSV)).kind == "run"


@pytest.mark.parametrize("wanted", every(3, [0, 1, 2, 9]))
def test_processes_start_before_they_are_asked(wanted: int) -> None:
    """As many as are wanted, two at most, with what is there already; the first of them reads."""
    processes.end()
    before = len(children())
    processes.warm(wanted)
    processes.warm(wanted)
    assert len(children()) - before == min(wanted, processes.MOST)
    assert processes.look(given("a.csv", CSV)).kind == "run"
    processes.end()


def test_a_busy_machine_refuses_no_small_file() -> None:
    """A few rows may take a minute of the clock, though not of a processor: other programs may have that meanwhile."""
    few = processes.Allowed.for_size(len(CSV))
    assert few.seconds < 4
    assert few.wall > 60 or find_spec("resource") is None


def test_a_session_that_is_gone_reads_no_further() -> None:
    """Where a page ends while it waits, its file is not read on."""
    before = set(children())

    def gone(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        processes.look(given("hard.json", ATTACKS["one-line.json"]()), meanwhile=gone)
    assert not processes._busy
    assert len(set(children()) - before) <= 1
    assert processes.look(given("a.csv", CSV)).kind == "run"


def children() -> list[str]:
    """The processes that this one has started, where that can be told."""
    told = Path("/proc/self/task")
    return [pid for one in told.glob("*/children") for pid in one.read_text().split()] if told.exists() else []


def test_two_are_read_at_once_and_others_wait_and_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most two files are read at once on a server; who waits is told how many are before him."""
    monkeypatch.setattr(processes.Allowed, "for_size", lambda _: processes.Allowed(10**9, 60, 1))
    told: list[list[int]] = [[], [], []]
    most: list[int] = []

    def one(place: int) -> None:
        hard = given("hard.json", ATTACKS["one-line.json"]())
        processes.look(hard, meanwhile=lambda before: told[place].append(before) or most.append(len(processes._busy)))

    threads = [threading.Thread(target=one, args=(place,)) for place in range(3)]
    for enough, thread in zip((1, 2, 2), threads, strict=True):
        thread.start()
        awaited(lambda enough=enough: len(processes._busy) >= enough)
    for thread in threads:
        thread.join(HUNG)
    assert max(most) == 2
    assert [max(each) > 0 for each in told] == [False, False, True]


def test_what_an_upload_may_take_is_little() -> None:
    """1 MB is looked at and read within 10 s of a processor and 1 GB: the system counts whole seconds."""
    allowed = processes.Allowed.for_size(1_000_000)
    assert 2 * (allowed.seconds + 1) <= 10
    assert allowed.memory < 1e9


Texts = tuple[str, ...]
#: Texts that were typed, by what is worst in them: the fields with about n letters.
TYPED: dict[str, Callable[[int], Texts]] = {
    "a long list": lambda n: ("3 2 1 0 " * (n // 8), "3", "", ""),
    "named documents": lambda n: ("\n".join(f"d{i}:3" for i in range(n // 9)), "d1:2", "", ""),
    "empty lines": lambda n: ("\n" * n + "3", "2", "", ""),
    "brackets without an end": lambda n: ("[(" * (n // 2), "2", "", ""),
    "votes with ids": lambda n: ("", "", "", "\n".join(f"q{i}\tgood" for i in range(n // 11))),
    "other words": lambda n: ("", "", "", "\n".join(f"x{i},y{i}" for i in range(n // 12))),
    "columns of raters": lambda n: ("", "", "", "q," + ",".join(f"r{i}" for i in range(n // 12)) + "\nq" + ",good" * n),
}


@pytest.mark.parametrize("kind", every(3, TYPED))
def test_what_is_typed_takes_no_longer_for_each_letter(kind: str) -> None:
    """Four times the text takes about four times as long, whatever is in it."""

    def work(texts: Texts) -> None:
        with suppress(TypedError):
            read_typed(texts)

    near_linear(lambda n: (TYPED[kind](n),), work, 4_000)


def test_a_long_text_is_refused_before_it_is_read() -> None:
    """A text that is longer than a person types is refused at once, and the sentence says what to do."""
    with pytest.raises(TypedError, match=r"More than 50,000 letters .* Save them as a file"):
        read_typed(("3\n" * 500_000, "2\n", "", ""))
