"""Names as trec_eval and ir_measures have them: the values are those of the tools, random ones too, and `rankdash
evaluate` prints them as trec_eval does.
"""

from pathlib import Path

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from sklearn.metrics import dcg_score, ndcg_score

import rankdash as rd
from rankdash.__main__ import main
from rankdash.metrics import parse_measure, parse_measures
from tests.made import judgments, run
from tests.peers.made_at_random import Qrels, Run, random_case
from tests.peers.trec_eval import trec

#: What is asked for in trec_eval, by what pytrec_eval returns.
_NAMES = "ndcg ndcg_cut.10 ndcg_cut_5 map map_cut_100 map_cut.10 P.5 P_30 recall.1000 recall_10 recip_rank Rprec bpref"
_NAMES += " success_1 success.10 set_P set_recall num_ret num_rel num_rel_ret num_q"
ASKED = {name: name.replace(".", "_") for name in _NAMES.split()}
REFUSED = ("infAP", "gm_map", "gm_bpref", "ndcg_rel", "Rndcg", "11pt_avg", "iprec_at_recall_0.10", "set_F", "set_map")
REFUSED += ("relative_P_5", "set_relative_P", "Rprec_mult_0.20", "utility", "G", "binG", "num_nonrel_judged_ret")


def theirs(lists: Run, grades: Qrels) -> dict[str, dict[str, float]]:
    """All that trec_eval computes, by query; without the queries of negative grades alone, on which it crashes."""
    sound = {query: docs for query, docs in grades.items() if max(docs.values()) >= 0}
    return dict(pytrec_eval.RelevanceEvaluator(sound, pytrec_eval.supported_measures).evaluate(lists))


@pytest.mark.parametrize("seed", range(6))
def test_a_name_of_trec_eval_means_its_number(seed: int) -> None:
    """Each name under trec_eval-9 has the values of pytrec_eval, to the last digit, in every query."""
    lists, grades = random_case(seed)
    expected = theirs(lists, grades)
    for name, own in ASKED.items():
        frame = rd.evaluate(run(lists), judgments(grades), name, convention="trec_eval-9")
        values = dict(zip(frame["query_id"], frame["value"], strict=True))
        assert {query: values[query] for query in expected} == {q: row[own] for q, row in expected.items()}, name


def test_what_trec_eval_computes_is_computed_or_refused() -> None:
    """Every number of trec_eval has the right value, or one sentence says what to use in its place."""
    lists, grades = random_case(1)
    computed = {name.rstrip("0123456789") for name in ASKED.values()}
    for name in next(iter(theirs(lists, grades).values())):
        if name.rstrip("0123456789") not in computed and not name.startswith(("rel", "run")):
            with pytest.raises(rd.MeasureError, match=r"(Use |not computed|experimental)"):
                rd.parse_measure(name)
    for name in REFUSED:
        with pytest.raises(rd.MeasureError, match=r"Use "):
            rd.parse_measure(f"trec_eval-9:{name}")


@pytest.mark.parametrize("name", ["nDCG@10", "AP(rel=2)", "AP(rel=2)@100", "P@5", "R@1000", "Success@5", "SetP"])
@pytest.mark.parametrize("seed", range(3))
def test_a_name_of_ir_measures_means_its_number(seed: int, name: str) -> None:
    """Names of ir_measures are its own numbers under its convention."""
    agree(seed, name)


@pytest.mark.parametrize("name", ["SetR", "NumRet", "NumRet(rel=2)", "AP(judged_only=True)", "MRR", "RPrec"])
def test_a_count_of_ir_measures_is_its_number(name: str) -> None:
    """Counts of ir_measures, its nicknames and its judged_only, too."""
    agree(4, name)


def agree(seed: int, name: str) -> None:
    """Compare the values of one name on the queries that both have."""
    lists, grades = random_case(seed)
    grades = {query: {doc: max(grade, 0) for doc, grade in docs.items()} for query, docs in grades.items()}
    frame = rd.evaluate(run(lists), judgments(grades), name, convention="ir_measures")
    mine = dict(zip(frame["query_id"], frame["value"], strict=True))
    expected = {
        metric.query_id: metric.value
        for metric in ir_measures.iter_calc([ir_measures.parse_measure(name)], grades, lists)
        if metric.query_id in lists
    }
    assert expected
    assert {query: mine[query] for query in expected} == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_evaluate_prints_what_trec_eval_prints(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its names, its layout and its numbers to four digits, of every query and of all."""
    lists, grades = random_case(seed)
    grades = {query: docs for query, docs in grades.items() if max(docs.values()) >= 0}
    rows = (f"{q} Q0 {d} 0 {score!r} x\n" for q, docs in lists.items() for d, score in docs.items())
    (tmp_path / "a.run").write_text("".join(rows), "utf-8")
    qrels = (f"{q} 0 {d} {grade}\n" for q, docs in grades.items() for d, grade in docs.items())
    (tmp_path / "q.txt").write_text("".join(qrels), "utf-8")
    files = [str(tmp_path / "a.run"), "-q", str(tmp_path / "q.txt")]
    assert main(["evaluate", *files, "--format", "trec_eval", "--per-query", "-m", *ASKED]) == 0
    printed = capsys.readouterr().out.splitlines()
    expected = theirs(lists, grades)
    lines = [line(name, query, expected[query][name]) for query in sorted(expected) for name in ASKED.values()]
    assert [one for one in printed if "\tall\t" not in one] == [one for one in lines if not one.startswith("num_q")]
    all_of = {
        name: pytrec_eval.compute_aggregated_measure(name, [row[name] for row in expected.values()])
        for name in ASKED.values()
    }
    assert [one for one in printed if "\tall\t" in one][1:] == [line(name, "all", v) for name, v in all_of.items()]


def line(name: str, query: str, value: float) -> str:
    """A line of trec_eval."""
    return f"{name:<22}\t{query}\t{value:.0f}" if name.startswith("num_") else f"{name:<22}\t{query}\t{value:6.4f}"


def test_one_name_may_have_several_cutoffs() -> None:
    """P.5,10 is P.5 and P.10, as in trec_eval, and so is P@5,10."""
    assert [one.name for one in parse_measures("P@5,10 AP")] == ["P@5", "P@10", "AP"]
    assert [one.name for one in parse_measures(["P.5,10", "ndcg_cut.5,10", "map"])] == [
        *("P@5", "P@10", "nDCG@5", "nDCG@10", "AP")
    ]


def test_the_objects_of_ir_measures_themselves() -> None:
    """Those of the library are known as their stand-ins are."""
    for given in (ir_measures.nDCG @ 10, ir_measures.AP(rel=2), ir_measures.P(judged_only=True) @ 5, ir_measures.RR):
        assert parse_measure(given) == parse_measure(str(given))


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
