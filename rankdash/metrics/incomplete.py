"""What judgments with holes ask for: Bpref, in which unjudged documents play no part, and the share that is judged."""

from __future__ import annotations

import numpy as np

from rankdash.metrics.lists import Lists, ratio
from rankdash.metrics.rows import TREC, ByRank, Definition, Example, Peer, Worked, no_relevant, over_relevant
from rankdash.metrics.segments import Floats, running_count


def bpref(lists: Lists, k: int | None = None) -> Floats:
    """Return Bpref per query, (q,), in [0, 1]: how few judged non-relevant documents are above each relevant one.

    (1/R) times the sum over relevant documents in the list of 1 - min(b, R) / min(N, R), b the judged non-relevant
    documents above it; the term is 1 where b = 0. NaN where R = 0. trec_eval m_bpref.c.
    """
    relevant, nonrelevant = lists.judged_relevant, lists.judged_nonrelevant
    rows, query = lists.hits.row, lists.hits.query
    above = running_count(~lists.relevant, lists.query)[rows]
    most = np.minimum(relevant, nonrelevant)[query]
    penalty = ratio(np.minimum(above, relevant[query]), most, nothing=0.0)
    total = lists.total(query, 1.0 - penalty)
    return ratio(total, relevant)


def _few_above(step: ByRank) -> Floats:
    relevant, others = step.relevant_judged
    above = np.cumsum(step.judged & ~step.relevant)
    penalty = np.minimum(above, relevant) / max(min(relevant, others), 1)
    return np.where(step.relevant, 1.0 - penalty, 0.0)


BPREF = Definition(
    name="Bpref",
    formula="(1/R) times the sum over relevant documents of 1 − min(b, R) / min(N, R), b judged non-relevant above",
    latex=r"\frac{1}{R}\sum_{i:\,r_i=1}\Bigl(1-\frac{\min(b_i,R)}{\min(N,R)}\Bigr)",
    source="trec_eval m_bpref.c",
    of_lists=bpref,
    cutoff="none",
    reads=("rel",),
    lacking=no_relevant,
    substitute=True,
    worked=Worked(_few_above, over_relevant, "Sum"),
    peers=(Peer(TREC, "bpref"), Peer("ir_measures", "Bpref")),
    example=Example("a x b ? c", {"a": 1, "b": 1, "c": 1, "x": 0, "y": 0}, (1 + (1 - 1 / 2) + (1 - 1 / 2)) / 3),
)


def judged_share(lists: Lists, k: int) -> Floats:
    """Return the share of judged ones of the documents there are up to k, (q,); NaN for an empty list."""
    return ratio(lists.count(lists.query[lists.within(k)]), np.minimum(k, lists.length))


def _judged_here(step: ByRank) -> Floats:
    return (step.judged & step.counted).astype(np.float64)


def _over_documents(lists: Lists, k: int | None) -> tuple[float, str]:
    return float(min(k or 0, int(lists.length[0]))), "min(k, n)"


JUDGED = Definition(
    name="Judged",
    formula="judged documents among the first k, over min(k, n)",
    latex=r"\frac{\mathrm{judged}(k)}{\min(k,n)}",
    source="ir_measures",
    of_lists=judged_share,
    cutoff="required",
    reads=("unjudged",),
    empty=None,
    undefined="the list is empty",
    higher_is_better=False,
    worked=Worked(_judged_here, _over_documents, "Judged"),
    peers=(
        Peer(
            "ir_measures",
            cut="Judged@{k}",
            written="ir_measures:Judged(ties='docid_asc',negative='clip',score_type='float64')@k",
        ),
    ),
    example=Example("a ? x", {"a": 1, "x": 0}, 2 / 3, k=5),
)

#: In the order in which they are shown.
MEASURES = (BPREF, JUDGED)
