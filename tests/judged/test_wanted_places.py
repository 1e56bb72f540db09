"""Groups of equal scores that nobody asks about stay unsorted; whatever is asked about is as if all were sorted."""

from __future__ import annotations

import numpy as np
import pytest

import rankdash as rd
from rankdash import arrow
from rankdash.judged import Order, Pool, all_ranked_rows, pooled, ranked
from rankdash.judged.order import Blocks, in_order
from rankdash.judged.pool import fingerprints
from tests.long import every
from tests.truth.worlds import Row, world


def table(rows: tuple[Row, ...], ranks: str, rng: np.random.Generator) -> rd.Run:
    """A run ordered by score, with ranks that rise along the rows, in any order, or none."""
    made = [{"query_id": query, "doc_id": doc, "score": score} for query, doc, score in rows]
    places = rng.permutation(len(rows)) if ranks == "any" else np.arange(len(rows))
    ranked_rows = [{**row, "rank": int(place) + 1} for row, place in zip(made, places, strict=True)]
    return rd.read_run(made if ranks == "none" else ranked_rows, order="score")


@pytest.mark.parametrize("ranks", every(3, ["rising", "any", "none"]))
@pytest.mark.parametrize("ties", ["docid_desc", "docid_asc", "input_order"])
def test_hits_first_ranks_and_findings_are_those_of_lists_that_are_sorted_to_their_ends(ranks: str, ties: str) -> None:
    """With few judged documents, many ties and documents that stand twice, at any depth."""
    for seed in range(7):
        one, rng = (
            world(300 + seed, queries=20, kinds=("tied",), longest=40, repeats=seed % 2 == 0),
            np.random.default_rng(seed),
        )
        run = table(one.a, ranks, rng)
        pool = pooled(rd.read_judgments([row for i, row in enumerate(one.judged) if i % 7 == 0]))
        for depth in (1, 2, 5, 50):
            same_as_sorted(run, pool, Order(ties), depth)


def same_as_sorted(run: rd.Run, pool: Pool, order: Order, depth: int) -> None:
    """The ranked run against its lists, each sorted to its end."""
    found = ranked(run, pool, order, depth)
    query, rows, ranks = all_ranked_rows(run, pool, order)
    judged = query < pool.queries
    docs = arrow.one_chunk(run.table.column("doc_id")).to_pylist()
    ids = [pool.query_ids[int(i)].as_py() for i in pool.query]
    known = {(ids[i], doc): i for i, doc in enumerate(_documents(pool))}
    whole = [
        (int(q), int(rank), docs[row]) for q, row, rank in zip(query, rows, ranks, strict=True) if q < pool.queries
    ]
    hits = [(q, rank) for q, rank, doc in sorted(whole) if (pool.query_ids[q].as_py(), doc) in known]
    assert list(zip(found.lists.query.tolist(), found.lists.rank.tolist(), strict=True)) == hits
    assert found.lists.length.tolist() == np.bincount(query[judged], minlength=pool.queries).tolist()
    tops = {(q, rank): doc for q, rank, doc in whole if rank <= depth}
    there = {(q, at + 1): docs[found.top_row[q, at]] for q, at in zip(*np.nonzero(found.top_row >= 0), strict=True)}
    assert there == tops
    blocks = Blocks.of(run, pool)
    alone = [in_order(blocks.columns, block, order, fingerprints(blocks.columns.text, block.rows)) for block in blocks]
    for name in ("disagreements", "duplicates", "tied_rows"):
        assert getattr(found.findings, name) == sum(getattr(part.findings, name) for part in alone)


def _documents(pool: Pool) -> list[str]:
    """The document of each judgment."""
    text = pool.index.text
    rows = pool.row
    return [bytes(text.data[text.offsets[row] : text.offsets[row + 1]]).decode() for row in rows.tolist()]
