"""Measures of subtopics: ndeval's numbers, and those of a twin in plain Python where ndeval has none."""

import math
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyndeval
import pytest

import rankdash as rd
from rankdash.metrics.names import COVERS, peer_name
from rankdash.scoring.blocks import score_files
from tests.judged.test_subtopics import Row, of_subtopics
from tests.long import every

NDEVAL = {
    str(peer_name("ndeval", form)).format(k=k): form.replace("@k", f"@{k}")
    for form in COVERS["ndeval"]
    for k in (1, 2, 5, 20)
}
Lists = dict[str, dict[str, float]]


def world(seed: int, queries: int = 5, negative: int = 0) -> tuple[list[Row], Lists]:
    """Grades of subtopics and lists with ties and unjudged documents; the last query has no relevant document."""
    chance = random.Random(seed)
    documents = [f"d{number}" for number in range(30)]
    subtopics = [str(number) for number in range(chance.choice([1, 3, 80]))]
    names = [f"q{number}" for number in range(queries)]
    rows = [
        (query, subtopic, document, 0 if query == names[-1] else chance.choice([negative, 0, 0, 1, 2]))
        for query in names
        for document in chance.sample(documents, chance.randrange(1, 25))
        for subtopic in chance.sample(subtopics, chance.randrange(1, min(len(subtopics), 6) + 1))
    ]
    lists = {
        query: {document: float(chance.randrange(12)) for document in chance.sample(documents, chance.randrange(1, 29))}
        for query in names
    }
    return rows, lists


@pytest.mark.parametrize(("alpha", "beta", "rel"), [(0.5, 0.5, 1), (0.3, 0.8, 2), (0.0, 0.5, 1), (1.0, 0.0, 1)])
@pytest.mark.parametrize("seed", every(4, range(12)))
def test_what_ndeval_prints_comes_out(seed: int, alpha: float, beta: float, rel: int) -> None:
    """Every measure of ndeval at every kind of cutoff, ties and queries without a relevant document included."""
    rows, lists = world(seed)
    judge = pyndeval.RelevanceEvaluator(rows, [*NDEVAL], relevance_level=rel, alpha=alpha, beta=beta)
    theirs = judge.evaluate([(query, *pair) for query, documents in lists.items() for pair in documents.items()])
    judgments, convention = of_subtopics(rows), replace(rd.PRESETS["ndeval"], rel=rel)
    for tool, ours in NDEVAL.items():
        row = rd.parse_measure(ours).definition
        own = {"alpha": alpha, "beta": beta}
        said = ",".join(f"{name}={own[name]}" for name in row.defaults)
        name = ours.replace(row.name, f"{row.name}({said})") if said else ours
        frame = rd.evaluate(lists, judgments, [name], convention=convention)
        for query, value in zip(frame["query_id"], frame["value"], strict=True):
            expected = theirs[query][tool]
            assert value == pytest.approx(0.0 if math.isnan(expected) else expected, abs=1e-12), (tool, query)


def test_published_examples() -> None:
    """The example in pyndeval's README."""
    rows: list[Row] = [("0", "a", "A", 1), ("0", "b", "B", 1), ("0", "b", "D", 1), ("0", "c", "C", 1)]
    names = ["ERR-IA@5", "ERR-IA@10", "nERR-IA@5", "alpha-DCG@5", "alpha-nDCG@10", "NRBP", "nNRBP", "MAP-IA", "strec@5"]
    lists = {"0": {"A": 9.3, "D": 8.4, "E": 8.1, "B": 7.6}}
    found = rd.evaluate(lists, of_subtopics(rows), names, convention="ndeval")["value"].tolist()
    printed = [0.3933, 0.3907, 0.8297, 0.4052, 0.7868, 0.3906, 0.8620, 0.5, 0.6666]
    assert [math.floor(value * 1e4) / 1e4 for value in found] == printed


# --- in plain Python -------------------------------------------------------------------------------------------------

Relevant = Mapping[str, set[str]]  # the subtopics of each document


def gains(documents: list[str], relevant: Relevant, alpha: float) -> list[float]:
    """What each document of a list gains."""
    seen: dict[str, int] = {}
    found = []
    for document in documents:
        subtopics = relevant.get(document, set())
        found.append(math.fsum((1 - alpha) ** seen.get(subtopic, 0) for subtopic in subtopics))
        for subtopic in subtopics:
            seen[subtopic] = seen.get(subtopic, 0) + 1
    return found


def ideal(relevant: Relevant, alpha: float) -> list[str]:
    """The document with the largest gain, then that of the others, and so on; of equal ones the largest id."""
    order: list[str] = []
    while left := [document for document in relevant if document not in order]:
        order.append(max(left, key=lambda one: (round(gains([*order, one], relevant, alpha)[-1], 9), one.encode())))
    return order


def twin(documents: list[str], relevant: Relevant, k: int, alpha: float) -> dict[str, float]:
    """The measures at a cutoff, of a list without ties."""
    own, best = gains(documents, relevant, alpha), gains(ideal(relevant, alpha), relevant, alpha)
    subtopics = set[str]().union(*relevant.values())
    if not subtopics:
        return dict.fromkeys(("alpha_nDCG", "alpha_DCG", "ERR_IA", "nERR_IA", "P_IA", "STREC"), 0.0)
    thinkable = [len(subtopics) * (1 - alpha) ** place for place in range(k)]

    def discounted(values: list[float]) -> float:
        return sum(value / math.log2(rank + 1) for rank, value in enumerate(values[:k], 1))

    def by_rank(values: list[float]) -> float:
        return sum(value / rank for rank, value in enumerate(values[:k], 1))

    shown = [relevant.get(document, set()) for document in documents[:k]]
    return {
        "alpha_nDCG": discounted(own) / discounted(best),
        "alpha_DCG": discounted(own) / discounted(thinkable),
        "ERR_IA": by_rank(own) / by_rank(thinkable),
        "nERR_IA": by_rank(own) / by_rank(best),
        "P_IA": sum(map(len, shown)) / (k * len(subtopics)),
        "STREC": len(set[str]().union(*shown)) / len(subtopics),
    }


@pytest.mark.parametrize("unjudged", ["nonrelevant", "condensed"])
@pytest.mark.parametrize("seed", every(3, range(9)))
def test_the_twin_has_the_same_numbers(seed: int, unjudged: str) -> None:
    """Beyond cutoff 20, at cutoff 1, for condensed lists and grades below 0, all between 0 and 1."""
    rows, lists = world(seed, negative=-1)
    convention = rd.PRESETS["standard"].with_axes({"unjudged": unjudged, "rel": 2 if seed % 2 else 1})
    relevant: dict[str, dict[str, set[str]]] = {}
    judged = set[tuple[str, str]]()
    for query, subtopic, document, grade in rows:
        judged |= {(query, document)} if grade >= 0 else set()
        if grade >= convention.rel:
            relevant.setdefault(query, {}).setdefault(document, set()).add(subtopic)
    for k, alpha in ((1, 0.5), (3, 0.9), (25, 0.25)):
        names = [f"{name}(alpha={alpha})@{k}" for name in ("alpha_nDCG", "alpha_DCG", "ERR_IA", "nERR_IA")]
        frame = rd.evaluate(lists, of_subtopics(rows), [*names, f"P_IA@{k}", f"STREC@{k}"], convention=convention)
        for query, found in frame.groupby("query_id"):
            pairs = lists[str(query)].items()
            order = [document for document, _ in sorted(pairs, key=lambda pair: (pair[1], pair[0].encode()))][::-1]
            if unjudged == "condensed":
                order = [document for document in order if (query, document) in judged]
            expected = twin(order, relevant.get(str(query), {}), k, alpha)
            assert found["value"].tolist() == pytest.approx([*expected.values()], abs=1e-12), (query, k)
            assert found["value"].between(0, 1 + 1e-12).all()


# --- on every path ---------------------------------------------------------------------------------------------------

ASKED = ["alpha_nDCG@5", "ERR_IA@5", "NRBP", "nNRBP", "AP_IA", "STREC@3", "nDCG@5", "AP"]


def written(tmp_path: Path, seed: int) -> tuple[Path, Path, Path]:
    """Two runs and judgments as files."""
    rows, a = world(seed, queries=12)
    _, b = world(seed + 1, queries=12)
    paths = tmp_path / "a.trec", tmp_path / "b.trec", tmp_path / "q.txt"
    for path, lists in zip(paths, (a, b), strict=False):
        lines = (f"{query} Q0 {doc} 0 {score} t\n" for query, pairs in lists.items() for doc, score in pairs.items())
        path.write_text("".join(lines))
    paths[2].write_text("".join("{} {} {} {}\n".format(*row) for row in rows))
    return paths


@pytest.mark.parametrize("seed", range(2))
def test_values_are_the_same_on_every_path(seed: int, tmp_path: Path) -> None:
    """In memory, piece by piece, swapped, and one query alone: to the last bit."""
    a, b, q = written(tmp_path, seed)
    judgments = rd.read_judgments(q, columns={"subtopic": "iteration"})
    policy = rd.Policy(primary="alpha_nDCG@5", cutoff=5)
    runs = rd.read_run(a, name="a"), rd.read_run(b, name="b")
    found = [
        rd.compare_scored(rd.score(*runs, judgments, policy=policy, measures=ASKED)),
        rd.compare(*runs, judgments, policy=policy, measures=ASKED),
        rd.compare_scored(score_files((str(a), str(b)), judgments, policy, ASKED, size=400)),
    ]
    whole, swapped = found[0], rd.compare(*runs[::-1], judgments, policy=policy, measures=ASKED)
    for other in found[1:]:
        assert other.measure_names == whole.measure_names == swapped.measure_names
        np.testing.assert_array_equal(other.scores_a, whole.scores_a)
        np.testing.assert_array_equal(other.scores_b, whole.scores_b)
    np.testing.assert_array_equal(swapped.scores_a, whole.scores_b)
    for name in ASKED:
        row = whole.scores_a[whole.measure_names.index(name)]
        for query, value in zip(whole.query_ids, row.tolist(), strict=True):
            worked = rd.explain(runs[0], judgments, name, query)
            assert worked.value == value
            assert worked.below == 0 or worked.above / (worked.below or 1) == worked.value
            assert worked.above == pytest.approx(sum(rank.contribution for rank in worked.ranks))


def test_without_subtopics_a_measure_says_what_is_missing() -> None:
    """And the measures of a comparison that read none are as they were."""
    with pytest.raises(rd.MeasureError, match="subtopic"):
        rd.evaluate({"q": ["d"]}, {"q": {"d": 1}}, ["alpha_nDCG@10"])
    with pytest.raises(rd.MeasureError, match="subtopic"):
        rd.explain(rd.read_run({"q": ["d"]}), rd.read_judgments({"q": {"d": 1}}), "NRBP", "q")
