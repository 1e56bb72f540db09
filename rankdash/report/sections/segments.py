"""The primary measure, segment by segment: the policy's first, the others as exploration."""

from __future__ import annotations

from dataclasses import dataclass

from rankdash import style
from rankdash.scoring import Comparison, SegmentResult
from rankdash.style import evidence as words
from rankdash.wording import NOT_DEFINED, count, p_value, signed


@dataclass(frozen=True)
class SegmentRow:
    """A segment as text; ``colour`` tells the direction of a difference if it is judged and proven, else it is grey."""

    column: str
    value: str
    role: str
    delta: str
    interval: str
    won: str
    n: str
    p: str
    judged: bool
    colour: str


def segment_rows(comparison: Comparison) -> tuple[SegmentRow, ...]:
    """Return one row per segment, in the order of the comparison."""
    return tuple(map(_row, comparison.plain.segments))


def _row(segment: SegmentResult) -> SegmentRow:
    paired = segment.paired
    role = "judged" if segment.judged else "small" if segment.named else "explored"
    return SegmentRow(
        segment.column,
        segment.value,
        words.SEGMENT_ROLES[role],
        signed(paired.delta),
        NOT_DEFINED if paired.ci95 is None else f"{signed(paired.ci95[0])} to {signed(paired.ci95[1])}",
        f"{count(paired.wins)} / {count(paired.ties)} / {count(paired.losses)}",
        count(paired.n),
        p_value(segment.adjusted_p),
        segment.judged,
        style.proven_tone(paired.ci95) if segment.judged else style.SAME,
    )


def segment_note(comparison: Comparison) -> str:
    """Return what the p-values of the segments are worth; "" where there are no segments."""
    segments = comparison.plain.segments
    explored = sum(not segment.named for segment in segments)
    said = [words.SEGMENTS_JUDGED] if explored < len(segments) else []
    if explored:
        said.append(words.SEGMENTS_EXPLORED.format(n=count(explored)))
    return " ".join(said)
