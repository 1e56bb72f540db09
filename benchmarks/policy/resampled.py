"""Comparisons resampled from real lists and the demo: other queries, other runs, and every kind of table beside them.

Real runs are read from the folder that RANKDASH_REAL_DATA names; without it only the demo is resampled.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import rankdash as rd

ROOT = Path(__file__).parents[2]
#: Of each folder of real data: run A, run B, judgments.
FILES = {
    "cmrc_chinese": ("run_a_char.trec", "run_b_jieba.trec", "qrels.txt"),
    "dl20_passage": ("run_a.bm25.trec", "run_b.tasb.trec", "qrels.txt"),
    "esci_products": ("run_a_title.trec", "run_b_allfields.trec", "qrels.grade0-3.txt"),
    "jsquad_japanese": ("run_a_bigram.trec", "run_b_janome.trec", "qrels.txt"),
    "letor_lightgbm": ("run_a.trec", "run_b.trec", "qrels.txt"),
}
#: Lists are cut here: the measures of the policies look at 10 documents, or at whole lists.
DEPTH = 30

Lists = dict[str, list[str]]
Grades = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Source:
    """Two runs and judgments that belong together: query -> documents, best first; query -> document -> grade."""

    name: str
    a: Lists
    b: Lists
    grades: Grades


def sources() -> tuple[Source, ...]:
    """Return the demo, and the real runs where RANKDASH_REAL_DATA names their folder."""
    demo = _source("demo", ROOT / "data" / "demo", ("run_a.csv", "run_b.csv", "judgments.csv"))
    folder = os.environ.get("RANKDASH_REAL_DATA")
    real = () if folder is None else tuple(_source(name, Path(folder) / name, files) for name, files in FILES.items())
    return (demo, *real)


def _source(name: str, folder: Path, files: tuple[str, str, str]) -> Source:
    a, b = (_lists(folder / file) for file in files[:2])
    table = rd.read_judgments(folder / files[2]).to_pandas()
    grades: Grades = {}
    for query, document, grade in zip(table["query_id"], table["doc_id"], table["relevance"], strict=True):
        grades.setdefault(str(query), {})[str(document)] = float(grade)
    return Source(name, a, b, grades)


def _lists(path: Path) -> Lists:
    read = rd.read_run(path)
    table = read.to_pandas()
    table = table.sort_values(read.ordered_by, ascending=read.ordered_by != "score", kind="stable")
    groups = table.groupby("query_id", sort=False, observed=True)["doc_id"]
    return {str(query): [str(one) for one in documents.head(DEPTH)] for query, documents in groups}


@dataclass
class World:
    """One comparison to be: what it is of, in words, and what ``rankdash.compare`` takes."""

    title: str
    a: Lists
    b: Lists
    grades: Grades
    policy: rd.Policy = field(default_factory=rd.Policy)
    queries: list[dict[str, Any]] | None = None
    votes: list[dict[str, Any]] | None = None
    looks: int = 1
    candidates: int = 1


Change = Callable[[World, np.random.Generator], None]


def _on(ids: Sequence[str], share: float, rng: np.random.Generator) -> list[str]:
    return [query for query in ids if rng.random() < share]


def _diluted(world: World, rng: np.random.Generator) -> None:
    for query in _on(list(world.grades), float(rng.uniform(0.3, 0.9)), rng):
        world.b[query] = list(world.a.get(query, []))


def _swapped(world: World, rng: np.random.Generator) -> None:
    world.a, world.b = world.b, world.a


def _noise(world: World, rng: np.random.Generator) -> None:
    world.b = {query: list(documents) for query, documents in world.a.items()}
    for query in _on(list(world.b), 0.6, rng):
        documents = world.b[query]
        for at in range(min(len(documents) - 1, 10)):
            if rng.random() < 0.25:
                documents[at], documents[at + 1] = documents[at + 1], documents[at]


def _moved(world: World, rng: np.random.Generator, share: float, up: bool) -> None:
    """Move relevant documents a few places, up or down, on a share of the queries."""
    for query in _on(list(world.b), share, rng):
        documents, grades = world.b[query], world.grades.get(query, {})
        good = [at for at, document in enumerate(documents[:12]) if grades.get(document, 0) > 0]
        if good:
            at = int(rng.choice(good))
            to = max(0, at - int(rng.integers(1, 4))) if up else min(len(documents) - 1, at + int(rng.integers(1, 12)))
            documents.insert(to, documents.pop(at))


def _lifted(world: World, rng: np.random.Generator) -> None:
    world.b = {query: list(documents) for query, documents in world.a.items()}
    _moved(world, rng, float(rng.uniform(0.1, 0.9)), up=True)


def _lowered(world: World, rng: np.random.Generator) -> None:
    world.b = {query: list(documents) for query, documents in world.a.items()}
    _moved(world, rng, float(rng.uniform(0.05, 0.6)), up=False)


def _rare_losses(world: World, rng: np.random.Generator) -> None:
    _lifted(world, rng)
    for query in _on(list(world.b), 0.05, rng):
        world.b[query] = [one for one in world.b[query] if world.grades.get(query, {}).get(one, 0) <= 0]


def _same(world: World, rng: np.random.Generator) -> None:
    world.b = {query: list(documents) for query, documents in world.a.items()}


def _leaking(world: World, rng: np.random.Generator) -> None:
    world.b = {query: sorted(grades, key=lambda one: -grades[one]) for query, grades in world.grades.items()}


def _holed(world: World, rng: np.random.Generator) -> None:
    for query in _on(list(world.b), float(rng.uniform(0.01, 0.1)), rng):
        del world.b[query]


def _judged_from_a(world: World, rng: np.random.Generator) -> None:
    for query, grades in world.grades.items():
        shown = set(world.a.get(query, [])[:10])
        world.grades[query] = {one: grade for one, grade in grades.items() if one in shown or grade > 1} or grades


def _as_it_is(world: World, rng: np.random.Generator) -> None:
    return


RUNS: Mapping[str, Change] = {
    "as they are": _as_it_is,
    "A and B exchanged": _swapped,
    "B diluted by A": _diluted,
    "B is A with noise": _noise,
    "B lifts relevant documents": _lifted,
    "B lowers relevant documents": _lowered,
    "B lifts, and loses everything on a few": _rare_losses,
    "B with holes": _holed,
    "judgments of what A shows": _judged_from_a,
    "B is A": _same,
    "B is the judgments": _leaking,
}


def _rows(world: World) -> list[dict[str, Any]]:
    if world.queries is None:
        world.queries = [{"query_id": query} for query in world.grades]
    return world.queries


def _weighted(world: World, rng: np.random.Generator) -> None:
    steep = float(rng.choice([0.2, 0.5, 1.2]))
    for at, row in enumerate(_rows(world)):
        row["weight"] = round(1000 / (1 + at) ** steep, 3)


def _clustered(world: World, rng: np.random.Generator) -> None:
    size = int(rng.choice([2, 3, 5, 10, 10_000], p=[0.3, 0.3, 0.2, 0.15, 0.05]))
    for at, row in enumerate(_rows(world)):
        row["session"] = f"s{at // size}"


def _segmented(world: World, rng: np.random.Generator) -> None:
    for row in _rows(world):
        row["kind"] = str(rng.choice(["head", "middle", "tail"], p=[0.5, 0.3, 0.2]))
    if rng.random() < 0.6:
        world.policy = world.policy.changed(segments=("kind",))


def _texts(world: World, rng: np.random.Generator) -> None:
    for row in _rows(world):
        row["text"] = row["query_id"].split("#")[0]


BESIDE: Mapping[str, Change] = {
    "weights": _weighted,
    "groups": _clustered,
    "segments": _segmented,
    "texts": _texts,
}


def _votes(raters: int, **options: Any) -> Change:
    """Votes of so many raters on each query; they see the truth through noise, and each with a taste of their own."""

    def change(world: World, rng: np.random.Generator) -> None:
        sides, share = options.get("sides", "random"), options.get("share", 1.0)
        truth, tastes = float(rng.normal(0, 0.4)), rng.normal(0, options.get("differ", 0.1), raters)
        world.votes = [
            _vote(query, rater, truth + tastes[rater], sides, rng)
            for query in _on(list(world.grades), share, rng) or list(world.grades)[:1]
            for rater in range(raters)
        ]
        if options.get("nameless"):
            for row in world.votes:
                del row["rater"]

    return change


def _vote(query: str, rater: int, preferred: float, sides: str, rng: np.random.Generator) -> dict[str, Any]:
    left = "AB"[int(rng.random() < 0.5)] if sides == "random" else "B"
    pull = 0.0 if sides == "unknown" else 0.25 if left == "B" else -0.25
    felt = preferred + pull + float(rng.normal(0, 1))
    row = {
        "query_id": query,
        "vote": "same" if abs(felt) < 0.4 else "good" if felt > 0 else "bad",
        "rater": f"r{rater}",
    }
    return row if sides == "unknown" else row | {"left": left}


VOTES: Mapping[str, Change] = {
    "votes of one rater": _votes(1),
    "votes of three": _votes(3, differ=0.3),
    "votes of seven who differ": _votes(7, differ=0.8),
    "votes without sides": _votes(3, sides="unknown"),
    "votes with B always left": _votes(2, sides="B"),
    "few votes": _votes(1, share=0.05),
    "votes without names": _votes(1, nameless=True, sides="unknown"),
}

#: What a policy is asked for beside the default.
POLICIES: Mapping[str, Mapping[str, Any]] = {
    "default": {},
    "do no harm": {"intent": "do_no_harm"},
    "affected": {"population": "affected"},
    "fixed": {"inference": "fixed"},
    "fixed, do no harm": {"inference": "fixed", "intent": "do_no_harm"},
    "any gain": {"mpe": 0.0},
    "votes confirm": {"votes": "confirm"},
    "votes inform": {"votes": "inform"},
    "AP decides": {"primary": "AP"},
    "P@5 decides, no guardrail": {"primary": "P@5", "guardrails": (), "watch": (("RR", 0.02),)},
    "missing are skipped": {"missing": "skip"},
    "missing are empty": {"missing": "empty"},
    "wide margins": {"guardrails": (("AP", 0.05), ("P@5", 0.05)), "primary_margin": 0.05},
}
SIZES = (6, 15, 40, 75, 150, 150, 300, 300, 600, 1000)


def worlds(n: int, seed: int) -> Iterator[World]:
    """Yield so many worlds: each source, run, size, policy and table comes in turn, together by chance."""
    rng, known = np.random.default_rng(seed), sources()
    orders = {name: _turns(table, n, rng) for name, table in (("run", RUNS), ("policy", POLICIES), ("votes", VOTES))}
    for at in range(n):
        source = known[at % len(known)]
        queries = int(rng.choice(SIZES))
        world = _drawn(source, queries, rng)
        run, policy, votes = (orders[name][at] for name in ("run", "policy", "votes"))
        RUNS[run](world, rng)
        world.policy = rd.Policy(**POLICIES[policy])
        names = [name for name in BESIDE if rng.random() < 0.25]
        for name in names:
            BESIDE[name](world, rng)
        if rng.random() < 0.4 or policy == "votes confirm":
            VOTES[votes](world, rng)
            names.append(votes)
        world.looks, world.candidates = (int(rng.choice([1, 1, 1, 3, 12])) for _ in range(2))
        beside = ", ".join(names) or "nothing beside"
        world.title = f"{source.name}, {queries} queries, {run}; {policy}; {beside}"
        yield world


def _turns(names: Mapping[str, Any], n: int, rng: np.random.Generator) -> list[str]:
    repeated = list(names) * (n // len(names) + 1)
    return [repeated[at] for at in rng.permutation(len(repeated))[:n]]


def _drawn(source: Source, n: int, rng: np.random.Generator) -> World:
    """Return a world of queries drawn with replacement; what is drawn again gets an id of its own."""
    drawn = rng.choice(list(source.grades), n)
    a: Lists = {}
    b: Lists = {}
    grades: Grades = {}
    for at, query in enumerate(map(str, drawn)):
        name = f"{query}#{at}"
        grades[name] = dict(source.grades[query])
        for into, lists in ((a, source.a), (b, source.b)):
            if query in lists:
                into[name] = list(lists[query])
    return World("", a, b, grades)
