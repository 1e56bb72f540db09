"""Measures that see a list as a set, whatever its order: its precision and recall, and what is counted in it."""

from __future__ import annotations

from functools import partial

import numpy as np

from rankdash.metrics.binary import hits, recall
from rankdash.metrics.lists import WHOLE, Floats, Lists, ratio
from rankdash.metrics.rows import TREC, Definition, Peer, no_relevant

_set = partial(Definition, reads=("rel", "unjudged"), cutoff="none", lacking=no_relevant)
_number = partial(Definition, range="0..∞", bounded=False, higher_is_better=None, adds_up=True, cutoff="none")


def set_precision(lists: Lists, k: int | None = None) -> Floats:
    """Return the share of relevant documents in the whole list, (q,), in [0, 1]. trec_eval m_set_P.c."""
    return ratio(hits(lists, None), lists.length, nothing=0.0)


SET_P = _set(
    name="SetP",
    formula="relevant documents in the list, over the documents in it",
    latex=r"\frac{\mathrm{hits}(n)}{n}",
    source="trec_eval m_set_P.c",
    of_lists=set_precision,
    spellings="set_p",
    peers=(Peer(TREC, "set_P"), Peer("ir_measures", "SetP")),
)


def set_recall(lists: Lists, k: int | None = None) -> Floats:
    """Return the share of all relevant documents that the list holds, (q,), in [0, 1]; NaN where R = 0.
    trec_eval m_set_recall.c.
    """
    return recall(lists, WHOLE)


SET_R = _set(
    name="SetR",
    formula="relevant documents in the list, over R, all relevant documents of the query",
    latex=r"\frac{\mathrm{hits}(n)}{R}",
    source="trec_eval m_set_recall.c",
    of_lists=set_recall,
    spellings="set_recall set_r",
    substitute=True,
    peers=(Peer(TREC, "set_recall"), Peer("ir_measures", "SetR")),
)


def number_of_queries(lists: Lists, k: int | None = None) -> Floats:
    """Return 1 for each query, (q,)."""
    return np.ones(lists.run.queries)


NUM_Q = _number(
    name="NumQ",
    formula="1 for each query that counts; their number is the sum",
    source="trec_eval m_num_q.c",
    of_lists=number_of_queries,
    reads=(),
    of_judgments=True,
    spellings="num_q",
    peers=(Peer(TREC, "num_q"), Peer("ir_measures", "NumQ", written="ir_measures:NumQ(missing_query='skip')")),
)


def number_retrieved(lists: Lists, k: int | None = None) -> Floats:
    """Return the number of documents in each list, (q,). trec_eval m_num_ret.c."""
    return lists.length.astype(np.float64)


NUM_RET = _number(
    name="NumRet",
    formula="documents in the list",
    source="trec_eval m_num_ret.c",
    of_lists=number_retrieved,
    reads=("unjudged",),
    instead={"rel": "NumRelRet"},  # NumRet(rel=1) of ir_measures counts the relevant ones
    spellings="num_ret",
    peers=(Peer(TREC, "num_ret"), Peer("ir_measures", "NumRet")),
)


def number_relevant(lists: Lists, k: int | None = None) -> Floats:
    """Return R, the number of relevant documents in the judgments of each query, (q,). trec_eval m_num_rel.c."""
    return lists.judged_relevant.astype(np.float64)


NUM_REL = _number(
    name="NumRel",
    formula="R, all relevant documents of the query",
    source="trec_eval m_num_rel.c",
    of_lists=number_relevant,
    reads=("rel",),
    of_judgments=True,
    spellings="num_rel",
    peers=(Peer(TREC, "num_rel"), Peer("ir_measures", "NumRel", written="ir_measures:NumRel(missing_query='skip')")),
)


def number_relevant_retrieved(lists: Lists, k: int | None = None) -> Floats:
    """Return the number of relevant documents among the first k of each list, (q,). trec_eval m_num_rel_ret.c."""
    return hits(lists, k).astype(np.float64)


NUM_REL_RET = _number(
    name="NumRelRet",
    formula="relevant documents among the first k",
    latex=r"\mathrm{hits}(k)",
    source="trec_eval m_num_rel_ret.c; with a cutoff: hits of ranx",
    of_lists=number_relevant_retrieved,
    cutoff="optional",
    reads=("rel", "unjudged"),
    higher_is_better=True,
    spellings="num_rel_ret hits_",
    uncut="hits.1000 has the mean for lists of up to 1,000 documents, NumRelRet the sum over the queries.",
    peers=(Peer(TREC, "num_rel_ret"), Peer("ir_measures", "NumRet(rel=1)")),
)

#: In the order in which they are shown.
MEASURES = (SET_P, SET_R, NUM_Q, NUM_RET, NUM_REL, NUM_REL_RET)
