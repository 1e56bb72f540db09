"""Two servers on one database, and what is true of each revision: read from the rows, and computed in plain Python.

Nothing here uses what is tested: rows are read with sqlite3, files from their bytes, edits are applied to lists of
documents one by one, and A and B are exchanged by hand.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import rankdash as rd
from rankdash.edits import Edit
from rankdash.policy import Policy
from rankdash.tables import Judgments, Run, Votes

QUERIES, DOCUMENTS = 12, 5
RUNS, JUDGMENTS, ORDERS = ("r0", "r1", "r2"), ("j0", "j1"), ("rank", "score")
_FEW = {"n_min": 5, "changed_min": 2, "harm_n_min": 4, "harm_changed_min": 2, "votes_min": 3}
#: Policies by which so few queries can launch, with few measures, so that a verdict takes little time.
POLICIES = {
    "plain": Policy(primary="nDCG@5", cutoff=5, guardrails=(), watch=(), **_FEW),
    "guarded": Policy(primary="nDCG@5", cutoff=5, guardrails=(("P@1", 0.01),), watch=(), **_FEW),
    "precision": Policy(primary="P@2", cutoff=2, guardrails=(), watch=(), intent="do_no_harm", **_FEW),
    "other gain": Policy(
        primary="nDCG@3", cutoff=3, convention=rd.Convention(gain="exp2"), guardrails=(), watch=(), **_FEW
    ),
}


@cache
def content(name: str) -> bytes:
    """A file: lists whose scores say another order than their ranks, judgments, or votes."""
    dice = random.Random(name)
    if name in JUDGMENTS:
        rows = [f"q{q},d{d},{dice.randrange(4)}" for q in range(QUERIES) for d in range(DOCUMENTS)]
        return "\n".join(["query_id,doc_id,relevance", *rows]).encode()
    if name == "votes":
        return "\n".join(
            ["query_id,vote", *(f"q{q},{dice.choice(('good', 'same', 'bad'))}" for q in range(8))]
        ).encode()
    rows = ["query_id,doc_id,rank,score"]
    for q in range(QUERIES):
        documents = dice.sample(range(DOCUMENTS), DOCUMENTS - 1)
        scores = dice.sample(range(1, 20), len(documents))
        rows += [f"q{q},d{d},{rank},{scores[rank - 1]}" for rank, d in enumerate(documents, 1)]
    return "\n".join(rows).encode()


@cache
def run(name: str, order: str = "rank") -> Run:
    """A run as it is read from its file."""
    return rd.read_run(content(name), name=name, order=order)


@cache
def judgments(name: str) -> Judgments:
    """Judgments as they are read from their file."""
    return rd.read_judgments(content(name))


@cache
def votes() -> Votes:
    """Votes as they are read from their file."""
    return rd.read_votes(content("votes"))


@dataclass(frozen=True)
class Truth:
    """One revision: what it is called, which files it is made of (a run with its order), and what was done to them."""

    name: str
    a: str
    b: str
    runs: tuple[tuple[str, str], tuple[str, str]]
    judgments: str
    has_votes: bool
    swapped: bool
    edits: tuple[Edit, ...]
    policy: str

    @property
    def models(self) -> tuple[str, str]:
        """The names of A and B as they are shown."""
        return (self.b, self.a) if self.swapped else (self.a, self.b)

    @property
    def lists(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The lists of A and B as they are shown."""
        return self.runs[::-1] if self.swapped else self.runs

    @property
    def case(self) -> Truth:
        """The same, whatever it is called."""
        return replace(self, name="", a="", b="")

    def since(self, now: Truth | None) -> str:
        """What became of it, by the words of the launch log."""
        if now is None:
            return "deleted"
        if self.case == now.case:
            return ""
        if self.lists == now.lists:
            return "edited"
        return "exchanged" if self.lists == now.lists[::-1] else "other_lists"


def truth(database: Path, comparison: str) -> Truth | None:
    """What the rows say of the newest revision; None where the comparison is deleted."""
    found = _head(database, comparison)
    return None if found is None else found[1]


def truths(database: Path, ids: Iterable[str]) -> dict[tuple[str, int], Truth]:
    """What the rows say of the newest revisions of some comparisons, by comparison and number."""
    found = {id: _head(database, id) for id in ids}
    return {(id, head[0]): head[1] for id, head in found.items() if head is not None}


def _head(database: Path, comparison: str) -> tuple[int, Truth] | None:
    with closing(sqlite3.connect(database)) as rows:
        found = rows.execute("SELECT head, deleted, edits FROM comparison WHERE id = ?", [comparison]).fetchone()
        if found is None or found[1] is not None:
            return None
        key = [comparison, found[0]]
        said = json.loads(
            rows.execute("SELECT state FROM revision WHERE comparison = ? AND number = ?", key).fetchone()[0]
        )
        edits = tuple(Edit(*edit) for edit in json.loads(found[2])["edits"])
        files = {role: _file(rows, id) for role, id in said["inputs"].items()}
    names, policy = said["names"], json.dumps(said["policy"], sort_keys=True)
    runs, graded = (files["a"], files["b"]), files["judgments"][0]
    about = (runs, graded, "votes" in files, said["swapped"])
    return found[0], Truth(names["name"], names["a"], names["b"], *about, edits, policy)


def _file(rows: sqlite3.Connection, id: str) -> tuple[str, str]:
    """Which file a table was read from, and what orders it."""
    sha256, said = rows.execute("SELECT source_sha256, description FROM input WHERE id = ?", [id]).fetchone()
    tables = {name: run(name) for name in RUNS} | {name: judgments(name) for name in JUDGMENTS} | {"votes": votes()}
    (name,) = (name for name, table in tables.items() if table.source.sha256 == sha256)
    return name, json.loads(said).get("ordered_by", "")


@dataclass(frozen=True)
class Numbers:
    """What a verdict says."""

    outcome: str
    screen: str
    tag: str
    measure: str
    delta: float | None
    lower: float | None
    upper: float | None
    n: int


@cache
def numbers(case: Truth) -> Numbers:
    """The verdict on a case, computed in memory of lists of documents."""
    comparison = compared(case)
    verdict, found = rd.decide(comparison), comparison.primary.paired
    said = (verdict.outcome.value, verdict.screen, verdict.tag, comparison.primary.measure)
    return Numbers(*said, found.delta, found.lower95, found.upper95, found.n)


def compared(case: Truth) -> rd.Comparison:
    """The comparison of a case, in memory."""
    lists = [_lists(*file) for file in case.runs]
    grades = _grades(case.judgments)
    for edit in case.edits:
        if edit.what == "grade":
            grades.pop((edit.query_id, edit.doc_id), None)
            if edit.after is not None:
                grades[edit.query_id, edit.doc_id] = edit.after
        else:
            _move(lists[edit.side == "b"].setdefault(edit.query_id, []), edit)
    if case.swapped:
        lists.reverse()
    runs = [rd.read_run(_scored(of), name=name) for of, name in zip(lists, ("A", "B"), strict=True)]
    judged = rd.read_judgments([{"query_id": q, "doc_id": d, "relevance": value} for (q, d), value in grades.items()])
    return rd.compare(*runs, judged, policy=Policy.from_dict(json.loads(case.policy)), votes=_votes(case))


def _lists(name: str, order: str) -> dict[str, list[str]]:
    """The documents of each query of a file, the best first, by its ranks or by its scores."""
    rows = [line.split(",") for line in content(name).decode().splitlines()[1:]]
    rows.sort(key=lambda row: float(row[2]) if order == "rank" else -float(row[3]))
    return {query: [row[1] for row in rows if row[0] == query] for query in dict.fromkeys(row[0] for row in rows)}


def _grades(name: str) -> dict[tuple[str, str], float]:
    rows = (line.split(",") for line in content(name).decode().splitlines()[1:])
    return {(query, document): float(grade) for query, document, grade in rows}


def _move(documents: list[str], edit: Edit) -> None:
    """Moves, adds or removes one document of a list."""
    if edit.what != "add" and edit.doc_id not in documents:
        return
    if edit.doc_id in documents:
        documents.remove(edit.doc_id)
    if edit.after is not None:
        documents.insert(max(int(edit.after) - 1, 0), edit.doc_id)


def _scored(lists: dict[str, list[str]]) -> list[dict[str, Any]]:
    return [
        {"query_id": q, "doc_id": d, "rank": at} for q, documents in lists.items() for at, d in enumerate(documents, 1)
    ]


def _votes(case: Truth) -> list[dict[str, str]] | None:
    if not case.has_votes:
        return None
    rows = (line.split(",") for line in content("votes").decode().splitlines()[1:])
    turned = {"good": "bad", "bad": "good", "same": "same"}
    return [{"query_id": query, "vote": turned[vote] if case.swapped else vote} for query, vote in rows]
