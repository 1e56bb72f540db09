"""One row per measure: the difference as a point, its 95% interval as a line, and the measure's own limit."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from rankdash import style
from rankdash.drawings.rows import MARKS, ROW, row_words, rows_frame
from rankdash.drawings.svg import Scale, rule
from rankdash.policy import Policy
from rankdash.scoring import Comparison, Result
from rankdash.wording import limit, signed


def interval_drawing(comparison: Comparison) -> ET.Element:
    """Return the intervals of all measures, from top to bottom in the order of the measures."""
    results, limits = comparison.results, [own_limit(result, comparison.policy) for result in comparison.results]
    ends = [end for result in results for end in result.paired.ci95 or ()]
    deltas = [result.paired.delta for result in results]
    scale = Scale.around_zero([*ends, *deltas, *(own[0] for own in limits if own is not None)])
    drawing = rows_frame(len(results), intervals_alt(comparison), scale)
    for place, (result, own) in enumerate(zip(results, limits, strict=True)):
        _row(drawing, place, result, scale)
        if own is not None:
            middle = ROW * place + MARKS
            rule(drawing, (scale.at(own[0]), scale.at(own[0])), (middle - 11, middle + 11), style.MODEL, 2)
    return drawing


def _row(drawing: ET.Element, place: int, result: Result, scale: Scale) -> None:
    paired, middle = result.paired, ROW * place + MARKS
    strong = signed(paired.delta)
    row_words(drawing, place, result.label, style.ROLES[result.role], interval_words(result), strong=strong)
    if paired.ci95 is not None:
        rule(drawing, (scale.at(paired.ci95[0]), scale.at(paired.ci95[1])), (middle, middle), style.SAME, 4)
    if paired.delta is not None:
        point = {"cx": scale.at(paired.delta), "cy": f"{middle:g}", "r": "6.5"}
        ET.SubElement(drawing, "circle", {**point, "fill": style.proven_tone(paired.ci95)})


def own_limit(result: Result, policy: Policy) -> tuple[float, str] | None:
    """Return a measure's own limit on the axis of differences, and the sentence about it; None where it has none."""
    name = result.label
    if result.role == "primary" and policy.intent == "improve":
        return policy.mpe, style.LIMIT_GAIN.format(measure=name, limit=limit(policy.mpe))
    margin = policy.primary_margin if result.role == "primary" else result.margin
    return None if margin is None else (-margin, style.LIMIT_LOSS.format(measure=name, limit=limit(-margin)))


def interval_words(result: Result) -> str:
    """Return the interval of a measure: "+0.021 to +0.054"."""
    ends = result.paired.ci95
    return style.NO_INTERVAL if ends is None else f"{signed(ends[0])} to {signed(ends[1])}"


def intervals_alt(comparison: Comparison) -> str:
    """Return the intervals in one sentence."""
    each = (f"{result.label} {signed(result.paired.delta)} ({interval_words(result)})" for result in comparison.results)
    return style.INTERVALS_ALT.format(rows="; ".join(each))
