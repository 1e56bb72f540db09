"""Both runs of a comparison in order, which is the slow half of comparing, cached by content.

They are not put in order again for another policy, for other names, or when A and B are swapped.
"""

from __future__ import annotations

from dataclasses import replace

from rankdash.case import Case
from rankdash.comparison import Rankings, join
from rankdash.conventions import STANDARD, Convention
from rankdash.dashboard.host.digests import digest
from rankdash.dashboard.host.results import once
from rankdash.edits import apply
from rankdash.inspect.view import view_depth
from rankdash.policy import Policy
from rankdash.tables import Run, Source

_NO_ORDER = STANDARD


def ranked(case: Case, policy: Policy) -> Rankings:
    """Return both runs in order, with edits applied, under their current names."""
    order = _NO_ORDER
    if case.edits:  # only applying edits depends on the order of equal scores
        scoring = policy.scoring
        order = STANDARD.with_axes({"ties": scoring.ties, "score_type": scoring.score_type})
    depth, (a, b), judgments = view_depth(policy.cutoff), (case.a, case.b), case.judgments
    if judgments is None:
        return _joined(Case((a, b), edits=case.edits), order, depth)
    bare = Case((_nameless(a), _nameless(b)), replace(judgments, source=Source()), edits=case.edits)
    found = _joined(bare, order, depth)
    return replace(
        found,
        a=replace(found.a, name=a.name, read_as=a.read_as, source=_noted(a.source, found.a.source)),
        b=replace(found.b, name=b.name, read_as=b.read_as, source=_noted(b.source, found.b.source)),
        judgments=replace(found.judgments, source=_noted(judgments.source, found.judgments.source)),
    )


@once
def _joined(case: Case, order: Convention, depth: int) -> Rankings:
    """Return the runs of a case that holds nothing but what rankings depend on: where there is a table of judgments,
    runs have neither name nor source. ``order`` is how equal scores stood when the edits were applied.
    """
    a, b, judgments = case.a, case.b, case.judgments
    if case.edits:
        base = _joined(case.unedited, _NO_ORDER, depth)
        after = apply(case.edits, a, b, judgments, order)
        named = [edit.query_id for edit in case.edits]
        return base.edited(after.a, after.b, after.judgments, named, depth=depth)
    if judgments is not None:  # of grades that stand in the runs those of A come first
        turned = case.swapped()
        if digest(turned) < digest(case):
            return _joined(turned, order, depth).swapped(judgments)  # only one of the two directions is computed
    return join(a, b, judgments, depth=depth)


def _nameless(run: Run) -> Run:
    return replace(run, name="", read_as="", source=Source())


def _noted(source: Source, edited: Source) -> Source:
    """Return the source of a table with the notes that edits added."""
    return replace(source, notes=(*source.notes, *edited.notes))
