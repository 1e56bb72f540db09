"""What sentences and facts with a number claim, recomputed from the rows alone, in random worlds of each kind of
grades, population, weights, clusters and votes.
"""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

import rankdash as rd
from rankdash.mistakes import unmet_tables
from rankdash.report.notes import query_notes, query_numbers
from rankdash.tables import Source
from rankdash.verdict import evidence_of
from tests.truth.scale import done, sampled

#: What grades a kind has, the worst first.
GRADES: dict[str, tuple[float, ...]] = {
    "binary": (0, 1),
    "graded": (0, 0, 1, 2, 3),
    "positive": (1,),
    "stars": (1, 2, 3, 4, 5),
    "negative": (-1, 0, 1, 2),
    "fractions": (0, 0.5, 1, 1.5),
}
K, Z80 = 3, 1.959963984540054 + 0.8416212335729143
Row = tuple[str, str, float]
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
        found = rd.compare(
            rd.read_run(shuffled(self.a), name="a"),
            rd.read_run(shuffled(self.b), name="b"),
            rd.read_judgments(graded),
            policy=self.policy,
            queries=rd.read_queries(rows) if named else None,
            votes=rd.read_votes(votes) if votes else None,
        )
        assert isinstance(found, rd.Comparison)
        return found

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


SEEDS = range(sampled(48))


def comparable(seed: int) -> tuple[Claimed, rd.Comparison]:
    """A world in which queries count, and its comparison."""
    made = world(seed)
    if not made.counted:
        pytest.skip("no query counts")
    return made, made.compared(random.Random(seed))


def whole(text: str) -> int:
    """A count as people read it."""
    return int(text.replace(",", ""))


def about(number: float) -> str:
    """Two digits that count."""
    step = 10 ** max(len(str(round(number))) - 2, 0)
    return f"{round(round(number) / step) * step:,}"


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
    assert evidence.plain is not None
    assert evidence.data is not None
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
        r", worth ([\d,]+) equal": math.floor(n_eff + 1e-9),
        r"([\d,]+) of (?:them|[\d,]+ \w+) differs? in score": len(moved),
        r"(?<!\bof )\b([\d,]+) (?:queries differ|query differs|groups differ|group differs) in score": len(moved),
        r"Only [\d,]+ of ([\d,]+) (?:query|queries|group|groups) differ": primary.clusters or len(made.counted),
    }
    for text in texts_of(verdict):
        for pattern, expected in claims.items():
            assert {whole(found) for found in re.findall(pattern, text)} <= {expected}, (text, pattern)
        assert not re.search(r"\bchanged\b", text), text
    done("worlds whose sentences were recomputed")


@pytest.mark.parametrize("seed", SEEDS)
def test_every_number_of_queries_that_are_needed_counts_judged_ones(seed: int) -> None:
    """Where only affected queries count, more must be judged, by the share of these; the words have that number."""
    made, comparison = comparable(seed)
    verdict, evidence = rd.decide(comparison), evidence_of(comparison)
    assert evidence.plain is not None
    primary, needed = evidence.plain.primary, dict(verdict.needed)
    share = len(made.counted) / len(made.everything) if made.affected else 1.0
    told = f"{verdict.next_step} {verdict.would_change}"
    if verdict.rule == "S1":
        units, policy = primary.clusters or primary.n, made.policy
        worth = min(units, primary.n_eff or units)
        light = worth < units - 1e-9
        assert needed["more"] == (0 if light or units >= policy.n_min else policy.n_min - units)
        assert needed["more_in_score"] == max(policy.changed_min - primary.changed, 0)
        if needed["more"] and made.affected and primary.clusters is None:
            assert needed["judged"] == math.ceil(round(needed["more"] / share, 6))
            assert f"about {about(needed['judged'])} judged queries" in told
        patterns = {"more": r"([\d,]+) more (?:quer|group)", "more_in_score": r"([\d,]+) more \w+ that \w+ in score"}
        for name, pattern in patterns.items():
            if needed[name]:
                assert needed[name] in {whole(found) for found in re.findall(pattern, told)}, told
    if verdict.rule == "U1":
        sd = (primary.mde80 or 0.0) / Z80 * math.sqrt(primary.n)
        for name, target in (("gain", made.policy.mpe), ("as_seen", primary.delta or 0.0)):
            if name in needed:  # the t-test needs two queries more than this
                assert needed[name] == pytest.approx((Z80 * sd / target) ** 2 / share, rel=0.02, abs=5 / share)
                assert f"about {about(needed[name])}" in told
    for found in re.findall(r"about ([\d,]+) times", told):
        assert found == about(needed.get("as_seen", needed["gain"]) * share / primary.n)
    for found in re.findall(r"about ([\d,]+)\b(?! times)", told):
        assert found in {about(number) for number in needed.values()} or "if the difference stays" in told, told


@pytest.mark.parametrize("seed", range(sampled(36)))
def test_needed_votes_follow_the_error_that_the_interval_has(seed: int) -> None:
    """However many votes a query has, and whether sides are known: n (z se / target)^2, se of the interval shown."""
    dice = random.Random(seed)
    raters, sided, n = dice.choice((1, 2, 5)), dice.random() < 0.5, dice.choice((40, 90))
    rows = [
        (f"q{i}", f"r{j}", dice.choices(("good", "same", "bad"), (4, 5, 3))[0], dice.choice("AB") if sided else "")
        for i in range(n)
        for j in range(raters)
    ]
    names = ("query_id", "rater", "vote", "left")
    alone = rd.compare_votes(rd.read_votes([dict(zip(names, row, strict=True)) for row in rows]))
    verdict, votes = rd.decide(alone), alone.votes.gsb
    if verdict.rule != "U1":
        return
    worth = {"good": 1.0, "same": 0.0, "bad": -1.0}
    y, h = defaultdict(list), defaultdict(list)
    for query, _, vote, left in rows:
        y[query].append(worth[vote])
        h[query].append({"B": 1.0, "A": -1.0, "": 0.0}[left])
    means, sides = ([sum(values[query]) / len(values[query]) for query in y] for values in (y, h))
    middle, level = sum(sides) / n, sum(means) / n
    spread = math.fsum((side - middle) ** 2 for side in sides)
    slope = math.fsum((side - middle) * mean for side, mean in zip(sides, means, strict=True)) / spread if spread else 0
    at_zero = [1 / n - (middle * (side - middle) / spread if spread else 0) for side in sides]
    left = [mean - level - slope * (side - middle) for side, mean in zip(sides, means, strict=True)]
    delta = level - slope * middle
    assert votes.delta == pytest.approx(delta, abs=1e-9)
    if raters > 1:
        se = math.sqrt(n / (n - 1 - bool(spread)) * math.fsum((a * e) ** 2 for a, e in zip(at_zero, left, strict=True)))
    else:  # Tango's, of the shares of good and bad votes at a balanced side
        good, bad = (
            math.fsum(a for a, mean in zip(at_zero, means, strict=True) if mean == vote) for vote in (1.0, -1.0)
        )
        size = n * (1 - middle**2 / (sum(side**2 for side in sides) / n)) if sided else n
        se = math.sqrt((good + bad - delta**2) / size)
    for name, target in (("gain", 0.02), ("as_seen", delta)):
        if name in verdict.needed:
            # with one vote for each query the spread is that at the target
            drift = (target**2 - delta**2) / (se**2 * n) if raters == 1 and not sided else 0.0
            expected = n * (Z80 * se / target) ** 2 * (1 - drift)
            assert verdict.needed[name] == pytest.approx(expected, abs=1.5, rel=1e-6)
            assert f"about {about(verdict.needed[name])}" in verdict.next_step
    done("numbers of votes that are needed")


@pytest.mark.parametrize("seed", SEEDS)
def test_caveats_are_true_of_the_rows(seed: int) -> None:
    """Wins against losses, missing queries, weights and what is unseen: each caveat appears exactly where it is true,
    with the numbers of the rows.
    """
    made, comparison = comparable(seed)
    verdict = rd.decide(comparison)
    found, deltas = {one.id: one.facts for one in verdict.caveats}, made.deltas(made.counted)
    wins, losses = (sum(sign * delta > 0 for delta in deltas.values()) for sign in (1, -1))
    mean = made.mean(made.counted)
    contrary = abs(mean) > 1e-9 and (wins - losses) * mean < 0
    majority = found.get("majority", {"counts": None})
    assert majority["counts"] == ((wins, losses) if contrary else None)
    missing = [len({*made.everything} - lists.keys()) for lists in (made.a, made.b)]
    assert ("missing" in found) == any(missing)
    if any(missing):
        assert [found["missing"]["missing_a"], found["missing"]["missing_b"]] == missing
        both = [query for query in made.counted if query in made.a and query in made.b]
        assert found["missing"]["delta_without"] == pytest.approx(made.mean(both), abs=1e-9)
    if "weights" in found:
        equal = math.fsum(deltas.values()) / len(deltas)
        assert found["weights"]["delta_unweighted"] == pytest.approx(equal, abs=1e-9)
        assert found["weights"]["n"] == len(made.counted)
    if "raters" in found:
        assert found["raters"]["people"] == len({rater for _, rater, _, _ in made.votes})
    assert ("small" in found) <= verdict.launch
    done("worlds whose caveats were recomputed")


@pytest.mark.parametrize("seed", SEEDS)
def test_no_number_depends_on_the_order_of_the_rows(seed: int) -> None:
    """Verdict, caveats with their facts, numbers needed, and the fewest queries that turn it, by number and name."""
    made, comparison = comparable(seed)
    expected = rd.decide(comparison)
    for shuffle in range(2):
        found = rd.decide(made.compared(random.Random(1000 * seed + shuffle)))
        assert (found.outcome, found.rule, found.sentence) == (expected.outcome, expected.rule, expected.sentence)
        assert found.needed == pytest.approx(expected.needed)
        assert found.fragility == expected.fragility
        assert [one.sentence for one in found.caveats] == [one.sentence for one in expected.caveats]


@pytest.mark.parametrize("seed", range(sampled(40)))
def test_scores_rise_is_said_exactly_where_whole_lists_rise(seed: int) -> None:
    """In files in any order of rows: shuffled by row, by query, and as they were written."""
    dice = random.Random(seed)
    depth, rising = dice.choice((2, 4)), dice.random() < 0.5
    queries, sign = dice.choice((1, 4, 30)), 1.0 if rising else -1.0
    rows = [(f"q{q}", f"d{k}", sign * k) for q in range(queries) for k in range(depth)]
    order = dice.choice(("written", "interleaved", "shuffled"))
    rows = sorted(rows, key=lambda row: (row[2], row[0])) if order == "interleaved" else rows
    rows = dice.sample(rows, len(rows)) if order == "shuffled" else rows
    lists: dict[str, list[float]] = defaultdict(list)
    for query, _, score in rows:
        lists[query].append(score)
    all_rise = all(values == sorted(values) for values in lists.values())
    text = "query_id,doc_id,score\n" + "".join(f"{query},{doc},{score}\n" for query, doc, score in rows)
    assert rd.read_run(text.encode()).source.has("scores_rise") == all_rise
    done("files whose scores rise, or do not")


def test_what_has_no_name_is_named_by_its_part() -> None:
    """A sentence on tables without a name begins with what the table is, never with a comma."""
    queries = rd.read_queries([{"query_id": "other", "market": "de"}])
    votes = rd.read_votes([{"query_id": "other", "vote": "good"}])
    found = [mistake.sentence for mistake in unmet_tables(queries, votes, ["x"], Source())]
    assert len(found) == 2
    assert all(sentence[0].isalnum() for sentence in found)


def test_intervals_of_votes_are_said_to_count_queries() -> None:
    """Where queries are in groups, the sentence on groups says that ΔGSB's interval does not count them."""
    for seed in range(24):
        made = world(seed)
        if made.clusters and made.counted:
            notes = [
                note.sentence for note in query_notes(made.compared(random.Random(seed))) if "groups" in note.sentence
            ]
            assert len(notes) == 1
            assert ("ΔGSB" in notes[0]) == bool(made.votes)
