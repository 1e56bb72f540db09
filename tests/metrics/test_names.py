"""Names of measures: one parser, one printer."""

from __future__ import annotations

import pytest

import rankdash as rd

ASKED = (
    *"CG@5 DCG@10 IDCG@3 nDCG nDCG@10 P@5 R@100 AP AP@10 RR RR@10 Success@1 Rprec F1@3 ERR@20 RBP Bpref".split(),
    *"Judged@10 AUC overlap@10 RBO_ext tau_b".split(),
    "nDCG(gain='exp2')@10",
    "nDCG(gain={2:2,3:3.5})@6",
    "nDCG(ideal='retrieved',ideal_cut='none')@7",
    "AP(rel=2,ap_denominator='min(R,k)')@100",
    "P(p_denominator='min(k,n)')@3",
    "ERR(max_grade=4)@20",
    "RBP(p=0.95)",
    "RBO_ext(p=0.98)",
    "RR(ties='docid_asc')@10",
    "nDCG(no_relevant='skip')@3",
    "AP(missing_query='skip')",
    "Judged(negative='clip')@10",
    "ranklib:nDCG@10",
    "xgboost:nDCG(no_relevant=0)@3",
    "scikit-learn:DCG(ideal='judged')@6",
)


@pytest.mark.parametrize("preset", rd.PRESETS)
@pytest.mark.parametrize("name", ASKED)
def test_a_printed_name_means_the_same_measure(name: str, preset: str) -> None:
    """Parsing a printed name under the same convention gives the same measure, and printing that the same name."""
    active = rd.PRESETS[preset]
    measure = rd.parse_measure(name, active)
    again = rd.parse_measure(measure.name, active)
    assert again == measure
    assert again.name == measure.name


@pytest.mark.parametrize(
    ("spelling", "name"),
    {
        "ndcg_cut_10": "nDCG@10",
        "NDCG@10": "nDCG@10",
        "ndcg": "nDCG",
        "map": "AP",
        "MAP@10": "AP@10",
        "map_cut_10": "AP@10",
        "mrr": "RR",
        "MRR@10": "RR@10",
        "recip_rank": "RR",
        "P_10": "P@10",
        "precision@10": "P@10",
        "recall_100": "R@100",
        "recall@100": "R@100",
        "success_5": "Success@5",
        "hit_rate@5": "Success@5",
        "r-precision": "Rprec",
        "bpref": "Bpref",
        "Accuracy": "AUC",
        "ndcg_burges@10": "nDCG(gain='exp2')@10",
        "nDCG(dcg='exp-log2')@10": "nDCG(gain='exp2')@10",
        "RBO(p=0.95)": "RBO_ext(p=0.95)",
        " nDCG @ 10 ": "nDCG@10",
    }.items(),
)
def test_usual_spellings_are_understood(spelling: str, name: str) -> None:
    """The names that other tools use mean the same measure here."""
    assert rd.parse_measure(spelling).name == name


def test_the_active_convention_decides_what_a_name_leaves_open() -> None:
    """The same words under another convention are another measure, and its printed name says so."""
    assert rd.parse_measure("NDCG@10", rd.PRESETS["ranklib"]).name == "nDCG(gain='exp2',ideal='retrieved')@10"
    assert rd.parse_measure("nDCG@10", rd.PRESETS["trec_eval-9"]).name == "nDCG@10"


def test_a_prefix_means_the_same_under_every_convention() -> None:
    """ranklib:nDCG@10 is RankLib's NDCG@10, whatever is active."""
    assert len({rd.parse_measure("ranklib:nDCG@10", active) for active in rd.PRESETS.values()}) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("foo", "there is no measure 'foo'"),
        ("", "is not a measure"),
        ("P", "needs a cutoff, as in P@10"),
        ("Rprec@3", "takes no cutoff"),
        ("nDCG@0", "a whole number from 1"),
        ("nDCG@ten", "is not a measure"),
        ("AP(x=1)", "'x' is not a parameter of AP"),
        ("nDCG(gain='x')@3", "Use one of linear, exp2"),
        ("nDCG(gain={1:-1})@3", "gains >= 0"),
        ("nDCG(gain=exp2)@3", "written as axis=value"),
        ("nDCG('exp2')@3", "written as axis=value"),
        ("nDCG(__import__('os').getcwd())@3", "written as axis=value"),
        ("RBP(p=1)", "between 0 and 1"),
        ("RBP(p=True)", "between 0 and 1"),
        ("ERR(max_grade=0)", "not a positive number"),
        ("AP(rel='a')", "is not a number"),
        ("bogus:nDCG@3", "'bogus' is not a convention"),
        ("nDCG(" + "(" * 5000, "is not a measure"),
    ],
)
def test_what_is_not_understood_is_said(text: str, says: str) -> None:
    """A name that cannot be meant gives one error that says what is allowed."""
    with pytest.raises(rd.MeasureError) as error:
        rd.parse_measure(text)
    assert says in str(error.value)
