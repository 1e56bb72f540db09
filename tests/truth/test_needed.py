"""What a verdict says is needed, what its caveats state, and what sentences with a number claim, computed again from
the rows of random worlds.
"""

import math
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

import numpy as np
import pytest
from scipy import stats

import rankdash as rd
from rankdash import wording
from rankdash.report.notes import query_numbers
from rankdash.verdict import evidence_of
from tests.truth.scale import sampled
from tests.truth.small import near_limits
from tests.truth.twin_numbers import Z80, moments

SEEDS = range(sampled(48))


def made(seed: int) -> rd.Comparison:
    """The comparison of a world near the limits of the rules."""
    world, said, convention = near_limits(seed)
    return world.compared(rd.Policy.from_dict({**said, "inference": "sample"}).changed(convention=convention))


@pytest.mark.parametrize("seed", SEEDS)
def test_queries_that_are_needed_count_judged_ones(seed: int) -> None:
    """What the gate of a launch lacks, and how many queries tell a difference from 0; where only affected queries count
    more must be judged, by the share of these.
    """
    comparison = made(seed)
    verdict, evidence, policy = rd.decide(comparison), evidence_of(comparison), comparison.policy
    primary, needed = evidence.plain.primary, dict(verdict.needed)
    share = primary.n / primary.n_all if policy.population == "affected" and primary.n_all else 1.0
    if verdict.rule == "S1":
        units = primary.clusters or primary.n
        light = min(units, primary.n_eff or units) < units - 1e-9
        assert needed["more"] == (0 if light or units >= policy.n_min else policy.n_min - units)
        assert needed["more_in_score"] == max(policy.changed_min - primary.changed, 0)
        if needed["more"] and policy.population == "affected" and primary.clusters is None:
            assert needed["judged"] == math.ceil(round(needed["more"] / share, 6))
    if verdict.rule == "U1":
        sd = (primary.mde80 or 0.0) / Z80 * math.sqrt(primary.n)
        for name, target in (("gain", policy.mpe), ("as_seen", primary.delta or 0.0)):
            if name in needed:  # the t-test needs two queries more than this
                assert needed[name] == pytest.approx((Z80 * sd / target) ** 2 / share, rel=0.02, abs=5 / share)


@pytest.mark.parametrize("seed", range(sampled(24)))
def test_needed_votes_follow_the_error_that_the_interval_has(seed: int) -> None:
    """Several votes for each query, with sides or without: n (z se / target)^2, se of the interval that is shown."""
    dice = random.Random(seed)
    sided, n = dice.random() < 0.5, dice.choice((40, 90))
    rows = [
        {"query_id": f"q{i}", "rater": f"r{j}", "vote": dice.choices(("good", "same", "bad"), (4, 5, 3))[0]}
        | ({"left": dice.choice("AB")} if sided else {})
        for i in range(n)
        for j in range(dice.choice((2, 5)))
    ]
    alone = rd.compare_votes(rd.read_votes(rows))
    verdict, votes = rd.decide(alone), alone.votes.gsb
    assert votes.ci95 is not None
    se = (votes.ci95[1] - votes.ci95[0]) / 2 / stats.t.ppf(0.975, n - 2 if sided else n - 1)
    for name, target in (("gain", 0.02), ("as_seen", votes.delta or 0.0)):
        if verdict.rule == "U1" and name in verdict.needed:
            assert verdict.needed[name] == pytest.approx(n * (Z80 * se / target) ** 2, abs=1.5, rel=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_caveats_are_true_of_the_rows(seed: int) -> None:
    """Wins against losses, missing queries, weights: each caveat appears exactly where it is true, with its numbers."""
    comparison = made(seed)
    verdict = rd.decide(comparison)
    found = {one.id: one.sentence for one in verdict.caveats}
    counts = comparison.counted & ~np.isnan(comparison.deltas[0])
    deltas = comparison.deltas[0][counts].tolist()
    if verdict.rule.startswith("C") or not deltas:
        return
    weights = None if comparison.sample.weights is None else comparison.sample.weights[counts].tolist()
    mean = moments(deltas, weights)[0]
    wins, losses = (sum(sign * delta > 0 for delta in deltas) for sign in (1, -1))
    contrary = abs(mean) > 1e-9 and (wins - losses) * mean < 0
    counts_said = f"({max(wins, losses)} to {min(wins, losses)})"
    assert (counts_said in found.get("majority", "")) == contrary
    data = evidence_of(comparison).data
    assert ("missing" in found) == bool(data.missing_a + data.missing_b)
    if "the difference is" in found.get("missing", ""):
        without = near_limits(seed)[0].compared(comparison.policy.changed(missing="skip")).primary.paired.delta
        assert f"the difference is {wording.near(without, 0.0)}" in found["missing"]
    if "weights" in found:
        assert f"{wording.near(moments(deltas, None)[0], 0.0)} without" in found["weights"]
    assert ("small" in found) <= verdict.launch


#: What grades a kind has, the worst first.
GRADES: dict[str, tuple[float, ...]] = {
    "binary": (0, 1),
    "graded": (0, 0, 1, 2, 3),
    "positive": (1,),
    "stars": (1, 2, 3, 4, 5),
    "negative": (-1, 0, 1, 2),
    "fractions": (0, 0.5, 1, 1.5),
}
K = 3
Lists = dict[str, list[str]]


@dataclass
class Claimed:
    """A world: rows of two runs, of judgments and of votes, and the table of queries."""

    kind: str
    affected: bool
    a: Lists = field(default_factory=dict)
    b: Lists = field(default_factory=dict)
    grades: dict[str, dict[str, float]] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    clusters: dict[str, str] = field(default_factory=dict)
    votes: list[tuple[str, str, str, str]] = field(default_factory=list)  # query, rater, vote, left

    @property
    def policy(self) -> rd.Policy:
        """The policy of the world: one measure decides."""
        population = "affected" if self.affected else "all"
        return rd.Policy(primary=f"nDCG@{K}", population=population, guardrails=(), watch=(), missing="empty")

    def compared(self, dice: random.Random) -> rd.Comparison:
        """The comparison of the rows in any order."""

        def shuffled(lists: Lists) -> dict[str, dict[str, float]]:
            queries = dice.sample(sorted(lists), len(lists))
            return {query: {doc: -float(at) for at, doc in enumerate(lists[query])} for query in queries}

        columns = {"weight": self.weights, "cluster": self.clusters}
        named = [name for name, values in columns.items() if values]
        rows = [
            {"query_id": query, **{name: columns[name][query] for name in named}}
            for query in dice.sample(sorted(self.grades), len(self.grades))
        ]
        names = ("query_id", "rater", "vote", "left")
        votes = [dict(zip(names, row, strict=True)) for row in self.votes]
        graded = {query: self.grades[query] for query in dice.sample(sorted(self.grades), len(self.grades))}
        return rd.compare(
            rd.read_run(shuffled(self.a), name="a"),
            rd.read_run(shuffled(self.b), name="b"),
            rd.read_judgments(graded),
            policy=self.policy,
            queries=rd.read_queries(rows) if named else None,
            votes=rd.read_votes(votes) if votes else None,
        )

    def value(self, lists: Lists, query: str) -> float:
        """NDCG of the first k by its definition: gain is the grade, where it is above 0."""
        gains = {doc: max(grade, 0.0) for doc, grade in self.grades[query].items()}
        best = sorted(gains.values(), reverse=True)[:K]
        ideal = sum(gain / math.log2(at + 2) for at, gain in enumerate(best))
        shown = [gains.get(doc, 0.0) for doc in lists.get(query, [])[:K]]
        return sum(gain / math.log2(at + 2) for at, gain in enumerate(shown)) / ideal if ideal else 0.0

    @property
    def differing_in_list(self) -> set[str]:
        """The queries whose first k documents, or their order, are not the same."""
        return {query for query in self.grades if self.a.get(query, [])[:K] != self.b.get(query, [])[:K]}

    @property
    def everything(self) -> list[str]:
        """The queries that can count: those that weigh anything."""
        return [query for query in sorted(self.grades) if self.weights.get(query, 1.0) > 0]

    @property
    def counted(self) -> list[str]:
        """The queries that count."""
        return [query for query in self.everything if not self.affected or query in self.differing_in_list]

    def deltas(self, queries: list[str]) -> dict[str, float]:
        """By how much B is better on each query."""
        return {query: round(self.value(self.b, query) - self.value(self.a, query), 12) for query in queries}

    def mean(self, queries: list[str]) -> float:
        """The mean difference of some queries, by their weights."""
        deltas = self.deltas(queries)
        weights = {query: self.weights.get(query, 1.0) for query in queries}
        return math.fsum(weights[query] * deltas[query] for query in queries) / math.fsum(weights.values())


def world(seed: int) -> Claimed:
    """A random world; each kind of grades comes with each population."""
    dice = random.Random(seed)
    made = Claimed([*GRADES][seed % len(GRADES)], affected=bool(seed // len(GRADES) % 2))
    size, better = dice.choice((12, 25, 40, 120)), dice.choice((0.0, 0.0, 0.3, 0.8))
    weighted, grouped, voted = (dice.random() < 0.4 for _ in range(3))
    for i in range(size):
        query, docs = f"q{i}", [f"d{j}" for j in range(6)]
        graded = {doc: dice.choice(GRADES[made.kind]) for doc in dice.sample(docs, dice.choice((3, 5, 6)))}
        made.grades[query] = graded
        lists = [dice.sample(docs, 5), dice.sample(docs, 5)]
        if dice.random() < better:
            lists[1] = sorted(docs, key=lambda doc: -graded.get(doc, -9.0))
        if dice.random() < 0.5:
            lists[1] = [*lists[0]]
        for rows, ranked in zip((made.a, made.b), lists, strict=True):
            if dice.random() > 0.03:
                rows[query] = ranked
        if weighted:
            made.weights[query] = dice.choice((0.0, 1.0, 1.0, 2.0, 5.0))
        if grouped:
            made.clusters[query] = f"c{i // dice.choice((1, 2, 3))}"
    raters, sides = dice.choice((1, 1, 3)), dice.choice(("", "AB"))
    for i in range(size if voted else 0):
        for rater in range(raters):
            vote = dice.choices(("good", "same", "bad"), (3, 3, 2))[0]
            made.votes.append((f"q{i}", f"r{(i + rater) % 7}", vote, dice.choice(sides) if sides else ""))
    return made


def comparable(seed: int) -> tuple[Claimed, rd.Comparison]:
    """A world in which queries count, and its comparison."""
    made = next(made for made in map(world, count(seed, 10_000)) if made.counted)
    return made, made.compared(random.Random(seed))


def whole(text: str) -> int:
    """A count as people read it."""
    return int(text.replace(",", ""))


def texts_of(verdict: rd.Verdict) -> Iterator[str]:
    """Every sentence about the queries of the whole population."""
    yield from (verdict.sentence, verdict.next_step, verdict.would_change)
    yield from (check.sentence for check in verdict.checks)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_count_of_queries_is_that_of_the_rows(seed: int) -> None:
    """Queries that count, differ in list, differ in score, win and lose, groups and weights: each number has one word
    and is the same wherever it stands.
    """
    made, comparison = comparable(seed)
    verdict, evidence = rd.decide(comparison), evidence_of(comparison)
    primary, deltas = evidence.plain.primary, made.deltas(made.counted)
    clusters = {query: made.clusters.get(query, query) for query in made.counted}
    moved = {clusters[query] for query in made.counted if deltas[query]}
    weights = [made.weights.get(query, 1.0) for query in made.counted]
    n_eff = sum(weights) ** 2 / sum(weight**2 for weight in weights)
    assert (primary.n, primary.n_all) == (len(made.counted), len(made.everything))
    assert primary.changed == len(moved)
    assert primary.clusters == (len({*clusters.values()}) if made.clusters else None)
    assert primary.wins == sum(delta > 0 for delta in deltas.values())
    assert primary.losses == sum(delta < 0 for delta in deltas.values())
    assert primary.delta == pytest.approx(made.mean(made.counted), abs=1e-9)
    assert primary.delta_all == pytest.approx(made.mean(made.everything), abs=1e-9)
    weighing = {*made.everything}
    assert evidence.data.affected == len(made.differing_in_list & weighing)
    assert (evidence.data.missing_a, evidence.data.missing_b) == tuple(
        len(weighing - lists.keys()) for lists in (made.a, made.b)
    )
    numbers = query_numbers(comparison)
    assert numbers["unaffected"] == (len(weighing - made.differing_in_list) if made.affected else 0)
    claims = {
        r"\bon ([\d,]+) of [\d,]+ quer": len(made.counted),
        r"\bon [\d,]+ of ([\d,]+) quer": len(made.everything),
        r"(?<!above 0 )\bon ([\d,]+) quer\w+(?! by )\b": len(made.counted),
        r"can be above 0 on ([\d,]+) quer": sum(max(made.grades[query].values()) > 0 for query in made.everything),
        r"\bon ([\d,]+) quer\w+ by \d+ rater": len({query for query, *_ in made.votes}),
        r"\bquer(?:y|ies) in ([\d,]+) group": len({*clusters.values()}),
        r"count as ([\d,]+) by weight": math.floor(n_eff + 1e-9),
        r"(?<!more )\b([\d,]+)(?: quer\w+| groups?)? with a different score": len(moved),
        r"Only ([\d,]+) of [\d,]+ \w+ ha(?:s|ve) a different score": len(moved),
        r"Only [\d,]+ of ([\d,]+) (?:query|queries|group|groups) ha": primary.clusters or len(made.counted),
    }
    for text in texts_of(verdict):
        for pattern, expected in claims.items():
            assert {whole(found) for found in re.findall(pattern, text)} <= {expected}, (text, pattern)
        assert not re.search(r"\bchanged\b", text), text
