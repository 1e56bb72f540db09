"""What pytrec_eval prints, under its names and ours."""

from collections.abc import Mapping

import pytrec_eval

#: Our name of each value, by its own.
_NAMES = "ndcg=nDCG ndcg_cut_5=nDCG@5 ndcg_cut_10=nDCG@10 map=AP map_cut_10=AP@10 P_5=P@5 P_30=P@30 recall_10=R@10"
_NAMES += " recip_rank=RR Rprec=Rprec bpref=Bpref success_1=Success@1 success_10=Success@10"
TREC = dict(pair.split("=") for pair in _NAMES.split())
_FAMILIES = {"ndcg", "ndcg_cut", "map", "map_cut", "P", "recall", "recip_rank", "Rprec", "bpref", "success"}


def trec(
    lists: Mapping[str, Mapping[str, float]], grades: Mapping[str, Mapping[str, int]], level: int = 1
) -> dict[str, dict[str, float]]:
    """pytrec_eval's values by query and its own names; relevant is what has at least the grade ``level``.

    It crashes on a query with negative grades alone: nothing there is relevant, and every value is 0.
    """
    sound = {query: docs for query, docs in grades.items() if max(docs.values()) >= 0}
    found = dict(pytrec_eval.RelevanceEvaluator(sound, _FAMILIES, relevance_level=level).evaluate(lists))
    return found | {query: dict.fromkeys(TREC, 0.0) for query in (grades.keys() - sound.keys()) & lists.keys()}
