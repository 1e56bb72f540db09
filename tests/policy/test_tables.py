"""The declared tables, row by row: measures, spellings, conventions, the policy, rules, outcomes and caveats.

They are what people were told, so none of their numbers, and no place in their order, changes by accident.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rankdash.conventions import AXES, PRESETS, Convention
from rankdash.evidence import documents, experts, paired
from rankdash.metrics import names
from rankdash.metrics.definitions import COVERS, DEFINITIONS
from rankdash.policy import Policy, PolicyError
from rankdash.verdict import RULES, VERSION, VOTES_RULES, Evidence, Outcome, harms
from rankdash.verdict.caveats import ROWS, SHOWN, CaveatInput, caveats
from rankdash.verdict.comparable import FIXED
from rankdash.verdict.records import PRESENTATION

#: Range, cutoff, bounded, higher is better, whether no_relevant gives its value, value of an empty list, parameters of
#: the measures of the first version; later ones are held by their examples (tests/metrics/test_examples.py).
MEASURES = {
    "CG": ("0..∞", "optional", False, True, False, 0, {}),
    "DCG": ("0..∞", "optional", False, True, False, 0, {}),
    "IDCG": ("0..∞", "optional", False, False, False, 0, {}),
    "nDCG": ("0..1", "optional", True, True, True, 0, {}),
    "P": ("0..1", "required", True, True, False, 0, {}),
    "R": ("0..1", "required", True, True, True, 0, {}),
    "AP": ("0..1", "optional", True, True, True, 0, {}),
    "RR": ("0..1", "optional", True, True, False, 0, {}),
    "Success": ("0 or 1", "required", True, True, False, 0, {}),
    "Rprec": ("0..1", "none", True, True, True, 0, {}),
    "F1": ("0..1", "required", True, True, True, 0, {}),
    "ERR": ("0..1", "optional", True, True, False, 0, {"max_grade": None}),
    "RBP": ("0..1", "none", True, True, False, 0, {"p": 0.8}),
    "Bpref": ("0..1", "none", True, True, True, 0, {}),
    "Judged": ("0..1", "required", True, False, False, None, {}),
    "AUC": ("0..1", "none", True, True, False, None, {}),
    "overlap": ("0..1", "required", True, False, False, 0, {}),
    "RBO_ext": ("0..1", "none", True, False, False, 0, {"p": 0.9}),
    "tau_b": ("−1..1", "none", True, False, False, 0, {}),
}
#: gain, ideal, ap_denominator, p_denominator, ties, no_relevant, missing_query, negative, score_type, and what the
#: tool prints.
TREC = "nDCG nDCG@k AP AP@k P@k R@k RR Rprec Bpref Success@k"
TOOLS = {
    "standard": ("linear judged R k docid_desc 0 zero unjudged float64", None),
    "trec_eval-9": ("linear judged R k docid_desc 0 skip unjudged float32", TREC),
    "trec_eval-10": ("linear judged R k docid_desc 0 zero unjudged float64", f"{TREC} DCG IDCG"),
    "scikit-learn": ("linear retrieved R k average 0 skip clip float64", "nDCG nDCG@k DCG DCG@k"),
    "ranklib": (
        "exp2 retrieved hits min(k,n) input_order 0 skip clip float64",
        "nDCG@k DCG@k P@k AP RR@k ERR(max_grade=4)@k",
    ),
    "lightgbm": ("exp2 retrieved min(R,k) k input_order 1 skip clip float64", "nDCG@k AP@k"),
    "xgboost": ("exp2 retrieved min(R,k) min(k,n) input_order 1 skip clip float32", "nDCG@k AP@k P@k"),
    "gdeval": ("exp2 judged R k docid_desc skip skip unjudged float64", "nDCG@k ERR(max_grade=4)@k"),
    "ir_measures": ("linear judged R k docid_desc 0 zero unjudged float32", f"{TREC} RBP"),
    "quepid": ("exp2 judged R min(k,n) input_order 0 skip unjudged float64", "nDCG@k DCG@k P@k AP@k RR@k"),
    "rank_eval": ("exp2 judged R min(k,n) input_order 0 zero unjudged float64", "nDCG@k DCG@k P@k R@k RR@k ERR@k"),
    "srw": ("exp2 judged R min(k,n) input_order 0 skip unjudged float64", "nDCG@k DCG@k P@k R@k AP@k RR@k"),
    "textbook": (
        "linear retrieved hits k input_order 0 zero clip float64",
        "CG CG@k DCG DCG@k IDCG IDCG@k nDCG nDCG@k P@k AP RR",
    ),
}
VARIES = "gain ideal ap_denominator p_denominator ties no_relevant missing_query negative score_type".split()
AXIS_VALUES = {
    "gain": "linear exp2",
    "ideal": "judged retrieved",
    "ideal_cut": "k min(k,n) none",
    "ap_denominator": "R min(R,k) hits",
    "p_denominator": "k min(k,n)",
    "ties": "docid_desc docid_asc input_order average",
    "no_relevant": "0 1 skip",
    "missing_query": "zero skip",
    "unjudged": "nonrelevant condensed",
    "negative": "unjudged clip",
    "score_type": "float64 float32",
}
#: Every field of a policy: its default, values that it takes, and values that it refuses.
FIELDS: dict[str, tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = {
    "primary": ("nDCG@10", ("P@5",), ("DCG@10", "nothing")),
    "convention": ("standard", ("trec_eval-9",), ("nothing",)),
    "cutoff": (10, (1,), (0, 1.5)),
    "intent": ("improve", ("do_no_harm",), ("launch",)),
    "population": ("all", ("affected",), ("some",)),
    "inference": ("sample", ("fixed",), ("exact",)),
    "mpe": (0.005, (0.0,), (-0.001,)),
    "primary_margin": (0.02, (0.5,), (0.0,)),
    "guardrails": ([["AP", 0.01]], ([["P@5", 0.5]],), ([["P@5", 0.0]], 1)),
    "watch": ([["nDCG@1", 0.02], ["RR", 0.02]], ([["P@5", 0.5]],), ([["P@5", 0.0]], 1)),
    "segments": ([], (["market"],), ([""], 1)),
    "segment_margin": (0.02, (0.5,), (0.0,)),
    "votes": ("veto", ("confirm", "inform"), ("ask",)),
    "votes_mpe": (0.02, (0.5,), (0.0,)),
    "votes_margin": (0.05, (0.5,), (0.0,)),
    "votes_min": (20, (1,), (0,)),
    "missing": ("unknown", ("empty", "skip"), ("zero",)),
    "missing_gap": (5, (1,), (0,)),
    "missing_share": (0.01, (0.0, 0.5, 1.0), (-0.5, 1.5)),
    "judgments": ("auto", ("judged", "positive_only"), ("clicks",)),
    "judged_gap": (0.01, (0.0, 0.5, 1.0), (-0.5, 1.5)),
    "n_min": (30, (1,), (0,)),
    "changed_min": (20, (1,), (0,)),
    "harm_n_min": (20, (1,), (0,)),
    "harm_changed_min": (6, (1,), (0,)),
    "segment_n_min": (30, (1,), (0,)),
    "severe": (0.20, (0.5,), (0.0,)),
    "big_excess_min": (0.01, (0.0, 0.5), (-0.01,)),
}


def test_every_measure_is_what_its_row_says() -> None:
    """Order, range, cutoff, direction, what replaces an undefined value, and parameters are those of the definition.

    A measure that came later stands where its family is.
    """
    found = {
        name: (
            row.range, row.cutoff, row.bounded, row.higher_is_better, row.substitute, row.empty, dict(row.defaults)
        )
        for name, row in DEFINITIONS.items()
        if name in MEASURES
    }  # fmt: skip
    assert list(found.items()) == list(MEASURES.items())


def test_a_name_spells_axes_in_their_order() -> None:
    """A printed name spells seven axes, always in the same order, and allows cutoffs up to a billion.

    A new measure whose row does not say which of them it reads spells all of them.
    """
    every = "nDCG(unjudged='condensed',ideal_cut='none',ideal='retrieved',gain='exp2')@10"
    assert str(names.parse_measure(every)) == (
        "nDCG(gain='exp2',ideal='retrieved',ideal_cut='none',unjudged='condensed')@10"
    )
    ap = "AP(unjudged='condensed',rel=2,ap_denominator='hits',ideal='retrieved')@10"
    assert str(names.parse_measure(ap)) == "AP(ideal='retrieved',ap_denominator='hits',rel=2,unjudged='condensed')@10"
    p = "P(unjudged='condensed',rel=2,p_denominator='min(k,n)')@10"
    assert str(names.parse_measure(p)) == "P(p_denominator='min(k,n)',rel=2,unjudged='condensed')@10"
    assert names.LARGEST_CUTOFF == 1_000_000_000
    says_nothing = replace(DEFINITIONS["AP"], reads=None)
    assert " ".join(says_nothing.axes) == "gain ideal ideal_cut ap_denominator p_denominator rel unjudged"


def test_every_axis_has_its_values() -> None:
    """The closed axes and their values, the standard one first; a document is relevant from grade 1 on."""
    assert [(axis, " ".join(values)) for axis, values in AXES.items()] == list(AXIS_VALUES.items())
    assert Convention().rel == 1


@pytest.mark.parametrize("tool", TOOLS)
def test_every_preset_is_its_tool(tool: str) -> None:
    """A preset has the axes of its tool, and covers the measures that the tool prints."""
    axes, prints = TOOLS[tool]
    assert [getattr(PRESETS[tool], axis) for axis in VARIES] == axes.split()
    cuts = {"required": ("@k",), "optional": ("", "@k"), "none": ("",)}
    everything = [f"{name}{cut}" for name, row in MEASURES.items() for cut in cuts[str(row[1])]]
    assert set(everything if prints is None else prints.split()) <= set(COVERS[tool])
    assert set(COVERS[tool]) & set(everything) <= set(everything if prints is None else prints.split())


def test_presets_stand_in_their_order() -> None:
    """The standard comes first, so that a convention equal to two presets bears the first name."""
    assert list(PRESETS) == list(COVERS) == list(TOOLS)


def test_a_policy_left_alone_is_the_default() -> None:
    """Every field has the default that was published with the policy, in its order. Fields may come later."""
    values = Policy().to_dict()
    published = [(name, value) for name, value in values.items() if name in FIELDS]
    assert published == [(name, default) for name, (default, _, _) in FIELDS.items()]


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_takes_what_it_may_hold(name: str) -> None:
    """A field takes the values that it may hold, those at its limits too, and refuses the ones beyond."""
    _, taken, refused = FIELDS[name]
    for value in taken:
        assert Policy.from_dict({name: value}).to_dict()[name] == value
    for value in refused:
        with pytest.raises(PolicyError):
            Policy.from_dict({name: value})


def test_guardrails_and_watch_follow_the_primary() -> None:
    """The guardrail is AP, or nDCG@10 beside AP; the watch measures are nDCG@1 and RR where they have no other role."""
    beside = {primary: Policy(primary=primary) for primary in ("nDCG@10", "AP", "RR", "nDCG@1", "nDCG")}
    assert {name: policy.guardrails for name, policy in beside.items()} == {
        name: (("nDCG@10" if name == "AP" else "AP", 0.01),) for name in beside
    }
    assert [[name for name, _ in beside[primary].watch] for primary in ("AP", "RR", "nDCG@1")] == [
        ["nDCG@1", "RR"], ["nDCG@1"], ["RR"],
    ]  # fmt: skip
    assert beside["nDCG"].cutoff == 10


def test_rules_are_asked_in_their_order() -> None:
    """Every rule stands where version 3 of the policy has it: what is asked first decides."""
    for rules, published in (
        (RULES, "C1 C2 C6 C7 C4 C5 N0 S0 H1 H2 H3 H4 H5 S1 F1 U1 U2 N1 U3 U4"),
        (FIXED, "C1 C2 C6 C7 C4 C5 N0 S0 H1 H2 H3 H4 H5 S1 F1 U1 U2 N1 U3 U4"),
        (VOTES_RULES, "C1 V1 H3 F1 U1 U2"),
    ):
        assert [rule.id for rule in rules if rule.id in published.split()] == published.split()
    assert VERSION == 3


def test_every_outcome_is_shown_by_its_row() -> None:
    """The big word, the tag, the exit status and the next step of each outcome."""
    rows = {outcome.value: (row.screen, row.tag, row.exit_code, row.next_step) for outcome, row in PRESENTATION.items()}
    assert rows == {
        "LAUNCH": ("Launch", "B is better", 0, "Launch, and confirm it online."),
        "WORSE": ("No launch", "B is worse", 3, "Look at the losses."),
        "TOO_SMALL": ("No launch", "gain too small", 4, "Do not spend more labels on it."),
        "NOT_PROVEN": ("No launch yet", "not proven yet", 5, "Add queries."),
        "NOT_COMPARABLE": ("No launch", "cannot compare yet", 6, "Mend the data."),
    }


def test_caveats_stand_in_their_order() -> None:
    """Caveats of the same weight are shown in the order of the table, three of them."""
    assert " ".join(row.id for row in ROWS) == (
        "order unjudged votes_ignored missing judgments threshold fragile ties looks family sides raters repeated "
        "weights majority small"
    )
    assert SHOWN == 3


@pytest.mark.parametrize(
    ("looks", "share"),
    [(2, "4.9%"), (3, "7.3%"), (5, "11.9%"), (10, "22.4%"), (20, "39.7%"), (400, "100.0%")],
)  # fmt: skip
def test_looks_are_told_with_what_they_cost(looks: int, share: str) -> None:
    """From two states of the data on the caveat says how many models that are no better would launch."""
    (found,) = caveats(CaveatInput(Evidence(), looks=looks), Policy(), Outcome.NOT_PROVEN)
    assert found.sentence == (
        f"This verdict was looked at with {looks} states of the data. Looking until it launches would launch up to "
        f"{share} of models that are no better, one look 2.5%."
    )


def test_the_numbers_of_the_method_are_those_published() -> None:
    """Levels, tolerances and draws that the Method page states are the ones that are used."""
    assert (harms.LEVEL, paired.EXACT_UP_TO, paired.SAME) == (0.05, 20, 1e-12)
    assert documents.TAU == 0.01
    assert (paired.DECIMALS, paired.NO_SPREAD, documents.WELL_JUDGED) == (12, 1e-12, 0.70)
    assert experts.DRAWS == 10_000
    assert documents.PARTS == ("unjudged_moved_in", "relevant_dropped", "relevant_gained", "reordering")
