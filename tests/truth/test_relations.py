"""What must not change a number or a verdict does not: other names, rows in another order, other blocks, a longer id.
Relations between numbers, and what turns a verdict around.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash.metrics import DEFINITIONS
from rankdash.report.json import to_dict
from rankdash.verdict import evidence_of
from tests.long import every
from tests.truth.cutting import ROWS, blocks_of_bytes, blocks_of_rows
from tests.truth.scale import sampled
from tests.truth.small import Small, near_limits, small_world, some_convention, some_policy
from tests.truth.sources import SOURCES
from tests.truth.worlds import LONGEST, Row, World, some_ids, world

MEASURES = ["nDCG@10", "nDCG", "AP", "P@5", "R@10", "RR", "ERR@10", "Bpref", "Judged@10", "RBP", "AUC", "CG@5"]
PAIRS = SOURCES["pairs"]
Tables = tuple[rd.Run, rd.Run, rd.Judgments]
Table = dict[tuple[str, str], tuple[float, float, float]]


def compared(tables: Tables) -> rd.Comparison:
    """The comparison, with every measure that reads something else."""
    return rd.compare(*tables, measures=MEASURES)


def values(comparison: rd.Comparison, names: dict[str, str] | None = None) -> Table:
    """(A, B, delta) by measure and query, whose ids may get other names; None where undefined."""
    rows = comparison.per_query_table.to_pylist()
    return {(r["measure"], (names or {}).get(r["query_id"], r["query_id"])): (r["a"], r["b"], r["delta"]) for r in rows}


def close(one: Any, other: Any) -> bool:
    """Whether two trees of numbers are the same but for the order in which sums were made."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(close(part, other[name]) for name, part in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return bool(one == other or (None not in (one, other) and np.isclose(one, other, rtol=1e-9, atol=1e-12)))
    return bool(one == other)


def same(tables: Tables, others: Tables, names: dict[str, str] | None = None) -> None:
    """Every value is the same, under other names of queries, and so is what is said of all of them."""
    first, again = compared(tables), compared(others)
    assert values(first, names) == values(again)
    parts = ("measures", "queries", "judged", "gsb_derived", "lists", "waterfall")
    there, here = (json.loads(json.dumps(to_dict(one, rd.decide(one)))) for one in (first, again))
    assert close({name: there[name] for name in parts}, {name: here[name] for name in parts})


def renamed(one: World, names: dict[str, str]) -> World:
    """The world under other names of queries and documents."""
    rows = [tuple((names[q], names[doc], number) for q, doc, number in rows) for rows in (one.a, one.b, one.judged)]
    return World(one.seed, *rows)


def test_other_names_change_nothing() -> None:
    """Ids of six digits in the same byte order, with ties, duplicates and conflicts; and any ids, long for short, where
    no scores are equal.
    """
    for seed in range(sampled(1)):
        one = world(300_000 + seed, alphabet="any")
        same(PAIRS.read(one), PAIRS.read(renamed(one, one.names)), one.names)
        one = world(310_000 + seed, alphabet="any", kinds=("apart",), repeats=False)
        names = dict(zip(one.names, some_ids(np.random.default_rng(seed), len(one.names), "any"), strict=True))
        same(PAIRS.read(one), PAIRS.read(renamed(one, names)), names)


def ranked_table(rows: Sequence[Row], rng: np.random.Generator) -> pa.Table:
    """Rows with a rank in place of the score: 1, 2, 3, ... for each query as they stand, then in any order."""
    place: dict[str, int] = {}
    found = []
    for query, doc, _ in rows:
        place[query] = place.get(query, 0) + 1
        found.append((query, doc, place[query]))
    queries, docs, ranks = zip(*(found[i] for i in rng.permutation(len(found))), strict=True)
    return pa.table({"query_id": queries, "doc_id": docs, "rank": ranks})


def test_rows_in_another_order_change_nothing() -> None:
    """Without duplicates and conflicts the order of a file's rows means nothing where scores, or ranks, order it."""
    for seed in range(sampled(1)):
        one, rng = world(320_000 + seed, alphabet="any", repeats=False, mixed=False), np.random.default_rng(seed)
        shuffled = [tuple(rows[i] for i in rng.permutation(len(rows))) for rows in (one.a, one.b, one.judged)]
        same(SOURCES["table"].read(one), SOURCES["table"].read(World(seed, *shuffled)))
        judgments = PAIRS.judgments(one.judged)
        tables = [
            (
                *(rd.read_run(ranked_table(rows, rng), name=name) for name, rows in (("A", one.a), ("B", one.b))),
                judgments,
            )
            for _ in range(2)
        ]
        same(*tables)


@pytest.mark.parametrize("size", ROWS)
def test_blocks_of_any_size_change_nothing(size: int) -> None:
    """However many rows are put in order at once, everything that is said is the same."""
    for seed in range(sampled(1)):
        tables = PAIRS.read(world(340_000 + seed, alphabet="any", queries=12))
        first = compared(tables)
        with blocks_of_rows(size):
            again = compared(tables)
        assert values(first) == values(again), seed
        assert rd.decide(first) == rd.decide(again)


@pytest.mark.parametrize("name", every(4, [name for name in SOURCES if name not in ("dict", "pairs", "frame")]))
@pytest.mark.parametrize("size", [64, 1000])
def test_reading_in_blocks_of_any_size_changes_nothing(name: str, size: int) -> None:
    """However many bytes are read at once, the tables are the same."""
    source = SOURCES[name]
    for seed in range(sampled(1)):
        one = world(350_000 + seed, alphabet=source.alphabet, queries=12)
        first = source.read(one)
        with blocks_of_bytes(size):
            again = source.read(one)
        for table, other in zip(first, again, strict=True):
            assert table.table.to_pydict() == other.table.to_pydict(), (one.seed, name)
            assert table.source == other.source


def test_a_longer_id_in_b_changes_nothing_in_a() -> None:
    """One more document below all others of a list, or judged and not relevant, changes no value of any other."""
    below = -1e38  # float32 can hold it, and nothing stands below
    for seed in range(sampled(1)):
        one = world(370_000 + seed, kinds=("tied", "apart"), queries=20)
        queries = list(dict.fromkeys(query for query, _, _ in one.b))
        before = values(compared(PAIRS.read(one)))
        for size in (9, LONGEST):
            long = "z" * size
            more = World(seed, one.a, (*one.b, (queries[seed % len(queries)], long, below)), one.judged)
            after = values(compared(PAIRS.read(more)))
            assert {key: a for key, (a, _, _) in after.items()} == {key: a for key, (a, _, _) in before.items()}
            # In B only the list that it stands in may differ: there may be more documents to divide by.
            others = {key for key in before if key[1] != more.b[-1][0]}
            assert {key: after[key] for key in others} == {key: before[key] for key in others}, one.seed
            unseen = values(
                compared(PAIRS.read(World(seed, one.a, one.b, (*one.judged, (one.judged[0][0], long, 0.0)))))
            )
            gains = {key for key in before if key[0] not in ("Bpref", "AUC")}  # these count what is not relevant
            assert {key: unseen[key] for key in gains} == {key: before[key] for key in gains}, one.seed


K = (1, 2, 3, 10)
LARGEST = 6.0
RISING = ("CG", "DCG", "P", "RR", "Success", "RBP", "ERR")
SEEDS = range(sampled(10))
Values = dict[str, dict[str, float]]  # by query and measure


def names(rng: np.random.Generator) -> list[str]:
    """Every measure that scores a list, some of them cut; ERR on one scale whatever the judgments hold."""
    found = []
    for name, row in DEFINITIONS.items():
        own = f"(max_grade={LARGEST:g})" if name == "ERR" else ""
        cut = row.cutoff == "required" or (row.cutoff == "optional" and rng.random() < 0.5)
        if row.of_lists is not None and not row.of_subtopics:
            found.append(f"{name}{own}@{rng.choice(K)}" if cut else f"{name}{own}")
    return found


def judged_world(rng: np.random.Generator, **sizes: Any) -> Small:
    """A world in which a document of A is judged: without any nothing is evaluated."""
    while True:
        world = small_world(rng, **sizes)
        if any((query, doc) in world.grades for query, docs in world.lists["a"].items() for doc, _ in docs):
            return world


def values_of_a(world: Small, measures: list[str], convention: rd.Convention) -> Values:
    """The values of A; without a list that the convention leaves out."""
    frame = rd.evaluate(world.run("a"), world.judgments(), measures, convention=convention)
    found: Values = {}
    for query, measure, value in zip(frame["query_id"], frame["measure"], frame["value"], strict=True):
        found.setdefault(query, {})[measure] = value
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_a_higher_grade_lowers_no_measure_without_an_ideal(seed: int) -> None:
    """A higher grade of one document never lowers CG, DCG, P, RR, Success or RBP of a list, nor ERR under a fixed
    largest grade; nDCG, AP and recall may fall, for what they divide by rises.
    """
    rng = np.random.default_rng([seed, 11])
    convention = some_convention(rng, gain=str(rng.choice(["linear", "exp2"])), unjudged="nonrelevant", no_relevant="0")
    measures = [name for name in names(rng) if name.split("@")[0].split("(")[0] in RISING]
    world = judged_world(rng, queries=3, repeats=False)
    before = values_of_a(world, measures, convention)
    pairs = [(query, f"d{i}") for query in before for i in range(6)]
    for query, doc in pairs[:: int(rng.integers(3, 9))]:
        grade = world.grades.get((query, doc), -1.0)
        higher = float(rng.choice([one for one in (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, LARGEST) if one > grade]))
        kept = tuple(row for row in world.judged if row[:2] != (query, doc))
        after = values_of_a(replace(world, judged=(*kept, (query, doc, higher))), measures, convention)
        for measure, value in before[query].items():
            assert after[query][measure] >= value - 1e-12, (measure, convention)
        assert {q: of for q, of in after.items() if q != query} == {q: of for q, of in before.items() if q != query}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_model_against_itself_is_0(seed: int) -> None:
    """A against A: every delta that is defined is 0, nothing wins or loses, and nothing launches."""
    rng = np.random.default_rng([seed, 12])
    primary = str(rng.choice(["nDCG@3", "AP", "RR", "P@2", "ERR(max_grade=6)@3", "Bpref"]))
    world, policy, measures = small_world(rng), some_policy(rng, primary=primary), names(rng)
    found = world.compared(policy, measures, sides="aa")
    assert not np.nan_to_num(found.deltas).any()
    for result in found.results:
        assert (result.paired.wins, result.paired.losses, result.paired.delta or 0.0) == (0, 0, 0.0)
    assert not found.scored["changed"].any()
    assert not found.gsb_derived.delta
    assert not any((found.explained.waterfall or {}).values())
    assert rd.decide(found).rule in ("C1", "C2", "C6", "C7", "C4", "C5", "N0")


@pytest.mark.parametrize("seed", SEEDS)
def test_one_more_query_changes_no_other_query(seed: int) -> None:
    """One more query, judged or not, changes no other value of any measure."""
    rng = np.random.default_rng([seed, 15])
    world, convention, measures = judged_world(rng), some_convention(rng), names(rng)
    before = values_of_a(world, measures, convention)
    more = {**world.lists, "a": {"a new query": [("d0", 2.0), ("new", 1.0)], **world.lists["a"]}}
    judged = (*([("a new query", "d0", LARGEST)] if rng.random() < 0.7 else []), *world.judged)
    same_values(values_of_a(replace(world, lists=more, judged=judged), measures, convention), before)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_row_far_below_the_cutoff_changes_no_query(seed: int) -> None:
    """Documents far below the cutoff change no value that is cut, of this query or another."""
    rng = np.random.default_rng([seed, 16])
    world, convention = judged_world(rng, documents=14, longest=14), some_convention(rng)
    measures = [name for name in names(rng) if "@" in name]
    longer = {
        query: [(doc, score + 100) for doc, score in docs] + [(f"far {i}", -float(i)) for i in range(10)]
        if len({doc for doc, _ in docs}) >= max(K)
        else docs
        for query, docs in world.lists["a"].items()
    }
    after = values_of_a(replace(world, lists={**world.lists, "a": longer}), measures, convention)
    same_values(after, values_of_a(world, measures, convention))


def same_values(found: Values, before: Values) -> None:
    """The values of the queries that were there are the same to the last digit."""
    for query, of in before.items():
        for measure, value in of.items():
            assert found[query][measure] == value or math.isnan(found[query][measure]) == math.isnan(value) is True


VERDICTS = range(sampled(48))
#: Sums in another order differ in their sixteenth digit, and a t interval by a little more.
EXACT = 1e-9


def made(seed: int) -> tuple[Small, rd.Policy]:
    """A world and a policy near the limits of the rules."""
    world, said, convention = near_limits(seed)
    return world, rd.Policy.from_dict(said).changed(convention=convention)


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


def under_other_names(world: Small) -> Small:
    """Queries, documents and raters by other names, which sort as the old ones do."""
    return world.renamed("é ", "new ", "x ")


def permuted(world: Small) -> Small:
    """Every table with its queries in another order: those of A and of B in one, for where they are one file they stay
    one; the rows of a query stay in theirs, for its first grade and a rater's last vote count.
    """
    order = random.Random(1).sample(sorted(world.segments), len(world.segments))

    def shuffled(of: dict[str, Any]) -> dict[str, Any]:
        return {name: of[name] for name in order if name in of}

    return replace(
        world,
        lists={side: shuffled(lists) for side, lists in world.lists.items()},
        judged=tuple(sorted(world.judged, key=lambda row: order.index(row[0]))),
        segments=shuffled(world.segments),
        vote_rows=tuple(sorted(world.vote_rows, key=lambda row: row[0][::-1])),
    )


@pytest.mark.parametrize("seed", every(4, VERDICTS))
@pytest.mark.parametrize("change", [under_other_names, permuted])
def test_names_and_the_order_of_rows_change_nothing(change: Callable[[Small], Small], seed: int) -> None:
    """Under other names, or from rows in another order, the verdict says the same, word for word."""
    world, policy = made(seed)
    assert said(change(world).compared(policy)) == said(world.compared(policy))


#: Numbers that turn their sign when A and B change places, those that change places with another one, and those that
#: say something of one direction only.
TURNED = {name: name for name in ("delta", "delta_all", "delta_unweighted", "t", "effect_size")}
TURNED |= {"lower95": "upper95", "lower90": "upper90"}
SWAPPED = {"wins": "losses", "mean_a": "mean_b", "good": "bad"}
ONE_WAY = {"p_harm", "p_flip", "left"}


def mirrored(one: Any, other: Any) -> None:
    """Every number of a record is that of the other seen from the other side."""
    for name in (field.name for field in fields(one)):
        value = getattr(one, name)
        if name in TURNED and hasattr(other, TURNED[name]):
            assert near(value, opposite(getattr(other, TURNED[name]))), name
        elif name in SWAPPED and hasattr(other, SWAPPED[name]):
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


@pytest.mark.parametrize("seed", every(4, VERDICTS))
def test_a_and_b_are_names(seed: int) -> None:
    """Exchanged, every difference and interval turns around, who is ahead too, and no two models both beat the other;
    exchanged twice nothing has changed.
    """
    world, policy = made(seed)
    there, here = world.compared(policy, ("DCG@3", "P@5")), world.exchanged().compared(policy, ("DCG@3", "P@5"))
    np.testing.assert_array_equal(there.deltas, -here.deltas)
    assert (there.delta_bounds is None) == (here.delta_bounds is None)
    if there.delta_bounds is not None and here.delta_bounds is not None:
        assert there.delta_bounds == pytest.approx([-end for end in here.delta_bounds[::-1]], abs=EXACT)
    one, other = evidence_of(there), evidence_of(here)
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
    assert policy.intent == "do_no_harm" or not all(one.launch for one in verdicts)
    assert said(world.exchanged().exchanged().compared(policy)) == said(world.compared(policy))
