"""Agreement with pytrec_eval, ir_measures and scikit-learn on random comparisons."""

import numpy as np
import pytest
import pytrec_eval
from sklearn.metrics import dcg_score, ndcg_score

import rankdash as rd
from tests.made import judgments, run
from tests.peers.made_at_random import Qrels, Run, random_case
from tests.peers.trec_eval import trec

SEEDS = range(12)


def ours(lists: Run, grades: Qrels, names: list[str], convention: str) -> dict[tuple[str, str], float]:
    """Our values by (name as asked for, query)."""
    asked = {rd.parse_measure(name, rd.PRESETS[convention]).name: name for name in names}
    frame = rd.evaluate(run(lists), judgments(grades), names, convention=convention)
    keys = zip(frame["measure"].map(asked), frame["query_id"], strict=True)
    return dict(zip(keys, frame["value"], strict=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_higher_relevance_level_is_the_parameter_rel(seed: int) -> None:
    """trec_eval -l 3 is rel=3 for the binary measures, and changes nothing for nDCG."""
    lists, grades = random_case(seed)
    theirs = trec(lists, grades, level=3)
    names = {"map": "AP(rel=3)", "P_5": "P(rel=3)@5", "bpref": "Bpref(rel=3)", "ndcg_cut_10": "nDCG@10"}
    mine = ours(lists, grades, list(names.values()), "trec_eval-9")
    assert all(mine[own, q] == values[name] for q, values in theirs.items() for name, own in names.items())


@pytest.mark.parametrize("seed", SEEDS)
def test_what_options_of_trec_eval_are_answered_with_is_their_number(seed: int) -> None:
    """Cut as -M 3 cuts lists, and without unjudged documents as -J has it."""
    lists, grades = random_case(seed)
    grades = {query: docs for query, docs in grades.items() if max(docs.values()) >= 0}
    cut = {}
    for query, docs in lists.items():
        order = sorted(docs, key=lambda doc: (np.float32(docs[doc]), doc.encode()), reverse=True)
        cut[query] = {doc: docs[doc] for doc in order[:3]}
    names = {"map": "AP@3", "recip_rank": "RR@3", "ndcg": "nDCG(ideal_cut='none')@3"}
    judged = {"map": "AP(unjudged='condensed')", "P_5": "P(unjudged='condensed')@5"}
    for written, run_of, only in ((names, cut, False), (judged, lists, True)):
        tool = pytrec_eval.RelevanceEvaluator(grades, {"map", "recip_rank", "ndcg", "P"}, judged_docs_only_flag=only)
        mine = ours(lists, grades, list(written.values()), "trec_eval-9")
        theirs = tool.evaluate(run_of)
        assert theirs
        assert all(mine[own, q] == values[name] for q, values in theirs.items() for name, own in written.items())


@pytest.mark.parametrize("seed", SEEDS)
def test_values_under_scikit_learn_are_its_own(seed: int) -> None:
    """NDCG and DCG with averaged ties equal scikit-learn's on the list alone."""
    lists, grades = random_case(seed)
    grades = {query: {doc: max(grade, 0) for doc, grade in docs.items()} for query, docs in grades.items()}
    mine = ours(lists, grades, ["nDCG@10", "nDCG", "DCG@5"], "scikit-learn")
    for query in set(lists) & set(grades):
        truth = np.array([[grades[query].get(doc, 0) for doc in lists[query]]])
        scores = np.array([list(lists[query].values())])
        if truth.shape[1] < 2:
            continue
        assert mine["nDCG@10", query] == pytest.approx(ndcg_score(truth, scores, k=10), abs=1e-12)
        assert mine["nDCG", query] == pytest.approx(ndcg_score(truth, scores), abs=1e-12)
        assert mine["DCG@5", query] == pytest.approx(dcg_score(truth, scores, k=5), abs=1e-12)
