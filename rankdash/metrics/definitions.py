"""Every measure, by family: the table from which names, help texts, pages, axis titles and tests are made.

A measure is a row beside its code; a family is a module, named here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from rankdash.conventions import PRESETS
from rankdash.metrics import binary, dcg, diversity, incomplete, items, sets, similarity
from rankdash.metrics.rows import Definition, Peer

_FAMILIES = (dcg, binary, incomplete, diversity, sets, items, similarity)

#: Name -> definition, in the order in which they are shown.
DEFINITIONS: Mapping[str, Definition] = MappingProxyType(
    {row.name: row for family in _FAMILIES for row in family.MEASURES}
)

#: Every spelling in lower case -> name; a spelling that ends in _ always takes a cutoff.
ALIASES: Mapping[str, str] = MappingProxyType(
    {spelling: name for name, row in DEFINITIONS.items() for spelling in (*row.spellings.split(), *row.variants)}
    | {name.lower(): name for name in DEFINITIONS}
)
#: Spellings that set some axes -> these axes.
VARIANTS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {spelling: axes for row in DEFINITIONS.values() for spelling, axes in row.variants.items()}
)

#: Other tools' names of numbers that are not computed here, and what to use instead.
_ELSEWHERE = (
    ("infap", "infAP estimates AP from sampled judgments. Use Bpref, or AP where the judgments are complete."),
    ("gm_map", "gm_map is a geometric mean over the queries. Use AP; values per query show the worst ones."),
    ("gm_bpref", "gm_bpref is a geometric mean over the queries. Use Bpref."),
    (
        "ndcg_rel",
        "ndcg_rel averages nDCG over the ranks of relevant documents. Use nDCG (ndcg) or nDCG@10 (ndcg_cut.10).",
    ),
    ("rndcg", "Rndcg averages nDCG over cutoffs that the judgments decide. Use nDCG (ndcg) or nDCG@10 (ndcg_cut.10)."),
    ("iprec_at_recall iprec 11pt_avg 11pt", "it interpolates precision, which tools round differently. Use AP."),
    ("set_f setf", "F of a whole list is not computed. Use SetP and SetR, or F1@10."),
    ("set_map setap", "it is the product of precision and recall of a whole list. Use SetP and SetR."),
    ("relative_p", "it divides by the smaller of k and R. Use P@10 and R@10."),
    ("set_relative_p setrelp", "it divides by the smaller of R and the length of the list. Use SetP and SetR."),
    ("all_trec", "it is a set of measures. rankdash evaluate -m official prints those of trec_eval by default."),
    ("rprec_mult", "precision at multiples of R is not computed. Use Rprec."),
    ("utility", "it weighs relevant documents against others. Use NumRelRet and NumRet."),
    ("g bing", "it is an experimental gain of trec_eval. Use nDCG."),
    ("num_nonrel_judged_ret", "judged non-relevant documents are not counted. Use NumRelRet, NumRet and Judged@10."),
    ("relstring runid", "it is a text, and no measure."),
    ("sdcg", "it scales DCG by the largest grade. Use nDCG@10."),
    (
        "accuracy",
        "that of ir_measures reads unjudged documents as others, and no tie as half. Use AUC, which is another number.",
    ),
    ("compat", "it compares a list with an ideal one by RBO. Use nDCG@10, or RBO_ext for two lists."),
    (
        "coverage catalog_coverage catalogcoverage gini gini_index popularity arp avg_rec_popularity",
        "it is a number of all lists together. With items (--items FILE, items=) it stands below them: `catalogue`.",
    ),
    ("rbp.", "rbp of others adds up grades. Use RBP(p={p}), which is the same number for grades 0 and 1."),
)
#: Names in lower case -> why there is no such measure, and what to use; a name that ends in a point precedes digits.
ELSEWHERE: Mapping[str, str] = MappingProxyType(
    {name: sentence for names, sentence in _ELSEWHERE for name in names.split()}
)


#: A name before what may be a cutoff, a level of recall, or parameters.
_HEAD = re.compile(
    r"\s*(?:[\w.-]{1,40}:)?(?P<name>[A-Za-z0-9_]{1,40}?)(?P<rest>[._@][0-9][0-9.,]*)?(?:-l[0-9]{1,9})?\s*(?:\(.*)?\Z",
    re.DOTALL,
)


def elsewhere(text: str) -> str | None:
    """Return why a number of another tool is not computed here, and what to use; None for any other name.

    >>> elsewhere("iprec_at_recall_0.10"), elsewhere("rbp")
    ('it interpolates precision, which tools round differently. Use AP.', None)
    >>> elsewhere("rbp.50") == elsewhere("rbp.0.50")
    True
    """
    head = _HEAD.match(text)
    if head is None:
        return None
    name = head["name"].lower()
    rest = head["rest"] or ""
    instead = ELSEWHERE.get(name) or (ELSEWHERE.get(f"{name}.") if rest.startswith(".") else None)
    digits = rest[1:].strip(".,")  # rbp.95 of ranx, rbp.0.95 of trec_eval
    return instead and instead.format(p=digits if "." in digits else f"0.{digits}")


def _peers_of(preset: str) -> Iterator[tuple[str, str, Peer]]:
    """Yield the measures that a preset's tools print: the form, the tools' name of it, and the row that says so."""
    for row in DEFINITIONS.values():
        for peer in row.peers:
            if preset in peer.presets.split():
                named = (("", peer.whole), ("@k", peer.cut))
                yield from ((f"{row.name}{peer.own}{cut}", name, peer) for cut, name in named if name)


def _named(preset: str) -> Mapping[str, str]:
    """Return what the tools of a preset call the measures that they print; ``standard`` is no tool, and has ours."""
    if preset == "standard":
        return {form: form.replace("@k", "@{k}") for row in DEFINITIONS.values() for form in row.forms}
    return {form: name for form, name, peer in _peers_of(preset) if not peer.written}


#: Preset -> its tools' names of the measures that it covers, by form; {k} is the cutoff.
PEER_NAMES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {preset: MappingProxyType(_named(preset)) for preset in PRESETS}
)
#: Preset -> the measures that its tools print, k for any cutoff: under it they are the tools' numbers, others are ours.
COVERS: Mapping[str, tuple[str, ...]] = MappingProxyType({preset: tuple(named) for preset, named in PEER_NAMES.items()})


def _written(preset: str) -> Mapping[str, str]:
    forms = {form: peer.written or form for form, _, peer in _peers_of(preset) if peer.written or peer.own}
    plain = {
        form.partition("(")[0] + form.rpartition(")")[2] if "(" in form else form: written
        for form, written in forms.items()
    }
    return {form: written for form, written in plain.items() if form not in COVERS[preset]}


#: Preset -> measures that the tools print by axes or parameters of their own, and how these are written.
WRITTEN: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {preset: MappingProxyType(written) for preset in PRESETS if (written := _written(preset))}
)


def peer_name(preset: str, form: str) -> str | None:
    """Return the name that a preset's tools give a measure, {k} for the cutoff; None where they do not print it.

    >>> peer_name("trec_eval-9", "nDCG@k"), peer_name("standard", "AP@k"), peer_name("gdeval", "AP")
    ('ndcg_cut_{k}', 'AP@{k}', None)
    """
    return PEER_NAMES[preset].get(form)
