"""What the row of a policy's field holds: default, kind and limits, label, topic and meaning. The rows: fields.py.

The record, TOML files, JSON and the dialog read the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from rankdash.policy.kinds import ValueKind


class Topic(StrEnum):
    """What fields are about, in the order in which the dialog shows them."""

    DECIDES = "What decides"
    HARMED = "What must not be harmed"
    COMPUTED = "How measures are computed"
    ENOUGH = "How much evidence is enough"
    BIG = "Big changes and segments"
    VOTES = "Limits on votes"
    COMPARABLE = "When A and B can be compared"

    @property
    def common(self) -> bool:
        """Whether most policies name some of its fields, so that the dialog has them always in sight."""
        return self in (Topic.DECIDES, Topic.HARMED)


@dataclass(frozen=True)
class PolicyField:
    """The row of a field: the kind of its value, its label on screen, and what it means.

    ``kind`` is None for a measure or a convention, which are checked together. ``meaning`` begins as in the middle of a
    sentence and has no full stop; {primary} stands for the primary measure.
    """

    kind: ValueKind | None
    label: str
    topic: Topic
    meaning: str

    def line(self, primary: str = "the primary measure") -> str:
        """Return the meaning, with the name of the primary measure."""
        return self.meaning.format(primary=primary)


def row(default: Any, kind: ValueKind | None, label: str, topic: Topic, meaning: str) -> Any:
    """Return a field of the dataclass of policies, with its row. Without a default it follows the primary measure."""
    return field(default=default, metadata={"row": PolicyField(kind, label, topic, meaning)})


def rows(record: type[Any]) -> Mapping[str, PolicyField]:
    """Return the rows of a dataclass by the names of their fields."""
    return {part.name: part.metadata["row"] for part in fields(record) if "row" in part.metadata}
