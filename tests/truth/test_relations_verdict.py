"""What changes nothing about a verdict, and what turns it around: random comparisons with groups, weights and votes."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

import rankdash as rd
from rankdash.scoring import PerQuery, compare_scored
from rankdash.verdict import evidence_of
from tests.long import every
from tests.made import cut
from tests.truth import small_worlds
from tests.truth.scale import done, sampled
from tests.truth.small_worlds import World
from tests.truth.test_verdict_twin import compared

SEEDS = [seed for seed in range(sampled(64)) if small_worlds.world(seed).counted]
#: Sums in another order differ in their sixteenth digit, and a t interval by a little more.
EXACT = 1e-9


def said(comparison: rd.Comparison) -> dict[str, Any]:
    """Outcome, rule and every sentence; which queries a fragile verdict hangs on may be others as good."""
    verdict = rd.decide(comparison, looks=2, candidates=3)
    lost = verdict.fragility
    return {
        "verdict": (verdict.outcome, verdict.rule, verdict.tag, verdict.sentence, verdict.next_step),
        "beside": (verdict.would_change, verdict.notes, verdict.version),
        "checks": [(check.rule, check.status, check.sentence) for check in verdict.checks],
        "caveats": [(one.id, one.turns_to, one.id == "fragile" or one.sentence) for one in verdict.caveats],
        "fragility": lost and (lost.n, lost.turns_to, lost.searched),
    }


def table(content: bytes | None, change: Callable[[list[list[str]]], list[list[str]]]) -> bytes | None:
    """A table in CSV with other rows below its headings."""
    if content is None:
        return None
    heads, *rows = csv.reader(io.StringIO(content.decode()))
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([heads, *change(rows)])
    return file.getvalue().encode()


def renamed(world: World) -> World:
    """Queries, documents, raters, groups and segments by other names, which sort as the old ones do."""

    def lists(of: dict[str, list[str]]) -> dict[str, list[str]]:
        return {f"new {query}": [f"é {doc}" for doc in documents] for query, documents in of.items()}

    return replace(
        world,
        a=lists(world.a),
        b=lists(world.b),
        grades={f"new {q}": {f"é {doc}": grade for doc, grade in docs.items()} for q, docs in world.grades.items()},
        queries=table(world.queries, lambda rows: [[f"new {row[0]}", *row[1:]] for row in rows]),
        vote_rows=[
            (f"new {query}", vote, left, rater and f"x {rater}") for query, vote, left, rater in world.vote_rows
        ],
    )


def permuted(world: World) -> World:
    """Every table with its rows in another order; votes on a query stay in theirs, for a rater's last one counts."""
    dice = random.Random(world.seed)
    order = dice.sample(sorted(world.grades), len(world.grades))

    def shuffled(of: dict[str, Any]) -> dict[str, Any]:
        """A and B are put in one order: where they are one file they stay one."""
        return {name: of[name] for name in order if name in of}

    places = {query: dice.random() for query, *_ in world.vote_rows}
    return replace(
        world,
        a=shuffled(world.a),
        b=shuffled(world.b),
        grades={query: dict(reversed(grades.items())) for query, grades in shuffled(world.grades).items()},
        queries=table(world.queries, lambda rows: dice.sample(rows, len(rows))),
        vote_rows=sorted(world.vote_rows, key=lambda row: places[row[0]]),
    )


def exchanged(world: World) -> World:
    """A in the place of B, and B in that of A."""
    sides = {"A": "B", "B": "A", "": ""}
    votes = [(query, -vote, sides[left], rater) for query, vote, left, rater in world.vote_rows]
    return replace(world, a=world.b, b=world.a, vote_rows=votes)


@pytest.mark.parametrize("seed", every(4, SEEDS))
@pytest.mark.parametrize("change", [renamed, permuted])
def test_names_and_the_order_of_rows_change_nothing(change: Callable[[World], World], seed: int) -> None:
    """Under other names, or from rows in another order, the verdict says the same, word for word."""
    world = small_worlds.world(seed)
    other = change(world)
    there, here = said(compared(world)), said(compared(other))
    if change is permuted:  # the first of equally heavy queries may be another
        there["fragility"], here["fragility"] = (one and one[0] for one in (there["fragility"], here["fragility"]))
    assert here == there
    done("verdicts of other names and orders")


@pytest.mark.parametrize("seed", every(4, SEEDS))
def test_blocks_change_nothing(seed: int) -> None:
    """A table of values that is cut into blocks of queries and put together gives the same verdict, to the last bit."""
    world = small_worlds.world(seed)
    whole = compared(world)
    queries, votes = whole.queries, whole.vote_rows
    for size in (1, 7):
        blocks = [PerQuery.from_arrow(block.to_arrow()) for block in cut(whole.scored, size)]
        again = compare_scored(PerQuery.concatenated(blocks), whole.policy, queries=queries, votes=votes)
        assert rd.decide(again) == rd.decide(whole)
    done("verdicts of blocks", 2)


@pytest.mark.parametrize("seed", every(4, SEEDS[::4]))
def test_saving_and_loading_change_nothing(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was saved is loaded with the same verdict, groups, weights, sides and raters included."""
    for name in ("RANKDASH_STORE", "RANKDASH_DATABASE_URL", "RANKDASH_FILES_URL", "RANKDASH_SHARED", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path))
    comparison = compared(small_worlds.world(seed))
    loaded = rd.load(rd.save(comparison))
    assert isinstance(loaded, rd.Comparison)
    assert rd.decide(loaded) == rd.decide(comparison)
    there, here = comparison.to_dict(), loaded.to_dict()
    assert {**there, "inputs": None} == {**here, "inputs": None}  # tables made in memory get a name when they are saved
    done("verdicts saved and loaded")


#: Numbers that turn their sign when A and B change places, those that change places with another one, and those that
#: say something of one direction only.
TURNED = {"delta": "delta", "lower95": "upper95", "lower90": "upper90", "delta_all": "delta_all"}
SWAPPED = {"wins": "losses", "mean_a": "mean_b", "good": "bad"}
ONE_WAY = {"p_harm", "p_flip", "left"}


def mirrored(one: Any, other: Any) -> None:
    """Every number of a record is that of the other seen from the other side."""
    for name in (field.name for field in fields(one)):
        value = getattr(one, name)
        if name in TURNED and hasattr(other, TURNED[name]):
            assert near(value, opposite(getattr(other, TURNED[name]))), name
        elif name in SWAPPED:
            assert near(value, getattr(other, SWAPPED[name])), name
        elif name not in {*ONE_WAY, *TURNED, *TURNED.values(), *SWAPPED.values(), *SIDED}:
            assert near(value, getattr(other, name)), name


#: Of votes: what stands on the left does so whoever it is, and the interval by rater turns as the other does.
SIDED = {"rater_lower95", "rater_upper95"}


def opposite(value: float | None) -> float | None:
    """The number with the other sign."""
    return None if value is None else -value


def near(one: Any, other: Any) -> bool:
    """Whether two values are the same, but for the last digits of sums."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= EXACT * max(1.0, abs(one))
    return bool(one == other)


@pytest.mark.parametrize("seed", every(4, SEEDS))
def test_a_and_b_are_names(seed: int) -> None:
    """Exchanged, every difference and interval turns around, who is ahead too, and no two models both beat the other;
    exchanged twice nothing has changed.
    """
    world = small_worlds.world(seed)
    there, here = compared(world), compared(exchanged(world))
    one, other = evidence_of(there), evidence_of(here)
    assert one.plain is not None
    assert other.plain is not None
    mirrored(one.plain.primary, other.plain.primary)
    for kind in ("guardrails", "watch", "segments"):
        for row, mirror in zip(getattr(one.plain, kind), getattr(other.plain, kind), strict=True):
            mirrored(row, mirror)
    if one.plain.severe is not None and other.plain.severe is not None:
        mirrored(one.plain.severe, other.plain.severe)
    if one.votes is not None and other.votes is not None:
        mirrored(one.votes, other.votes)
        assert near(one.votes.rater_lower95, opposite(other.votes.rater_upper95))
    verdicts = rd.decide(there), rd.decide(here)
    assert there.policy.intent == "do_no_harm" or not all(one.launch for one in verdicts)
    assert said(compared(exchanged(exchanged(world)))) == said(there)
    done("verdicts of A and B exchanged")
