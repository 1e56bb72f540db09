"""Measures of two lists against their definitions: lists longer than what they read, queries in blocks, no overlap."""

import numpy as np
import pytest

from rankdash import arrow
from rankdash.judged import Order, list_pair
from rankdash.metrics import similarity
from rankdash.metrics.similarity import ListPair, rbo, tau_b
from tests.made import run
from tests.truth import twins

Lists = dict[str, list[str]]


def lists_at_random(seed: int, sizes: list[int]) -> Lists:
    """A list per size, of documents from a set that is a third larger."""
    rng = np.random.default_rng(seed)
    return {f"q{i}": [f"d{doc}" for doc in rng.permutation(size * 4 // 3 + 1)[:size]] for i, size in enumerate(sizes)}


def pair_of(a: Lists, b: Lists) -> ListPair:
    """The pair over the queries of both, in the order of A's."""
    return list_pair(run(a), run(b), arrow.from_strings(list(a)), Order())


@pytest.mark.parametrize("block", [1, 2, 16_384])
@pytest.mark.parametrize("p", [0.5, 0.9, 0.99])
def test_rbo_reads_a_hundred_ranks_of_each_list(monkeypatch: pytest.MonkeyPatch, block: int, p: float) -> None:
    """Whatever the lengths, and however many queries are looked at at once, it is equation 32 over the first 100."""
    monkeypatch.setattr(similarity, "_BLOCK", block)
    a = lists_at_random(1, [130, 1, 100, 3, 130, 99, 1, 5])
    b = lists_at_random(2, [130, 1, 40, 120, 7, 101, 2, 5])
    expected = [twins.rbo(a[query], b[query], p) for query in a]
    found = rbo(pair_of(a, b), p)
    assert found.dtype == np.float64
    assert found.tolist() == pytest.approx(expected, abs=1e-12)


def test_tau_counts_every_pair_of_long_lists() -> None:
    """Kendall's tau-b is the sum over all pairs of common documents, by query."""
    sizes = [1, 40, 2, 33, 3, 17, 64, 5]
    a, b = lists_at_random(3, sizes), lists_at_random(4, sizes)
    # Some scores are equal, in each list other ones.
    scores_a = {query: {doc: -float(i // 3) for i, doc in enumerate(docs)} for query, docs in a.items()}
    scores_b = {query: {doc: -float(i // 2) for i, doc in enumerate(docs)} for query, docs in b.items()}
    pair = list_pair(run(scores_a), run(scores_b), arrow.from_strings(list(a)), Order())
    expected = [twins.tau_b(scores_a[query], scores_b[query]) for query in a]
    assert tau_b(pair).tolist() == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_lists_the_other_way_round_have_a_tau_of_minus_one(size: int) -> None:
    """However long, down to two documents."""
    docs = [f"d{i}" for i in range(size)]
    assert tau_b(pair_of({"q": docs}, {"q": docs[::-1]})).tolist() == [-1.0]
