"""The numbers of search engines, their workbenches and LensKit come out under the preset that is named for them."""

import json
import math
import random
from operator import methodcaller
from pathlib import Path

import pytest

import rankdash as rd
from rankdash.metrics.names import COVERS, WRITTEN
from tests.peers import search_tools
from tests.peers.search_tools import FORMULAS, Formula, Ratings
from tests.reading.other_tools import stored

EVERY = [(preset, name, formula) for preset, rows in FORMULAS.items() for name, formula in rows.items()]
CUTS = (1, 3, 10)
#: Ratings 3 2 3 - 1 -, and a document that was rated 2 and not returned.
HITS, RATED = [*"abcdef"], {"a": 3, "b": 2, "c": 3, "e": 1, "missed": 2}


def made(seed: int) -> tuple[dict[str, list[str]], dict[str, dict[str, int]]]:
    """Lists shorter and longer than every cutoff; ratings of documents in them and of others, and none above 0."""
    chance, lists, ratings = random.Random(seed), {}, {}
    for query in map(str, range(12)):
        lists[query] = [f"d{n}" for n in chance.sample(range(30), chance.randint(1, 14))]
        rated = chance.sample(range(30), chance.randint(1, 20))
        highest = chance.choice([0, 1, 3, 3])
        ratings[query] = {f"d{n}": chance.randint(0, highest) for n in rated}
    return lists, ratings


@pytest.mark.parametrize(("preset", "name", "formula"), EVERY, ids=[f"{one[0]} {one[1]}" for one in EVERY])
def test_each_measure_is_the_number_of_its_tool(preset: str, name: str, formula: Formula) -> None:
    """Unrated documents, lists shorter than k, relevant documents that were not returned, and none at all: the same."""
    for seed in range(6):
        lists, ratings = made(seed)
        for k in CUTS:
            frame = rd.evaluate(lists, ratings, f"{preset}:{name.format(k=k)}")
            found = dict(zip(frame["query_id"], frame["value"], strict=True))
            for query, hits in lists.items():
                assert found[query] == pytest.approx(formula(hits, ratings[query], k), abs=1e-12), (query, k)


def test_what_is_covered_has_its_formula() -> None:
    """Every measure that a preset says it covers, or writes with axes, is checked against the tool's formula."""
    plain = methodcaller("replace", "(max_grade=3)", "")
    for preset, rows in FORMULAS.items():
        covered = {name.replace("@k", "@{k}") for name in COVERS[preset]}
        written = {name.rpartition(":")[2].replace("@k", "@{k}") for name in WRITTEN.get(preset, {}).values()}
        assert {*map(plain, rows)} == {*map(plain, covered | written)}


@pytest.mark.parametrize(
    ("hits", "rated", "dcg", "ideal"),
    [
        ([*"abcdef"], {"a": 3, "b": 2, "c": 3, "d": 0, "e": 1, "f": 2}, 13.84826362927298, 14.595390756454922),
        ([*"abcd"], {"a": 3, "b": 2, "c": 3, "e": 1}, 12.392789260714371, 13.347184833073591),
    ],
)
def test_known_numbers_of_rank_eval(hits: list[str], rated: dict[str, int], dcg: float, ideal: float) -> None:
    """Two examples whose DCG and ideal DCG Elasticsearch is known to print, one of them without a rating at rank 4."""
    values = rd.evaluate({"q": hits}, {"q": rated}, ["DCG@10", "IDCG@10", "nDCG@10"], convention="rank_eval")["value"]
    assert values.tolist() == pytest.approx([dcg, ideal, dcg / ideal], abs=1e-12)


def test_known_numbers_of_lenskit() -> None:
    """Ratings 3, 5 and 4, a list of the first two: LensKit prints 0.7344, and 0.8889 at 2; the sum by hand agrees."""
    lists, ratings = {"u": ["a", "b"]}, {"u": {"a": 3, "b": 5, "c": 4}}
    values = rd.evaluate(lists, ratings, ["NDCG", "NDCG@2"], convention="lenskit")["value"]
    assert values.tolist() == pytest.approx([0.7344, 0.8889], abs=5e-5)
    worked = rd.explain(lists, ratings, "nDCG", "u", "lenskit")
    assert [rank.discount for rank in worked.ranks] == [1, 1]
    assert [place.contribution for place in worked.ideal] == pytest.approx([5, 4, 3 / math.log2(3)])


def answer(score: float) -> dict[str, object]:
    """What `_rank_eval` returns for the list: the hits with their ratings, and its score."""
    hits = [{"hit": {"_index": "i", "_id": hit, "_score": 1.0}, "rating": RATED.get(hit)} for hit in HITS]
    unrated = [{"_index": "i", "_id": hit} for hit in HITS if hit not in RATED]
    details = {"metric_score": score, "unrated_docs": unrated, "hits": hits, "metric_details": {}}
    return {"metric_score": score, "details": {"q": details}, "failures": {}}


@pytest.mark.parametrize("name", ["DCG@10", "P@10", "RR@10", "ERR(max_grade=3)@10"])
def test_the_score_in_an_answer_of_rank_eval(name: str, tmp_path: Path) -> None:
    """What an answer prints follows from its own hits and ratings."""
    score = FORMULAS["rank_eval"][name.replace("10", "{k}")](HITS, RATED, 10)
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(answer(score)), encoding="utf-8")
    assert rd.evaluate(path, path, f"rank_eval:{name}")["value"].tolist() == pytest.approx([score], abs=1e-12)


@pytest.mark.parametrize("name", ["nDCG@10", "R@10"])
def test_what_an_answer_of_rank_eval_lacks(name: str) -> None:
    """Both nDCG and recall need all ratings of the request: an answer has those of its hits, and another number."""
    score = FORMULAS["rank_eval"][name.replace("10", "{k}")](HITS, RATED, 10)
    given = answer(score)
    assert rd.evaluate(given, {"q": RATED}, f"rank_eval:{name}")["value"].tolist() == pytest.approx([score], abs=1e-12)
    assert rd.evaluate(given, given, f"rank_eval:{name}")["value"].tolist() != pytest.approx([score], abs=1e-3)


def results(ratings: Ratings) -> dict[str, object]:
    """What the workbench stores for the list: its documents, and each measure to two decimals."""
    names = {"P@{k}": "Precision@10", "AP@{k}": "MAP@10", "nDCG@{k}": "NDCG@10", "RR@{k}": "MRR", "DCG@{k}": "DCG@10"}
    formulas = FORMULAS["srw"]
    metrics = [
        {"metric": theirs, "value": search_tools.rounded(formulas[ours](HITS, ratings, 10))}
        for ours, theirs in names.items()
    ]
    return stored({"searchConfigurationId": "c", "searchText": "q", "documentIds": HITS, "metrics": metrics})


def test_the_measures_in_evaluation_results_of_the_workbench() -> None:
    """Each stored value is ours, rounded to two decimals."""
    given = results(RATED)
    names = {"Precision@10": "P@10", "MAP@10": "AP@10", "NDCG@10": "nDCG@10", "MRR": "RR@10", "DCG@10": "DCG@10"}
    for metric in given["hits"]["hits"][0]["_source"]["metrics"]:  # type: ignore[index]
        (value,) = rd.evaluate(given, {"q": RATED}, f"srw:{names[metric['metric']]}")["value"]
        assert search_tools.rounded(value) == metric["value"]


def test_newer_workbenches_have_a_threshold_for_each_query() -> None:
    """Where a query's threshold is 3, the values are those of rel=3; no convention has one for each query."""
    assert search_tools.threshold(RATED) == 3
    relevant = {document: 1 if rating >= 3 else 0 for document, rating in RATED.items()}
    for name in ("P@10", "R@10", "AP@10", "RR@10"):
        expected = FORMULAS["srw"][name.replace("10", "{k}")](HITS, relevant, 10)
        measure = name.replace("@", "(rel=3)@")
        assert rd.evaluate({"q": HITS}, {"q": RATED}, f"srw:{measure}")["value"].tolist() == pytest.approx([expected])


def test_the_score_in_a_snapshot_of_quepid() -> None:
    """The scores of a snapshot follow from its documents and ratings, by the stock scorers."""
    for name, formula in FORMULAS["quepid"].items():
        score = formula(HITS, RATED, 10)
        snapshot = {
            "name": "Friday",
            "docs": {"1": [{"id": hit, "position": place} for place, hit in enumerate(HITS, 1)]},
            "queries": [{"query_id": 1, "query_text": "q", "ratings": RATED}],
            "scores": [{"query_id": 1, "score": score}],
        }
        values = rd.evaluate(snapshot, snapshot, f"quepid:{name.format(k=10)}")["value"]
        assert values.tolist() == pytest.approx([score], abs=1e-12), name
