"""Both runs of a comparison in order, which is the slow half of comparing, cached by content.

They are not put in order again for another policy, for other names, or when A and B are swapped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rankdash.comparison import Rankings, join, swapped_judgments
from rankdash.conventions import STANDARD, Convention
from rankdash.dashboard.kit.content_cache import once
from rankdash.dashboard.kit.digests import digest
from rankdash.edits import Edit, apply, swapped_edit
from rankdash.inspect.view import view_depth
from rankdash.policy import Policy
from rankdash.tables import Judgments, Run, Source

_NO_ORDER = STANDARD


@dataclass(frozen=True)
class Tables:
    """Everything that rankings depend on. With a table of judgments, runs have neither name nor source here."""

    a: Run
    b: Run
    judgments: Judgments | None
    edits: tuple[Edit, ...]
    order: Convention  # how equal scores stood when the edits were applied: the policy's, the same in every other axis
    depth: int

    @property
    def turned(self) -> Tables | None:
        """The same tables with A and B swapped; None where the grades are in the runs, since those of A come first."""
        if self.judgments is None:
            return None
        return replace(
            self,
            a=self.b,
            b=self.a,
            judgments=swapped_judgments(self.judgments),
            edits=tuple(map(swapped_edit, self.edits)),
        )


def ranked(a: Run, b: Run, judgments: Judgments | None, edits: tuple[Edit, ...], policy: Policy) -> Rankings:
    """Return both runs in order, with edits applied, under their current names."""
    order = _NO_ORDER
    if edits:  # only applying edits depends on the order of equal scores
        scoring = policy.scoring
        order = STANDARD.with_axes({"ties": scoring.ties, "score_type": scoring.score_type})
    depth = view_depth(policy.cutoff)
    if judgments is None:
        return _joined(Tables(a, b, None, edits, order, depth))
    found = _joined(Tables(_nameless(a), _nameless(b), replace(judgments, source=Source()), edits, order, depth))
    return replace(
        found,
        a=replace(found.a, name=a.name, read_as=a.read_as, source=_noted(a.source, found.a.source)),
        b=replace(found.b, name=b.name, read_as=b.read_as, source=_noted(b.source, found.b.source)),
        judgments=replace(found.judgments, source=_noted(judgments.source, found.judgments.source)),
    )


@once
def _joined(tables: Tables) -> Rankings:
    if tables.edits:
        base = _joined(replace(tables, edits=(), order=_NO_ORDER))
        after = apply(tables.edits, tables.a, tables.b, tables.judgments, tables.order)
        named = [edit.query_id for edit in tables.edits]
        return base.edited(after.a, after.b, after.judgments, named, depth=tables.depth)
    turned = tables.turned
    if turned is not None and tables.judgments is not None and digest(turned) < digest(tables):
        return _joined(turned).swapped(tables.judgments)  # only one of the two directions is computed
    return join(tables.a, tables.b, tables.judgments, depth=tables.depth)


def _nameless(run: Run) -> Run:
    return replace(run, name="", read_as="", source=Source())


def _noted(source: Source, edited: Source) -> Source:
    """Return the source of a table with the notes that edits added."""
    return replace(source, notes=(*source.notes, *edited.notes))
