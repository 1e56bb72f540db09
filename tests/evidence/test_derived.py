"""Good, same and bad derived from judgments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rankdash.evidence.documents.derived import derived, derived_documents
from tests.evidence.cases import CASES, close, documents, ideal_dcg, of

TOLERANCE = CASES["query_level_tolerance"]


@pytest.mark.parametrize("expected", TOLERANCE["expected"], ids=lambda row: f"tau {row['tau']}")
def test_queries_are_labelled_by_their_difference(expected: dict[str, Any]) -> None:
    """A difference of exactly tau is same, above it good, below -tau bad."""
    found = derived(TOLERANCE["deltas"], expected["tau"])
    assert [found.good, found.same, found.bad] == [expected[name] for name in ("good", "same", "bad")]
    assert close(found.delta, expected["delta_gsb"])


@pytest.mark.parametrize("case", of("derived_gsb_cases"))
def test_documents_are_labelled_by_what_their_move_did(case: dict[str, Any]) -> None:
    """Contributions, labels and counts equal the reference; an unjudged document has no label."""
    shown, ideal, names = documents([case], case["gain"], case["k"])
    found, expected = derived_documents(shown, ideal_dcg(ideal), case["k"], case["tau_doc"]), case["expected"]
    words = {1: "good", 0: "same", -1: "bad"}
    labels = {name: words[int(found.label[at])] if found.labelled[at] else "unjudged" for at, name in enumerate(names)}
    assert labels == {row["doc"]: row["label"] for row in expected["rows"]}
    for row in expected["rows"]:
        assert close(found.contribution[names.index(row["doc"])], row.get("contribution", 0.0))
    assert [found.pooled.good, found.pooled.same, found.pooled.bad, found.unjudged] == [
        expected[name] for name in ("good", "same", "bad", "unjudged")
    ]
    assert close(float(found.contribution.sum()), expected["sum_contributions"])


def test_contributions_add_up_where_every_shown_document_is_judged() -> None:
    """With k judged documents in both lists the contributions of a query add up to its difference of nDCG@k."""
    random = np.random.default_rng(2)
    queries = []
    for _ in range(40):
        pool = [f"d{i}" for i in range(9)]
        queries.append(
            {
                "A": list(random.permutation(pool)[:6]),
                "B": list(random.permutation(pool)[:6]),
                "grades": {doc: int(random.integers(0, 4)) for doc in pool},
            }
        )
    k = 5
    shown, ideal, _ = documents(queries, "exp2", k)
    idcg = ideal_dcg(ideal)
    found = derived_documents(shown, idcg, k)
    total = np.bincount(shown.query, weights=found.contribution, minlength=len(queries))
    gained = np.bincount(shown.query, weights=shown.gain * shown.moves(k), minlength=len(queries))
    np.testing.assert_allclose(total, gained / idcg, atol=1e-12)


def test_nothing_relevant_makes_every_document_same() -> None:
    """Where no document is relevant no move helps or hurts."""
    shown, ideal, _ = documents([{"A": ["x", "y"], "B": ["y", "x"], "grades": {"x": 0, "y": 0}}], "linear", 2)
    found = derived_documents(shown, ideal_dcg(ideal), 2)
    assert (found.pooled.good, found.pooled.same, found.pooled.bad) == (0, 2, 0)
