"""The declared tables, row by row: measures, spellings, conventions, the policy, rules, outcomes and caveats.

They are what people were told, so none of their numbers, and no place in their order, changes by accident.
"""

from typing import Any

import pytest

from rankdash.evidence import documents, experts, paired
from rankdash.policy import Policy, PolicyError
from rankdash.verdict import RULES, VERSION, VOTES_RULES, records
from rankdash.verdict.caveats import ROWS, SHOWN
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


def test_a_policy_left_alone_is_the_default() -> None:
    """Every field has the default that was published with the policy, in its order. Fields may come later."""
    published = [(name, value) for name, value in Policy().to_dict().items() if name in FIELDS]
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


def test_rules_are_asked_in_their_order() -> None:
    """Every rule stands where version 4 of the policy has it: what is asked first decides."""
    for rules, published in (
        (RULES, "C1 C2 C6 C7 C4 C5 N0 S0 H1 H2 H3 H4 H5 S1 F1 U1 U2 N1 U3 U4"),
        (FIXED, "C1 C2 C6 C7 C4 C5 N0 S0 H1 H2 H3 H4 H5 S1 F1 U1 U2 N1 U3 U4"),
        (VOTES_RULES, "C1 V1 H3 F1 U1 U2"),
    ):
        assert [rule.id for rule in rules if rule.id in published.split()] == published.split()
    assert VERSION == 4


def test_caveats_stand_in_their_order() -> None:
    """Caveats of the same weight are shown in the order of the table, three of them."""
    assert " ".join(ROWS) == (
        "order unjudged votes_ignored missing judgments threshold fragile ties looks family sides raters repeated "
        "weights majority small"
    )
    assert SHOWN == 3


def test_the_numbers_of_the_method_are_those_published() -> None:
    """Levels, tolerances and draws that the Method page states are the ones that are used."""
    assert (records.LEVEL, paired.EXACT_UP_TO, paired.SAME) == (0.05, 20, 1e-12)
    assert documents.TAU == 0.01
    assert (paired.DECIMALS, paired.NO_SPREAD, documents.WELL_JUDGED) == (12, 1e-12, 0.70)
    assert experts.DRAWS == 10_000
    assert documents.PARTS == ("unjudged_moved_in", "relevant_dropped", "relevant_gained", "reordering")
