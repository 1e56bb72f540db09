"""Comparisons that are exported in tests: an ordinary one, one with everything, special ones, and votes alone."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TypeVar

import rankdash as rd
from rankdash.edits import Edit
from rankdash.report.sections import Reported
from tests.browsed import HOSTILE, judgments_csv, queries_csv, run_csv, votes_csv
from tests.made import compared_anyway, judgments, run

T = TypeVar("T")
#: What would be something else in HTML, Markdown, XML, on a terminal or on a host of pull requests.
NASTY = (
    f"<img src=x onerror=alert(1)> @team #1 {{{{ 7*7 }}}} </td></table> [l](javascript:alert(1)) {HOSTILE} "
    "<script>alert(1)</script> ]]> &amp; {% if %} GH-2 org/repo#3 deadbeefcafe1234 "
    "![p](https://evil.example/p.png) | a | \u202e\x1b[31m"
)


def compared(**more: object) -> rd.Comparison:
    """Fifty queries, B better on most of them."""
    a, b = rd.read_run(run_csv(False), name="old"), rd.read_run(run_csv(True), name="new")
    return rd.compare(a, b, rd.read_judgments(judgments_csv()), **more)


def reported(comparison: rd.Comparison | rd.VotesAlone, **more: object) -> Reported:
    """A comparison with its verdict."""
    return Reported(comparison, rd.decide(comparison), **more)


def everything() -> Reported:
    """With queries, segments that the policy judges, votes, experts, edits, a name and a link."""
    policy = rd.Policy(segments=("kind",), segment_n_min=5)
    tables = {"queries": rd.read_queries(queries_csv()), "votes": rd.read_votes(votes_csv())}
    comparison = compared(policy=policy, experts=True, **tables)
    edits = (Edit("q1", "d1-0", "grade", None, 0.0, 1.0),)
    return reported(comparison, edits=edits, name="A launch", link="https://rank.example/?comparison=a1")


def hostile() -> Reported:
    """Every text that a file can hold is nasty: ids, texts, titles, names, files, segments."""
    rows = [
        {"query_id": f"{number} {NASTY}", "doc_id": f"{document} {NASTY}", "title": NASTY, "rank": place}
        for number in range(30)
        for place, document in enumerate("xy", start=1)
    ]
    swapped = [row | {"rank": 3 - int(str(row["rank"]))} for row in rows]
    grades = [row | {"relevance": int(str(row["doc_id"]).startswith("y"))} for row in rows]
    queries = [
        {"query_id": f"{number} {NASTY}", "text": f"{NASTY} {number}", "kind": f"{NASTY} {number % 2}"}
        for number in range(30)
    ]
    a, b = rd.read_run(rows, name=f"A {NASTY}"), rd.read_run(swapped, name=f"B {NASTY}")
    comparison = rd.compare(a, b, rd.read_judgments(grades), queries=rd.read_queries(queries))
    return reported(comparison, name=f"Name {NASTY}")


def compared_with_itself() -> rd.Comparison:
    """A run against itself."""
    run = rd.read_run(run_csv(False), name="old")
    return rd.compare(run, rd.read_run(run_csv(False), name="again"), rd.read_judgments(judgments_csv()))


def votes() -> Reported:
    """Votes and no lists."""
    return reported(rd.compare_votes(votes_csv()))


class Made(Mapping[str, T]):
    """Things by name, each made when it is first asked for: tests are collected by the names alone."""

    def __init__(self, makers: Mapping[str, Callable[[], T]]) -> None:
        self._makers = {name: cache(make) for name, make in makers.items()}

    def __getitem__(self, name: str) -> T:
        return self._makers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


_ONE, _TURNED = {"q": ["a", "b"]}, {"q": ["b", "a"]}
#: Comparisons with all there is to report, and such that cannot say much: one query, all tied, nothing judged in sight,
#: nothing in common.
EVERY = Made(
    {
        "bare": lambda: reported(compared()),
        "everything": everything,
        "hostile": hostile,
        "votes": votes,
        "one": lambda: reported(rd.compare(_ONE, _TURNED, {"q": {"a": 1, "b": 0}})),
        "tied": lambda: reported(compared_with_itself()),
        "unjudged": lambda: reported(rd.compare(_ONE, _TURNED, {"q": {"z": 1}})),
        "empty": lambda: reported(
            compared_anyway(run(_ONE, "A"), run({"q": ["b"]}, "B"), judgments({"other": {"z": 1}}))
        ),
    }
)
