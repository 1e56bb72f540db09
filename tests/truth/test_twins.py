"""How lists are matched, ordered and compared below the measures gives what a slow twin gives, on every world."""

from collections.abc import Sequence

import numpy as np
import pytest

from rankdash import arrow
from rankdash.judged import Order, list_pair, pooled, ranked, ranked_rows, same_lists, same_tops, without_judgments
from rankdash.judged.ranked import whole_lists
from rankdash.metrics.similarity import overlap, rbo, tau_b
from tests.truth import twins
from tests.truth.cutting import ROWS, blocks_of_rows
from tests.truth.scale import sampled
from tests.truth.sources import SOURCES
from tests.truth.worlds import Row, World, lists_of, world

PAIRS = SOURCES["pairs"]
ORDERS = [Order(ties, kind) for ties in ("docid_desc", "docid_asc", "input_order") for kind in ("float64", "float32")]


def small_worlds(first: int, number: int) -> list[World]:
    """Worlds of ten queries."""
    return [world(seed, queries=10, alphabet="any") for seed in range(first, first + sampled(number))]


def as_stand(rows: Sequence[Row]) -> list[Row]:
    """Rows in the order in which the source of pairs gives them back: query by query."""
    return [(query, rows[i][1], score) for query, listed in twins.by_query(rows).items() for i, _, score in listed]


def test_the_pool_is_a_dict() -> None:
    """Each (query, document) once with its first grade; what repeats and what contradicts is counted."""
    for one in small_worlds(200_000, 6):
        pool = pooled(PAIRS.judgments(one.judged))
        docs = [doc for _, doc, _ in as_stand(one.judged)]
        queries = pool.query_ids.to_pylist()
        found = {
            (queries[q], docs[row]): grade for q, row, grade in zip(pool.query, pool.row, pool.relevance, strict=True)
        }
        assert found == {(q, doc): grade for q, grades in one.grades.items() for doc, grade in grades.items()}
        contradicting = sum(one.grades[q][doc] != grade for q, doc, grade in one.judged)
        assert pool.conflict_count == contradicting
        assert pool.repeated == len(one.judged) - len(found) - contradicting


def test_lists_stand_as_their_definition_puts_them() -> None:
    """Sorted by score, ties broken by bytes, repeats gone, tie groups known: in blocks of any size, in every order."""
    for seed, one in enumerate(small_worlds(210_000, 3)):
        run, rows = PAIRS.run(one.a), twins.by_query(as_stand(one.a))
        for order in ORDERS:
            expected = {query: twins.ranked_list(listed, order) for query, listed in rows.items()}
            for query, listed in expected.items():
                found, first, last = ranked_rows(run, query, order)
                assert found.tolist() == [row for row, _, _ in listed], (one.seed, order, query)
                spans = list(zip(first.tolist(), last.tolist(), strict=True))
                assert spans == twins.tie_spans(listed, order), (one.seed, order, query)
            with blocks_of_rows(ROWS[seed % len(ROWS)]):
                whole, _ = whole_lists(run, without_judgments(run), order)
            places = {row: rank for listed in expected.values() for rank, (row, _, _) in enumerate(listed, start=1)}
            assert dict(zip(whole.row.tolist(), whole.rank.tolist(), strict=True)) == places


def test_a_ranked_run_is_what_its_lists_and_a_dict_say() -> None:
    """Hits, ranks, tie groups, lengths, first ranks and what was found, in blocks of any size."""
    for seed, one in enumerate(small_worlds(220_000, 6)):
        run, judgments, order = PAIRS.run(one.a), PAIRS.judgments(one.judged), ORDERS[seed % len(ORDERS)]
        pool = pooled(judgments)
        with blocks_of_rows(ROWS[seed % len(ROWS)]):
            found = ranked(run, pool, order, 5)
        queries, lists = pool.query_ids.to_pylist(), twins.by_query(as_stand(one.a))
        expected = {query: twins.ranked_list(lists.get(query, []), order) for query in queries}
        assert found.lists.length.tolist() == [len(expected[query]) for query in queries]
        hits = [
            (q, rank, *span, one.grades[query][doc])
            for q, query in enumerate(queries)
            for rank, ((_, doc, _), span) in enumerate(
                zip(expected[query], twins.tie_spans(expected[query], order), strict=True), start=1
            )
            if doc in one.grades[query]
        ]
        columns = ("query", "rank", "tie_first", "tie_last", "relevance")
        assert list(zip(*(getattr(found.lists, name).tolist() for name in columns), strict=True)) == hits, one.seed
        tops = [[row for row, _, _ in (expected[query] + [(-1, "", 0.0)] * 5)[:5]] for query in queries]
        assert found.top_row.tolist() == tops
        every = [twins.ranked_list(listed, order) for listed in lists.values()]
        told = found.findings
        assert (told.rows, told.lists) == (len(one.a), len(lists))
        assert told.duplicates == len(one.a) - sum(map(len, every))
        assert told.tied_rows == sum(twins.tied_rows(listed, order) for listed in lists.values())
        assert told.unjudged_queries == len(lists.keys() - one.grades.keys())


def ids_in_order(rows: Sequence[Row], order: Order) -> dict[str, list[str]]:
    """The documents of each ranked list."""
    lists = twins.by_query(as_stand(rows))
    return {query: [doc for _, doc, _ in twins.ranked_list(listed, order)] for query, listed in lists.items()}


def test_two_lists_share_what_a_dict_says() -> None:
    """The documents in both lists, with their ranks; overlap, RBO and tau are those of the definitions."""
    for seed, one in enumerate(small_worlds(230_000, 6)):
        order = ORDERS[seed % len(ORDERS)]
        a, b = ids_in_order(one.a, order), ids_in_order(one.b, order)
        queries = list(dict.fromkeys([*b, *a]))
        pair = list_pair(PAIRS.run(one.a), PAIRS.run(one.b), arrow.from_strings(queries), order)
        shared = {
            (q, a[query].index(doc) + 1, b[query].index(doc) + 1)
            for q, query in enumerate(queries)
            for doc in {*a.get(query, ())} & {*b.get(query, ())}
        }
        assert set(zip(pair.query.tolist(), pair.rank_a.tolist(), pair.rank_b.tolist(), strict=True)) == shared
        expected = [
            [twins.jaccard(a.get(query, ()), b.get(query, ()), 5) for query in queries],
            [twins.rbo(a.get(query, ()), b.get(query, ()), 0.9) for query in queries],
            [twins.tau_b(*(keys_of(rows, query, order) for rows in (one.a, one.b))) for query in queries],
        ]
        for values, definition in zip((overlap(pair, 5), rbo(pair, 0.9), tau_b(pair)), expected, strict=True):
            assert values.tolist() == pytest.approx(definition, abs=1e-12, nan_ok=True), one.seed


def keys_of(rows: Sequence[Row], query: str, order: Order) -> dict[str, float]:
    """The scores of a list as they are compared."""
    return {doc: twins.comparable(score, order) for doc, score in lists_of(rows).get(query, {}).items()}


def test_lists_are_the_same_where_their_documents_are() -> None:
    """Whole lists, and the first k of each, are told apart by the documents in their order and nothing else."""
    for seed, one in enumerate(small_worlds(240_000, 6)):
        order, judgments = ORDERS[seed % len(ORDERS)], PAIRS.judgments(one.judged)
        pool = pooled(judgments)
        queries = pool.query_ids.to_pylist()
        lists = [ids_in_order(rows, order) for rows in (one.a, one.b)]
        runs = PAIRS.run(one.a), PAIRS.run(one.b)
        expected = [lists[0].get(query, [])[:3] == lists[1].get(query, [])[:3] for query in queries]
        found = same_tops(runs[0], ranked(runs[0], pool, order, 5), runs[1], ranked(runs[1], pool, order, 5), 3)
        assert found.tolist() == expected, one.seed
        assert same_lists(runs[0], SOURCES["table"].run(as_stand(one.a), seed), pool, order).all()
        whole = [lists[0].get(query, []) == lists[1].get(query, []) for query in queries]
        assert same_lists(*runs, pool, order).tolist() == whole
        among = np.arange(len(queries)) % 2 == seed % 2
        assert same_lists(*runs, pool, order, among).tolist() == (among & whole).tolist()
