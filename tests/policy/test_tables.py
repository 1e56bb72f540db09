"""The declared tables, row by row: measures, spellings, conventions, the policy, rules, outcomes and caveats.

They are what people were told, so none of their numbers, and no place in their order, changes by accident.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rankdash.evidence import documents, experts, paired
from rankdash.metrics import names
from rankdash.metrics.definitions import DEFINITIONS
from rankdash.policy import Policy, PolicyError
from rankdash.verdict import RULES, VERSION, VOTES_RULES, Evidence, Outcome, harms
from rankdash.verdict.caveats import ROWS, SHOWN, CaveatInput, caveats
from rankdash.verdict.records import PRESENTATION
from rankdash.verdict.rules import FIXED

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
    assert " ".join(ROWS) == (
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
