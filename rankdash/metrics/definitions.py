"""Every measure, by family: the table from which names, help texts, pages, axis titles and tests are made.

A measure is a row beside its code; a family is a module, named here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from rankdash.conventions import PRESETS
from rankdash.metrics import binary, gain, incomplete, pairs, similarity, users
from rankdash.metrics.rows import Definition, Peer

_FAMILIES = (gain, binary, users, incomplete, pairs, similarity)

#: Name -> definition, in the order in which they are shown.
DEFINITIONS: Mapping[str, Definition] = MappingProxyType(
    {row.name: row for family in _FAMILIES for row in family.MEASURES}
)

#: Every spelling in lower case -> name.
ALIASES: Mapping[str, str] = MappingProxyType(
    {spelling: name for name, row in DEFINITIONS.items() for spelling in row.spellings.split()}
    | {name.lower(): name for name in DEFINITIONS}
)


def _peers_of(preset: str) -> Iterator[tuple[str, str, Peer]]:
    """Yield what a preset's tools print: the form of the measure, their name of it, and where that is told."""
    for row in DEFINITIONS.values():
        for peer in row.peers:
            if preset in peer.presets.split():
                named = (("", peer.whole), ("@k", peer.cut))
                yield from ((f"{row.name}{peer.own}{cut}", name, peer) for cut, name in named if name)


def _covered(preset: str) -> tuple[str, ...]:
    if preset == "standard":
        return tuple(form for row in DEFINITIONS.values() for form in row.forms)
    return tuple(form for form, _, peer in _peers_of(preset) if not peer.written)


#: Preset -> the measures that its tools print, k for any cutoff: under it they are the tools' numbers, others are ours.
COVERS: Mapping[str, tuple[str, ...]] = MappingProxyType({preset: _covered(preset) for preset in PRESETS})

#: Preset -> measures that the tools print by axes of their own, and how they are written to be the tools' numbers.
WRITTEN: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        preset: MappingProxyType(written)
        for preset in PRESETS
        if (written := {form: peer.written for form, _, peer in _peers_of(preset) if peer.written})
    }
)
#: Preset -> what its tools call the measures that it covers, by their form; {k} is the cutoff.
PEER_NAMES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        preset: MappingProxyType({form: name for form, name, peer in _peers_of(preset) if not peer.written})
        for preset in PRESETS
    }
)


def label(name: str) -> str:
    """Return what a measure is called on screen: its label, or its name where it has none. The mean of AP is MAP.

    >>> label("AP"), label("P"), label("anything")
    ('MAP', 'P', 'anything')
    """
    row = DEFINITIONS.get(name)
    return name if row is None or not row.label else row.label


def peer_name(preset: str, form: str) -> str | None:
    """Return what the tools of a preset call a measure, {k} for the cutoff; None where they do not print it.

    ``standard`` is no tool: there a measure has its label.

    >>> peer_name("trec_eval-9", "nDCG@k"), peer_name("standard", "AP@k"), peer_name("gdeval", "AP")
    ('ndcg_cut_{k}', 'MAP@{k}', None)
    """
    if preset == "standard":
        name, at, _ = form.partition("@")
        return label(name) + ("@{k}" if at else "")
    return PEER_NAMES[preset].get(form)
