"""What is exported: a comparison with its verdict, and what else is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rankdash.style import evidence
from rankdash.style import report as words
from rankdash.wording import count

if TYPE_CHECKING:
    from rankdash.edits import Edit
    from rankdash.scoring import Comparison, VotesAlone
    from rankdash.store import Decision, Observation
    from rankdash.verdict import Verdict


@dataclass(frozen=True)
class Reported:
    """What is exported: a comparison with its verdict, and what else is known of it.

    ``edits`` are in the tables of the comparison. ``name`` is the name of the comparison, ``link`` where it can be
    opened, "" where this is not known. ``policy_changed``: after results had been seen. Decisions and online results
    are those of a saved comparison, the latest first.
    """

    comparison: Comparison | VotesAlone
    verdict: Verdict
    edits: Sequence[Edit] = ()
    name: str = ""
    link: str = ""
    decisions: Sequence[Decision] = ()
    observations: Sequence[Observation] = ()
    policy_changed: bool = False
    at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def stamps(self) -> tuple[str, ...]:
        """What to know before reading the verdict: that the policy was changed late, that lists were edited."""
        changed = f"{evidence.POLICY_STAMP}." if self.policy_changed else ""
        edits = words.EDITED.format(n=count(len(self.edits), words.EDIT, words.EDITS)) if self.edits else ""
        return tuple(filter(None, (changed, edits)))

    @property
    def edited(self) -> frozenset[str]:
        """The queries that were edited."""
        return frozenset(edit.query_id for edit in self.edits)
