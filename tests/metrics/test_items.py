"""Measures of what documents are, and gains that fade with their age."""

import collections
import itertools
import math
import statistics
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.arrow import same_tables
from rankdash.inspect.view import orders_of, shared_lists, viewed
from rankdash.metrics.items import MEDIAN_AGE, median_age
from rankdash.policy import Policy
from rankdash.scoring.blocks import score_files
from rankdash.scoring.score import scored_in_memory

AT = "2026-11-01T12:00:00"


def values(run: Any, grades: Any, measure: str, items: Any, **more: Any) -> list[float]:
    """The values of a measure, query by query."""
    found: list[float] = rd.evaluate(run, grades, measure, items=items, **more)["value"].tolist()
    return found


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("ILD@1", [0.0, 0.0]),
        ("ILD@2", [1.0, 0.0]),
        ("ILD@3", [1.3333333333333333, 0.0]),
        ("MIUF(n_users=3)@1", [1.584962500721156, 1.584962500721156, 0.0]),
        ("MIUF(n_users=3)@3", [1.584962500721156, 1.584962500721156, 0.792481250360578]),
        ("Serendipity@1", [0.0, 0.25, 0.0, 0.25]),
        ("Serendipity@2", [0.0, 0.5, 0.0, 0.125]),
    ],
)
def test_the_examples_of_rectools_agree(measure: str, expected: list[float]) -> None:
    """The values are those in the docstrings of RecTools 0.19: IntraListDiversity, MeanInvUserFreq, Serendipity."""
    if measure.startswith("ILD"):
        run: dict[str, list[str]] = {"1": ["1", "2", "3"], "2": ["1", "4"]}
        cells = [("1", 0, 0), ("2", 0, 1), ("3", 1, 1), ("4", 0, 0)]
        items: list[dict[str, Any]] = [{"doc_id": i, "category": a, "category_2": b} for i, a, b in cells]
        grades = {query: {"1": 1} for query in run}
    elif measure.startswith("MIUF"):
        run, items = {"1": ["3"], "2": ["2", "3"], "3": ["1", "2"]}, [{"doc_id": "1", "users": 3}]
        items.append({"doc_id": "2", "users": 1})
        grades = {query: {"1": 1} for query in run}
    else:
        run = {"u1": ["i1", "i2"], "u2": ["i2", "i3"], "u3": ["i3"], "u4": ["i2", "i3"]}
        items = [{"doc_id": f"i{at}", "users": n} for at, n in enumerate((3, 2, 0, 0), 1)]
        grades = {"u1": {"i1": 1, "i2": 1}, "u2": {"i2": 1, "i3": 1}, "u3": {"i2": 1}, "u4": {"i2": 1}}
    assert values(run, grades, measure, items) == pytest.approx(expected, abs=1e-14)


# --- a slow twin in plain Python, on random worlds -------------------------------------------------------------------

Facts = Mapping[str, Mapping[str, Any]]


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else math.nan


def _ild(docs: list[str], facts: Facts, by: str) -> float:
    def apart(one: Any, other: Any) -> float:
        if by == "category":
            return float(sum(a != b for a, b in zip(one, other, strict=True)))
        return 1 - math.fsum(a * b for a, b in zip(one, other, strict=True)) / math.hypot(*one) / math.hypot(*other)

    of = [facts.get(doc, {}).get(by) for doc in docs]
    return _mean([apart(*two) for two in itertools.combinations(of, 2) if None not in two]) if len(docs) > 1 else 0.0


def _serendipity(docs: list[str], facts: Facts, grades: Mapping[str, float]) -> float:
    popular = sorted({own["users"] for own in facts.values()} - {0}, reverse=True)
    n, total = len(facts), 0.0
    for rank, doc in enumerate(docs, 1):
        users = facts.get(doc, {}).get("users", 0)
        place = (n - popular.index(users)) / n if users else 0.0
        total += max((n + 1 - rank) / n - place, 0) * (grades.get(doc, 0) >= 1)
    return total / len(docs)


def _ndcg(docs: list[str], gains: Mapping[str, float], pool: list[float], k: int) -> float:
    def dcg(gained: list[float]) -> float:
        return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gained[:k], 1))

    ideal = dcg(sorted(pool, reverse=True))
    return dcg([gains.get(doc, 0.0) for doc in docs]) / ideal if ideal else 0.0


def twins(docs: list[str], facts: Facts, grades: Mapping[str, float], k: int) -> dict[str, float]:
    """Every measure of one list, from its definition."""
    top = docs[:k]
    ages = {doc: own["age"] for doc, own in facts.items() if own["age"] is not None}
    known = [ages[doc] for doc in top if doc in ages]
    faded = {doc: grade * 2 ** (-ages.get(doc, 0.0) / 7) for doc, grade in grades.items()}
    doubled = {doc: (2**grade - 1) * 2 ** (-ages.get(doc, 0.0) / 30.5) for doc, grade in grades.items()}
    return {
        f"ILD@{k}": _ild(top, facts, "category"),
        f"ILD(by='vector')@{k}": _ild(top, facts, "vector"),
        f"MIUF(n_users=50)@{k}": _mean([-math.log2((facts.get(doc, {}).get("users") or 1) / 50) for doc in top]),
        f"Serendipity@{k}": _serendipity(top, facts, grades),
        f"fresh(within=7)@{k}": _mean([float(age <= 7) for age in known]),
        f"median_age@{k}": statistics.median(known) if known else math.nan,
        f"nDCG(half_life=7)@{k}": _ndcg(docs, faded, list(faded.values()), k),
        f"nDCG(gain='exp2',ideal='retrieved',half_life=30.5)@{k}": _ndcg(
            docs, doubled, [doubled[doc] for doc in docs if doc in doubled], k
        ),
    }


def world(seed: int) -> tuple[dict[str, list[str]], dict[str, dict[str, float]], dict[str, dict[str, Any]]]:
    """Random lists, grades and facts about all but a few documents."""
    dice = np.random.default_rng(seed)
    docs = [f"d{at}" for at in range(int(dice.integers(2, 25)))]
    runs = {f"q{at}": [str(doc) for doc in dice.permutation(docs)[: dice.integers(1, 20)]] for at in range(6)}
    grades = {
        query: {doc: float(dice.integers(0, 4)) for doc in docs if dice.random() < 0.6} or {docs[0]: 1.0}
        for query in runs
    }
    facts = {
        doc: {
            "category": None if dice.random() < 0.1 else (str(dice.integers(3)), str(dice.integers(2))),
            "vector": None if dice.random() < 0.1 else [float(x) for x in dice.normal(size=3)],
            "users": int(dice.integers(0, 5)),
            "age": None if dice.random() < 0.2 else float(dice.integers(0, 60)),
        }
        for doc in docs
        if dice.random() < 0.9
    }
    return runs, grades, facts or {docs[0]: {"category": ("x", "y"), "vector": [1.0], "users": 1, "age": 1.0}}


def rows(facts: Facts) -> list[dict[str, Any]]:
    """The facts as rows of a table of items."""
    at = datetime.fromisoformat(AT).replace(tzinfo=UTC)
    return [
        {
            "doc_id": doc,
            "date_2": "later",
            **dict(zip(("category", "category_2"), own["category"] or ("", ""), strict=True)),
            "vector": own["vector"],
            "users": own["users"],
            "date": "" if own["age"] is None else (at - timedelta(days=own["age"])).isoformat(),
        }
        for doc, own in facts.items()
    ]


@pytest.mark.parametrize("seed", range(12))
def test_every_measure_equals_its_slow_twin(seed: int) -> None:
    """On random worlds, with documents that the table lacks, to twelve decimals; the worked sum ends in the value."""
    run, grades, facts = world(seed)
    items = rd.read_items(rows(facts)).asked_at(AT)
    for k in (1, 3, 30):
        expected = {query: twins(run[query], facts, grades[query], k) for query in run}
        for name in expected["q0"]:
            found = values(run, grades, name, items)
            assert found == pytest.approx([one[name] for one in expected.values()], abs=1e-12, nan_ok=True), name
        for query in run:
            worked = rd.explain(run, grades, f"nDCG(half_life=7)@{k}", query, items=items)
            assert worked.value == pytest.approx(expected[query][f"nDCG(half_life=7)@{k}"], abs=1e-12)
            assert worked.below is not None
            assert worked.value == (worked.above / worked.below if worked.below else 0.0)
            assert [one.gain for one in worked.ideal] == sorted((one.gain for one in worked.ideal), reverse=True)


@pytest.mark.parametrize("seed", range(6))
def test_what_all_lists_show_equals_its_slow_twin(seed: int) -> None:
    """Coverage, Gini's mean difference over twice the mean, and the mean over lists of the mean number of users."""
    run, grades, facts = world(seed)
    found = rd.compare(run, run, grades, policy=Policy(primary="nDCG@3", cutoff=3), items=rows(facts))
    shown = [doc for docs in run.values() for doc in docs[:3]]
    times = [shown.count(doc) for doc in facts]
    one, other = found.catalogue
    assert one == other
    assert (one.items, one.shown) == (len(facts), sum(n > 0 for n in times))
    assert one.unknown == sum(doc not in facts for doc in shown)
    apart = sum(abs(a - b) for a in times for b in times)
    assert one.gini == pytest.approx(apart / (2 * len(times) * sum(times)) if sum(times) else None)
    means = [_mean([facts.get(doc, {}).get("users", 0) for doc in docs[:3]]) for docs in run.values()]
    assert one.popularity == pytest.approx(_mean(means))
    assert found.to_dict()["catalogue"]["a"]["coverage"] == one.coverage == one.shown / one.items
    at = rd.evaluate(run, grades, "Serendipity@3", items=rows(facts)).attrs["catalogue"]
    assert at == one.numbers


# --- a comparison ----------------------------------------------------------------------------------------------------

FADES = Policy(
    primary="nDCG(half_life=7)@3", guardrails=(("Serendipity@5", 0.1),), watch=(("fresh(within=9)@2", 0.1),), cutoff=3
)


def test_gains_that_fade_decide_a_verdict_in_memory_and_in_blocks(tmp_path: Path) -> None:
    """A primary measure, a guardrail and a watch measure; large files give the same table to the bit, also by the times
    of the queries, and an exchange of A and B turns the difference around.
    """
    run, grades, facts = world(3)
    other = {query: docs[::-1] for query, docs in run.items()}
    items, judged = rd.read_items(rows(facts)), rd.read_judgments(grades)
    times = rd.read_queries([{"query_id": query, "time": AT} for query in run])
    found = rd.compare(run, other, judged, policy=FADES, items=items, queries=times)
    by_set = rd.compare(run, other, judged, policy=FADES, items=items, at=AT)
    assert np.array_equal(found.scores_b, by_set.scores_b, equal_nan=True)
    turned = rd.compare(other, run, judged, policy=FADES, items=items, at=AT)
    assert turned.primary.paired.delta == -(found.primary.paired.delta or math.nan)
    assert rd.decide(found).launch in (True, False)

    paths = tmp_path / "a.trec", tmp_path / "b.trec"
    for path, lists in zip(paths, (run, other), strict=True):
        lines = (f"{q} Q0 {doc} {at} {-at} m" for q, docs in lists.items() for at, doc in enumerate(docs, 1))
        path.write_text("\n".join(lines) + "\n")
    in_pieces = score_files((str(paths[0]), str(paths[1])), judged, FADES, size=200, items=items, queries=times)
    whole = scored_in_memory(*map(rd.read_run, paths), judged, FADES, items=items.asked_at(AT))
    assert same_tables(in_pieces.to_arrow(), whole.to_arrow())
    kept = rd.compare_scored(in_pieces.to_arrow())
    assert kept.catalogue == found.catalogue is not None
    assert kept.inputs.undated == found.inputs.undated > 0


def test_an_old_relevant_document_still_counts() -> None:
    """However short the half-life, a gain above 0 stays above 0, and nDCG has a value."""
    items = [{"doc_id": "a", "date": "1970-01-01"}, {"doc_id": "b", "date": "1970-01-02"}]
    assert values({"q": ["b", "a"]}, {"q": {"a": 1}}, "nDCG(half_life=0.5)@2", items, at=AT) == [1 / math.log2(3)]


def test_documents_without_a_date_are_counted() -> None:
    """They keep their gain, and the comparison says how many they are, only where gains fade."""
    items = [{"doc_id": "a", "date": "2026-10-25"}, {"doc_id": "b", "date": ""}]
    data = {"q": ["a", "b"]}, {"q": ["b", "a"]}, {"q": {"a": 1, "b": 1, "c": 1}}
    for measure, notes in (("nDCG(half_life=7)@2", ["undated"]), ("nDCG@2", [])):
        found = rd.compare(*data, policy=Policy(primary=measure), items=items, at="2026-11-01")
        warned = [note["code"] for note in found.to_dict()["inputs"]["items"]["notes"] if note["level"] == "warning"]
        assert warned == notes


@pytest.mark.parametrize(("known", "warns"), [("abc", False), ("ab", True), ("xyz", True)])
def test_listed_documents_that_the_items_lack_are_counted(known: str, warns: bool) -> None:
    """Of a comparison and of a single run, once."""
    items = [{"doc_id": doc, "category": doc} for doc in known]
    run, grades = {"q": ["a", "b", "c"]}, {"q": {"a": 1}}
    found = rd.compare(run, {"q": ["c", "b", "a"]}, grades, items=items, measures=["ILD@3"])
    codes = [note["code"] for note in found.to_dict()["inputs"]["items"]["notes"] if note["level"] == "warning"]
    assert codes == ["unmet"] * warns
    alone, bare = (
        rd.evaluate(run, grades, *how, items=given).attrs["notes"]
        for how, given in ((["ILD@3"], items), (["RR"], None))
    )
    assert len(alone) - len(bare) == warns


DATED = [{"doc_id": "a", "date": "2026-10-25", "category": "x"}]


@pytest.mark.parametrize(
    ("measure", "more"),
    [
        ("ILD@2", {}),
        ("ILD(by='vector')@2", {"items": DATED}),
        ("MIUF(n_users=3)@2", {"items": DATED}),
        ("MIUF@2", {"items": [{"doc_id": "a", "users": 1}]}),
        ("MIUF(n_users=3)@2", {"items": [{"doc_id": "a", "users": 4}]}),
        ("fresh@2", {"items": DATED, "at": AT}),
        ("fresh(within=7)@2", {"items": DATED}),
        ("fresh(within=7)@2", {"items": [{"doc_id": "a", "date": ""}], "at": AT}),
        ("nDCG(half_life=7)@2", {}),
        ("nDCG(half_life=7)@2", {"items": DATED}),
        ("nDCG(half_life=7)@2", {"items": DATED, "queries": [{"query_id": "r", "time": AT}]}),
        ("nDCG(half_life=7)@2", {"items": [{"doc_id": "a", "category": "x"}], "at": AT}),
        ("nDCG(half_life=0)@2", {"items": DATED, "at": AT}),
        ("ILD(by='colour')@2", {"items": DATED}),
        ("coverage@10", {"items": DATED}),
    ],
)
@pytest.mark.parametrize(
    "ask", [rd.evaluate, lambda run, *rest, **more: rd.compare(run, run, *rest[:1], measures=rest[1], **more)]
)
def test_what_a_measure_lacks_is_said(ask: Callable[..., Any], measure: str, more: dict[str, Any]) -> None:
    """Without a column, a time or a parameter there is no value, and no traceback."""
    with pytest.raises(rd.MeasureError):
        ask({"q": ["a", "b"]}, {"q": {"a": 1}}, measure, **more)


def test_a_cutoff_below_the_ranks_that_are_kept_reads_them_all() -> None:
    """ILD@50 of lists that are compared at 1 sees 50 documents."""
    docs = [f"d{at}" for at in range(60)]
    items = [{"doc_id": doc, "category": "x" if at < 49 else "y"} for at, doc in enumerate(docs)]
    found = rd.compare(
        {"q": docs},
        {"q": docs[::-1]},
        {"q": {"d1": 1}},
        policy=Policy(primary="nDCG@1", cutoff=1),
        measures="ILD@50",
        items=items,
    )
    assert found.scores_a[-1][0] == pytest.approx(49 / (50 * 49 / 2))


@pytest.mark.parametrize("measure", ["ILD@4", "MIUF(n_users=100)@4", "fresh(within=7)@4", "median_age@4"])
def test_what_lists_say_of_items_can_stop_a_launch(measure: str) -> None:
    """A team may watch how diverse, how rare, how fresh and how old the documents are; of an age a rise is harm, and
    the sentence has its unit.
    """
    rare, usual = ("x", "2026-10-31", 1), ("y", "2026-01-01", 50)
    items = [
        {"doc_id": f"d{at}", "category": category, "date": date, "users": users}
        for at in range(8)
        for category, date, users in [rare if at % 2 else usual]
    ]
    a, b = ({f"q{at}": docs for at in range(60)} for docs in (["d0", "d1", "d2", "d3"], ["d0", "d2", "d4", "d6"]))
    grades = {query: {f"d{doc}": 2 - doc % 2 for doc in range(8)} for query in a}
    found = rd.compare(a, b, grades, policy=Policy(watch=[[measure, 0.05]]), items=items, at=AT)
    said = next(check.sentence for check in rd.decide(found).checks if (check.rule, check.status) == ("H4", "failed"))
    moved = f"{measure} rises by 151.5 days (" if measure == "median_age@4" else f"{measure} falls by "
    assert said.startswith(moved)


@pytest.mark.parametrize("inference", ["sample", "fixed"])
@pytest.mark.parametrize("seed", range(6))
def test_less_is_better_is_judged_as_more_of_its_negative(
    seed: int, inference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wins, the p of harm, every rule, the queries that carry the verdict, the colours of its bars and those that are
    viewed as won are those of -median_age, of which more is better; queries without a date have no value by either.
    """
    dice, turn = np.random.default_rng(seed), seed % 3 - 1
    age = {f"d{at}": None if at % 7 == 0 else int(dice.integers(0, 60)) for at in range(30)}
    items = rows({doc: {"category": None, "vector": None, "users": 1, "age": of} for doc, of in age.items()})
    a = {f"q{at}": [str(doc) for doc in dice.permutation([*age])[:8]] for at in range(26)}
    a["q0"] = ["d0", "d7"]
    b = {q: sorted(docs, key=lambda doc: turn * (age[doc] or 0) + dice.normal() * 25) for q, docs in a.items()}
    grades = {q: {doc: int(dice.integers(0, 3)) for doc in docs} for q, docs in a.items()}
    about = [{"query_id": q, "weight": at % 3 + 1, "cluster": f"c{at // 2}"} for at, q in enumerate(a)]
    policy = Policy(watch=[["median_age@2", 1]], inference=inference, intent="do_no_harm", harm_n_min=9)

    def judged() -> tuple[Any, ...]:
        queries = about if seed % 2 else None
        found = rd.compare(a, b, grades, policy=policy, items=items, at=AT, queries=queries)
        verdict, of = rd.decide(found), found["median_age@2"].paired
        statuses = [(check.rule, check.status) for check in verdict.checks]
        told = verdict.outcome, verdict.rule, verdict.fragility, statuses, of.wins, of.losses, of.p_harm, of.p_flip
        measure = found.measures[-1]
        tally = viewed(found, measure, shared_lists(found, orders_of(found.joined, measure))).tally
        colours = [*found.plot.deltas("median_age@2").data[0].marker.color]
        return (*told, of.n_dropped, colours, tally), of.delta

    told, delta = judged()
    monkeypatch.setitem(vars(MEDIAN_AGE), "of_items", lambda lists, k: -median_age(lists, k))
    monkeypatch.setitem(vars(MEDIAN_AGE), "higher_is_better", True)
    assert judged() == (told, -delta)
    assert told[-3] >= 1
    assert (("H4", "failed") in told[3]) == (turn < 0)


@pytest.mark.parametrize(
    "name", ["alpha_nDCG(alpha=0.3)@5", "NRBP", "STREC@5", "nDCG(half_life=7)@5", "DCG(half_life=30)", "median_age@5"]
)
def test_a_gain_is_worked_out_of_what_its_row_shows(name: str) -> None:
    """Gains are redone by hand from the subtopics and how often they were seen, or from grade, age and half-life; and
    the first rank of a subtopic is the first document that has it. A median age is that of the ages in its rows.
    """
    a, b, judgments, queries, items = rd.demo("diversity")
    for run, query in itertools.product((a, b), queries.table.column("query_id").to_pylist()):
        worked, seen = rd.explain(run, judgments, name, query, items=items, queries=queries), collections.Counter[str]()
        own = dict(worked.measure.parameters)
        if name == "median_age@5":
            assert worked.value == statistics.median(one.age for one in worked.ranks if one.age is not None)
            continue
        if worked.measure.key == "alpha_nDCG":
            ideal = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(worked.ideal_gains, start=1))
            assert worked.below == pytest.approx(ideal, rel=1e-12)
        for rank in (*worked.ranks, *worked.ideal):
            if half_life := own.get("half_life"):
                assert rank.factor == pytest.approx(2 ** -((rank.age or 0) / half_life), rel=1e-12)
                assert rank.gain == pytest.approx((rank.relevance or 0) * rank.factor, rel=1e-12)
            else:
                assert dict(rank.subtopics) == {one: seen[one] for one, _ in rank.subtopics}
                assert rank.gain == pytest.approx(sum((1 - own.get("alpha", 1.0)) ** n for _, n in rank.subtopics))
                seen.update(one for one, _ in rank.subtopics)
