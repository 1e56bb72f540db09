"""What tools print for one list, slow and by hand: `_rank_eval` of Elasticsearch and OpenSearch, the Search Relevance
Workbench of OpenSearch, the scorers that come with Quepid, and LensKit. A list is ids, ratings are by id.
"""

import math
from collections.abc import Callable, Mapping, Sequence

Ratings = Mapping[str, float]
Formula = Callable[[Sequence[str], Ratings, int], float]


def _discounted(ratings: Sequence[float | None]) -> float:
    total = 0.0
    for place, rating in enumerate(ratings):
        if rating is not None:
            total += (2.0**rating - 1) / math.log2(place + 2)
    return total


def _best(ratings: Ratings) -> list[float]:
    return sorted(ratings.values(), reverse=True)


def _relevant(documents: Sequence[str], ratings: Ratings) -> list[bool]:
    return [ratings.get(document, 0) > 0 for document in documents]


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


# -- what is the same in all of them


def dcg(hits: Sequence[str], ratings: Ratings, k: int) -> float:
    """Sum 2^rating - 1 over log2(rank + 1); a document without a rating takes its rank and adds nothing."""
    return _discounted([ratings.get(hit) for hit in hits[:k]])


def precision(hits: Sequence[str], ratings: Ratings, k: int) -> float:
    """Divide the relevant hits by the hits there are, not by k."""
    return _share(sum(_relevant(hits[:k], ratings)), len(hits[:k]))


def recall(hits: Sequence[str], ratings: Ratings, k: int) -> float:
    """Divide the relevant hits by the relevant documents that are rated, in the list or not."""
    return _share(sum(_relevant(hits[:k], ratings)), sum(_relevant([*ratings], ratings)))


def reciprocal_rank(hits: Sequence[str], ratings: Ratings, k: int) -> float:
    """Return 1 over the first rank with a relevant hit, down to k; 0 without one."""
    return next((1 / rank for rank, is_it in enumerate(_relevant(hits[:k], ratings), 1) if is_it), 0.0)


def average_precision(hits: Sequence[str], ratings: Ratings, k: int) -> float:
    """Add up precision at the relevant ranks down to k, and divide by all relevant documents that are rated."""
    flags = _relevant(hits[:k], ratings)
    total = sum(sum(flags[:rank]) / rank for rank, is_it in enumerate(flags, 1) if is_it)
    return _share(total, sum(_relevant([*ratings], ratings)))


# -- where they differ


def ndcg_of_rank_eval(hits: Sequence[str], ratings: Ratings, k: int) -> float:
    """Divide by the DCG of the best ratings, as many as there are hits down to k."""
    return _share(dcg(hits, ratings, k), _discounted(_best(ratings)[: len(hits[:k])]))


def ndcg_of_workbench(hits: Sequence[str], ratings: Ratings, k: int) -> float:
    """Divide by the DCG of the k best ratings."""
    return _share(dcg(hits, ratings, k), _discounted(_best(ratings)[:k]))


def ndcg_of_quepid(hits: Sequence[str], ratings: Ratings, k: int) -> float:
    """Divide by the DCG of all ratings, however deep: k cuts the list alone."""
    return _share(dcg(hits, ratings, k), _discounted(_best(ratings)))


def expected_reciprocal_rank(hits: Sequence[str], ratings: Ratings, k: int) -> float:
    """Weigh 1 / rank by the chance to stop there; maximum_relevance is 3, and what has no rating takes its rank."""
    found, goes_on = 0.0, 1.0
    for rank, hit in enumerate(hits[:k], 1):
        stops = (2 ** ratings.get(hit, 0) - 1) / 2**3
        found += goes_on * stops / rank
        goes_on *= 1 - stops
    return found


def cumulated(hits: Sequence[str], ratings: Ratings, k: int) -> float:
    """Add up the ratings down to k."""
    return float(sum(ratings.get(hit, 0) for hit in hits[:k]))


def rounded(value: float) -> float:
    """Return a number as the workbench stores it: to two decimals, halves up."""
    return math.floor(value * 100 + 0.5) / 100


def threshold(ratings: Ratings) -> float:
    """Return from which rating on newer workbenches call a document of a query relevant: half of the highest, or the
    90th percentile by nearest rank where that is more.
    """
    ordered = sorted(ratings.values())
    return max(ordered[-1] / 2, ordered[math.ceil(len(ordered) * 0.9) - 1])


# -- LensKit, with gain="rating": an item is relevant where the test data have it, whatever its rating


def _weighed(ratings: Sequence[float]) -> float:
    return sum(rating / math.log2(max(rank, 2)) for rank, rating in enumerate(ratings, 1))


def dcg_of_lenskit(items: Sequence[str], ratings: Ratings, k: int) -> float:
    """Add up ratings over log2(rank), and over 1 at rank 1."""
    return _weighed([ratings.get(item, 0) for item in items[:k]])


def ndcg_of_lenskit(items: Sequence[str], ratings: Ratings, k: int) -> float:
    """Divide by the DCG of the k best ratings."""
    return _share(dcg_of_lenskit(items, ratings, k), _weighed(_best(ratings)[:k]))


def average_precision_of_lenskit(items: Sequence[str], ratings: Ratings, k: int) -> float:
    """Divide by the items of the test data, or those of the list down to k where they are fewer."""
    found = [item in ratings for item in items[:k]]
    total = sum(sum(found[:rank]) / rank for rank, is_it in enumerate(found, 1) if is_it)
    return _share(total, min(len(ratings), len(found)))


def _in_test(formula: Formula) -> Formula:
    return lambda items, ratings, k: formula(items, dict.fromkeys(ratings, 1), k)


def _whole(formula: Formula) -> Formula:
    return lambda items, ratings, k: formula(items, ratings, len(items) + len(ratings))


def _hit(items: Sequence[str], ratings: Ratings, k: int) -> float:
    return float(not set(items[:k]).isdisjoint(ratings))


def _rbp(items: Sequence[str], ratings: Ratings, k: int) -> float:
    return 0.15 * sum(0.85**place for place, item in enumerate(items) if item in ratings)


_LENSKIT: Mapping[str, Formula] = {
    "DCG@{k}": dcg_of_lenskit,
    "nDCG@{k}": ndcg_of_lenskit,
    "AP@{k}": average_precision_of_lenskit,
    "RR@{k}": _in_test(reciprocal_rank),
}

#: By the preset: what the tool computes, by our name of it.
FORMULAS: Mapping[str, Mapping[str, Formula]] = {
    "rank_eval": {
        "DCG@{k}": dcg,
        "nDCG@{k}": ndcg_of_rank_eval,
        "P@{k}": precision,
        "R@{k}": recall,
        "RR@{k}": reciprocal_rank,
        "ERR(max_grade=3)@{k}": expected_reciprocal_rank,
    },
    "srw": {
        "DCG@{k}": dcg,
        "nDCG@{k}": ndcg_of_workbench,
        "P@{k}": precision,
        "R@{k}": recall,
        "AP@{k}": average_precision,
        "RR@{k}": reciprocal_rank,
    },
    "quepid": {
        "CG(gain='linear')@{k}": cumulated,
        "DCG@{k}": dcg,
        "nDCG@{k}": ndcg_of_quepid,
        "P@{k}": precision,
        "AP@{k}": average_precision,
        "RR@{k}": reciprocal_rank,
        "ERR(max_grade=3)@{k}": expected_reciprocal_rank,
    },
    "lenskit": {
        **_LENSKIT,
        **{name.removesuffix("@{k}"): _whole(formula) for name, formula in _LENSKIT.items()},
        "P@{k}": _in_test(precision),
        "Success@{k}": _hit,
        "RBP(p=0.85)": _rbp,
    },
}
