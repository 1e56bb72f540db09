"""The exact decomposition of a difference of nDCG@k."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rankdash.evidence.documents.decomposition import PARTS, decompose
from rankdash.evidence.documents.shown import Documents
from tests.evidence.cases import CASES, Floats, close, documents, ideal_dcg, of

EXACT = 1e-12


def swapped(shown: Documents) -> Documents:
    """The same documents with A and B exchanged."""
    return replace(
        shown,
        rank_a=shown.rank_b,
        rank_b=shown.rank_a,
        condensed_a=shown.condensed_b,
        condensed_b=shown.condensed_a,
    )


def made(queries: int, seed: int) -> tuple[Documents, Floats, int]:
    """Random lists of two models, partly judged, with their IDCG at cutoff 5."""
    random = np.random.default_rng(seed)
    rows = []
    for _ in range(queries):
        pool = [f"d{i}" for i in range(12)]
        judged = {doc: int(random.integers(0, 4)) for doc in pool if random.random() < 0.6}
        a, b = (list(random.permutation(pool)[: random.integers(1, 12)]) for _ in range(2))
        rows.append({"A": a, "B": b, "grades": judged})
    shown, ideal, _ = documents(rows, "linear", 5)
    return shown, ideal_dcg(ideal), 5


@pytest.mark.parametrize("case", of("decomposition_cases"))
def test_parts_and_documents_agree_with_the_reference(case: dict[str, Any]) -> None:
    """Every part, every document's contribution and part, and the unjudged that came and went equal the reference."""
    shown, ideal, names = documents([case], case["gain"], case["k"])
    found, expected = decompose(shown, ideal_dcg(ideal), case["k"]), case["expected"]
    assert all(close(part, expected["parts"][name], EXACT) for name, part in found.waterfall().items())
    assert close(float(found.parts.sum()), expected["delta"], EXACT)
    listed = {names[at]: (found.contribution[at], PARTS[found.part[at]]) for at in np.flatnonzero(found.part >= 0)}
    assert {doc: part for doc, (_, part) in listed.items()} == {
        row["doc"]: row["kind"] for row in expected["documents"]
    }
    assert all(close(listed[row["doc"]][0], row["contribution"], EXACT) for row in expected["documents"])
    assert (found.unjudged_in[0], found.unjudged_out[0]) == (expected["unjudged_in"], expected["unjudged_out"])


def test_the_waterfall_of_the_reference_adds_up() -> None:
    """The mean parts of the reference add up to its mean difference, as ours do by construction."""
    expected = CASES["decomposition_mean"]
    assert set(expected["parts"]) == set(PARTS)
    assert close(sum(expected["parts"].values()), expected["mean_delta"], EXACT)


@pytest.mark.parametrize("seed", range(5))
def test_parts_add_up_to_the_difference_of_every_query(seed: int) -> None:
    """On random, partly judged lists the four parts of each query add up to its difference of nDCG@k exactly."""
    shown, idcg, k = made(200, seed)
    gained = np.bincount(shown.query, weights=shown.gain * shown.moves(k), minlength=len(idcg))
    delta = np.divide(gained, idcg, out=np.zeros(len(idcg)), where=idcg > 0)
    np.testing.assert_allclose(decompose(shown, idcg, k).parts.sum(axis=1), delta, atol=EXACT)


def test_swapping_the_models_turns_every_sign() -> None:
    """A against B is B against A with every sign turned, and dropped and gained exchanged."""
    shown, idcg, k = made(300, 11)
    forth, back = decompose(shown, idcg, k), decompose(swapped(shown), idcg, k)
    exchanged = [
        PARTS.index(name) for name in ("unjudged_moved_in", "relevant_gained", "relevant_dropped", "reordering")
    ]
    np.testing.assert_allclose(forth.parts, -back.parts[:, exchanged], atol=EXACT)
    np.testing.assert_array_equal(forth.unjudged_in, back.unjudged_out)


def test_without_unjudged_documents_nothing_is_blamed_on_them() -> None:
    """Where everything shown is judged the unjudged part is 0 for every query."""
    shown, idcg, k = made(200, 3)
    everything = replace(
        shown, judged=np.ones(len(shown.query), bool), condensed_a=shown.rank_a, condensed_b=shown.rank_b
    )
    assert not decompose(everything, idcg, k).parts[:, PARTS.index("unjudged_moved_in")].any()


def test_the_waterfall_follows_the_weights() -> None:
    """With all the weight on one query the waterfall is that of the query."""
    shown, idcg, k = made(30, 5)
    found = decompose(shown, idcg, k)
    weights = np.zeros(30)
    weights[7] = 2.0
    assert list(found.waterfall(weights).values()) == pytest.approx(found.parts[7].tolist())
