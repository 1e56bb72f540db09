"""Every value of every field of a policy beside values of all others, through the comparison to the JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.report.json import to_dict
from tests.long import every
from tests.truth.scale import sampled
from tests.truth.small import small_world

#: A few values per field, those at its ends and those that change what is computed.
VALUES: Mapping[str, Sequence[Any]] = {
    "primary": ("nDCG@3", "AP", "RR@5", "ERR(max_grade=4)@3"),
    "convention": (
        "standard", "trec_eval-9", "scikit-learn", "gdeval", rd.Convention(no_relevant="1", negative="clip"),
        rd.Convention(unjudged="condensed", ties="average", ideal_cut="none"),
    ),
    "cutoff": (None, 1, 5),
    "intent": ("improve", "do_no_harm"),
    "inference": ("sample", "fixed"),
    "population": ("all", "affected"),
    "mpe": (0.005, 0.3, 0.0),
    "primary_margin": (0.02, 0.5),
    "guardrails": (None, (), (("P@2", 0.05), ("Bpref", 0.9))),
    "watch": (None, (), (("Success@1", 0.05), ("R@3", 0.5))),
    "segments": ((), ("kind",)),
    "segment_margin": (0.02, 0.9),
    "votes": ("veto", "confirm", "inform"),
    "votes_mpe": (0.02, 0.5),
    "votes_margin": (0.05, 0.9),
    "votes_min": (1, 20),
    "missing": ("unknown", "empty", "skip"),
    "missing_gap": (1, 50),
    "missing_share": (0.0, 1.0),
    "judgments": ("auto", "judged", "positive_only"),
    "judged_gap": (0.0, 1.0),
    "n_min": (1, 30),
    "changed_min": (1, 20),
    "harm_n_min": (1, 20),
    "harm_changed_min": (1, 6),
    "segment_n_min": (1, 30),
    "severe": (0.05, 0.2),
    "big_excess_min": (0.0, 0.01),
}  # fmt: skip
NAMES = [field.name for field in fields(rd.Policy) if field.compare]  # notes say what was read, and decide nothing


def test_every_field_has_values() -> None:
    """A field of the policy that has no values here is tried with nothing: give it some."""
    assert set(NAMES) == set(VALUES)


@pytest.mark.parametrize("seed", every(4, range(sampled(60))))
def test_every_policy_decides(seed: int) -> None:
    """No fields together raise an exception, from the comparison over the verdict and its neighbours to the JSON; means
    are those of the per-query values, weighted where there are weights.
    """
    rng = np.random.default_rng([seed, 17])
    said = {name: values[int(rng.integers(len(values)))] for name, values in VALUES.items()}
    policy = rd.Policy(**said)
    assert rd.Policy.from_toml(policy.to_toml()) == rd.Policy.from_dict(policy.to_dict()) == policy
    world = small_world(rng, queries=9, documents=8, longest=8, grouped=bool(seed % 2), voted=bool(seed % 3))
    found = world.compared(policy, ["DCG@3", "P@5", "overlap@3", "IDCG"] if seed % 2 else [])
    verdict = rd.decide(found)
    told = json.loads(json.dumps(to_dict(found, verdict), allow_nan=False))["verdict"]
    assert told["outcome"] == verdict.outcome.value
    assert 0 <= told["neighbours"]["hold"] <= told["neighbours"]["of"]
    rows, counts = found.per_query, dict(zip(found.query_ids, found.counted.tolist(), strict=True))
    weights = np.ones(len(counts)) if found.sample.weights is None else found.sample.weights
    weigh = dict(zip(found.query_ids, weights.tolist(), strict=True))
    for name, result in zip(found.measure_names, found.results, strict=True):
        own = rows[(rows["measure"] == name) & rows["delta"].notna() & rows["query_id"].map(counts)]
        assert len(own) == result.paired.n
        share = own["query_id"].map(weigh)
        for column, mean in (("a", "mean_a"), ("b", "mean_b"), ("delta", "delta")):
            expected = np.average(own[column], weights=share) if len(own) else None
            assert getattr(result.paired, mean) == pytest.approx(expected, abs=1e-12)
