"""Names of measures: one parser, one printer."""

import re
from typing import Any

import pytest

import rankdash as rd
from rankdash.metrics import MeasureError, parse_measure, parse_measures
from rankdash.policy import PolicyError

ASKED = (
    *(form.replace("@k", "@10") for row in rd.DEFINITIONS.values() for form in row.forms),
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
def test_a_printed_name_means_the_same_measure(preset: str) -> None:
    """Parsing a printed name under the same convention gives the same measure, and printing that the same name."""
    active = rd.PRESETS[preset]
    for name in ASKED:
        measure = rd.parse_measure(name, active)
        again = rd.parse_measure(measure.name, active)
        assert again == measure, name
        assert again.name == measure.name


@pytest.mark.parametrize(
    ("spelling", "name"),
    {
        "ndcg_cut_10": "nDCG@10",
        "map": "AP",
        "MRR@10": "RR@10",
        "recip_rank": "RR",
        "StRecall@10": "STREC@10",
        "P_10": "P@10",
        "recall_100": "R@100",
        "success_5": "Success@5",
        "r-precision": "Rprec",
        "ndcg_burges@10": "nDCG(gain='exp2')@10",
        "AP(unjudged=condensed)": "AP(unjudged='condensed')",
        "nDCG(dcg='exp-log2')@10": "nDCG(gain='exp2')@10",
        "RBO(p=0.95)": "RBO_ext(p=0.95)",
        " nDCG @ 10 ": "nDCG@10",
        "ndcg_cut.10": "nDCG@10",
        "expected_reciprocal_rank@5": "ERR@5",
        "set_P": "SetP",
        "num_ret": "NumRet",
        "hits@5": "NumRelRet@5",
        "NumRet(rel=2)": "NumRelRet(rel=2)",
        "map@100-l2": "AP(rel=2)@100",
        "map-l2@10": "AP(rel=2)@10",
        "nDCG@\u206010": "nDCG@10",  # as it is copied from Markdown
        "P.5@5": "P@5",
        "nDCG(cutoff=10)": "nDCG@10",
        "AP(judged_only=True)": "AP(unjudged='condensed')",
        "nDCG(gains={1:1,2:5})@3": "nDCG(gain={1:1,2:5})@3",
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
        ("nDCG@0", "a whole number from 1 to 1,000,000,000"),
        ("AP(x=1)", "'x' is not a parameter of AP"),
        ("nDCG(gain='x')@3", "Use one of linear, exp2"),
        ("nDCG(gain={1:-1})@3", "gains >= 0"),
        ("nDCG(__import__('os').getcwd())@3", "written as axis=value"),
        ("RBP(p=1)", "between 0 and 1"),
        ("ERR(max_grade=0)", "not a positive number"),
        ("AP(rel='a')", "is not a number"),
        ("bogus:nDCG@3", "'bogus' is not a convention"),
        ("ndcg_cut", "ndcg_cut needs a cutoff, as in ndcg_cut.10"),
        ("P.5@3", "it has 2 cutoffs"),
        ("P(cutoff='5')", "a cutoff is a whole number"),
        ("P(rel=1,rel=2)@3", "written as axis=value"),
        ("nDCG(dcg='log2',gain='exp2')@3", "an axis is given twice"),
        ("nDCG(dcg={})@3", "'dcg' is not a parameter"),
        ("ndcg@10-l2", "reads grades, not a relevance level"),
        ("P(rel=2)@5-l2", "write one of the two"),
        ("rbp.95", "Use RBP(p=0.95), which is the same number for grades 0 and 1"),
        ("recall-l2", "SetR reads the whole list"),
        ("f1", "F1(p_denominator='min(k,n)')@1000 reads lists of up to 1,000 documents whole"),
        ("hits", "hits.1000 has the mean for lists of up to 1,000 documents, NumRelRet the sum over the queries"),
        ("infAP", "Use Bpref, or AP"),
        ("Accuracy", "Use AUC, which is another number"),
        ("gm_map", "a geometric mean over the queries"),
        ("ndcg_rel", "Use nDCG (ndcg) or nDCG@10 (ndcg_cut.10)"),
        ("iprec_at_recall_0.10", "Use AP"),
        ("all_trec", "-m official"),
        ("set_relative_P", "Use SetP and SetR"),
        ("relative_P_5", "Use P@10 and R@10"),
        ("nDCG(" + "(" * 5000, "is not a measure"),
    ],
)
def test_what_is_not_understood_is_said(text: str, says: str) -> None:
    """A name that cannot be meant gives one error that says what is allowed."""
    with pytest.raises(rd.MeasureError) as error:
        rd.parse_measure(text)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("text", "preset", "name"),
    [
        ("nDCG(gain={2:2,3:3.5})@6", "standard", "nDCG(gain={2:2,3:3.5})@6"),
        ("dcg_burges_7", "standard", "DCG(gain='exp2')@7"),
        ("nDCG(dcg='log2')@10", "ranklib", "nDCG(gain='linear',ideal='retrieved')@10"),
        ("nDCG(no_relevant=0)@10", "xgboost", "nDCG(gain='exp2',ideal='retrieved',no_relevant=0)@10"),
        ("P(gain='exp2',rel=2)@5", "standard", "P(rel=2)@5"),
        ("RBP(p=0.8)", "standard", "RBP"),
        ("ERR(max_grade=0.5)@20", "standard", "ERR(max_grade=0.5)@20"),
        ("ERR(max_grade=None)@20", "standard", "ERR@20"),
        ("RR(ties='docid_asc')@10", "standard", "RR(ties='docid_asc')@10"),
        ("overlap(ties='docid_asc')@10", "standard", "overlap@10"),
        ("ranklib:nDCG@10", "standard", "ranklib:nDCG@10"),
        ("ranklib:nDCG(gain='linear')@10", "standard", "ranklib:nDCG(gain='linear')@10"),
    ],
)
def test_a_name_is_printed_with_what_differs(text: str, preset: str, name: str) -> None:
    """The axes that the measure reads, where they differ from standard or from the convention beside it."""
    measure = rd.parse_measure(text, rd.PRESETS[preset])
    assert (measure.name, str(measure), repr(measure)) == (name, name, f"Measure({name!r})")


def test_measures_are_taken_one_or_many() -> None:
    """A name, a measure, or several of them in any order; each is there once, by what it means."""
    one = rd.parse_measure("nDCG@10")
    assert parse_measures("NDCG@10") == parse_measures(one) == (one,)
    assert [str(each) for each in parse_measures(["AP", one, "map", "ndcg_cut_10"])] == ["AP", "nDCG@10"]
    exp2 = parse_measures(["AP", "nDCG@3"], rd.PRESETS["xgboost"])
    assert exp2 == tuple(rd.parse_measure(name, rd.PRESETS["xgboost"]) for name in ("AP", "nDCG@3"))
    assert exp2 != parse_measures(["AP", "nDCG@3"])
    inside = "P(p_denominator='min(k,n)')@5"
    assert parse_measures(f" AP, {inside}\nquepid: RR,P_5, ") == parse_measures(["AP", inside, "quepid:RR", "P@5"])
    with pytest.raises(rd.MeasureError, match="7 is not a measure"):
        parse_measures(7)  # type: ignore[arg-type]


class _OfIrMeasures:
    """A measure as ir_measures holds it, by its attributes alone."""

    def __init__(self, name: str, **parameters: Any) -> None:
        self.NAME, self.params = name, parameters

    def __str__(self) -> str:
        return "its text is not asked for"


@pytest.mark.parametrize(
    ("name", "parameters", "printed"),
    [
        ("nDCG", {"cutoff": 10}, "nDCG@10"),
        ("AP", {"rel": 2}, "AP(rel=2)"),
        ("P", {"judged_only": True, "cutoff": 5}, "P(unjudged='condensed')@5"),
        ("nDCG", {"dcg": "exp-log2", "cutoff": 3}, "nDCG(gain='exp2')@3"),
        ("nDCG", {"gains": {1: 1, 2: 3}, "cutoff": 3}, "nDCG(gain={1:1,2:3})@3"),
        ("NumRet", {}, "NumRet"),
    ],
)
def test_objects_of_ir_measures_are_measures(name: str, parameters: dict[str, Any], printed: str) -> None:
    """They stand wherever a name does: evaluated, compared, in a policy, explained, and looked up in a result."""
    given = _OfIrMeasures(name, **parameters)
    assert parse_measure(given) == parse_measure(printed)
    assert parse_measures(given) == parse_measures([given, printed]) == (parse_measure(printed),)
    run, judgments = {"q": {"d": 2.0, "e": 1.0}}, {"q": {"e": 1}}
    assert rd.evaluate(run, judgments, [given])["measure"].tolist() == [printed]
    assert rd.explain(run, judgments, given, "q").measure.name == printed
    comparison = rd.compare(run, run, judgments, measures=given)
    assert comparison.result(given).measure == printed
    assert set(comparison.to_pandas(given)["measure"]) == {printed}
    assert printed in [one.name for one in rd.score(run, run, judgments, measures=given).scope.measures]


def test_a_policy_takes_objects_of_ir_measures() -> None:
    """As its primary measure, and with a margin, in a list of pairs or a table."""
    primary, guardrail = _OfIrMeasures("RR", cutoff=10), _OfIrMeasures("AP", rel=2)
    for guardrails in ([(guardrail, 0.01)], {guardrail: 0.01}):
        policy = rd.Policy(primary=primary, guardrails=guardrails)
        assert policy == rd.Policy(primary="RR@10", guardrails=[("AP(rel=2)", 0.01)])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (_OfIrMeasures("RBP", p=0.8, rel=1, T=3), "'T' is not a parameter of RBP"),
        (_OfIrMeasures("alpha_nDCG", alpha=1.5, cutoff=10), "alpha=1.5 is not a number from 0 to 1"),
        (_OfIrMeasures("IPrec", recall=0.1), "it interpolates precision"),
        (_OfIrMeasures("BPM", cutoff=5), "there is no measure 'BPM'"),
        (_OfIrMeasures("P"), "P needs a cutoff"),
        (5, "5 is not a measure"),
        (object(), "is not a measure"),
    ],
)
def test_what_an_object_says_that_is_not_computed_is_refused_by_name(given: Any, said: str) -> None:
    """A parameter or a measure that there is not, with its name; and any other object."""
    with pytest.raises(MeasureError, match=re.escape(said)):
        parse_measure(given)
    with pytest.raises(PolicyError, match=re.escape(said)):
        rd.Policy(primary=given)


@pytest.mark.parametrize("name", list(rd.PRESETS))
@pytest.mark.parametrize("text", ["nDCG@10", "nDCG", "AP", "AP@5", "P@10", "RR", "DCG@3", "ERR@10", "P(rel=2)@5"])
def test_a_measure_is_shown_by_the_preset_that_it_has(name: str, text: str) -> None:
    """What is shown means the same measure; it has parentheses only where its preset does not say what they say."""
    convention = rd.PRESETS[name]
    measure = rd.parse_measure(text, convention)
    assert rd.parse_measure(measure.label, convention) == measure
    assert ("(" in measure.label) == ("(" in text)
    if name == "standard":
        assert measure.label == measure.name
