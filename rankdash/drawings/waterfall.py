"""Why B wins and loses: the parts of the mean difference of nDCG@k, one bar each, and their sum."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from rankdash import style
from rankdash.drawings.rows import MARKS, ROW, row_words, rows_frame
from rankdash.drawings.svg import Scale, rule, share
from rankdash.inspect.view import WaterfallStep
from rankdash.style import queries as words
from rankdash.wording import count, signed

_THICK = 14


def waterfall_drawing(steps: Sequence[WaterfallStep]) -> ET.Element:
    """Return the parts from top to bottom, each bar beginning where the bar before ends."""
    scale = Scale.around_zero([end for step in steps for end in (step.start, step.end)])
    drawing = rows_frame(len(steps), waterfall_alt(steps), scale)
    for place, step in enumerate(steps):
        queries = count(step.queries, "query", "queries")
        row_words(drawing, place, words.PARTS[step.part], queries, strong=signed(step.value))
        _bar(drawing, place, step, scale)
    return drawing


def _bar(drawing: ET.Element, place: int, step: WaterfallStep, scale: Scale) -> None:
    left, right = sorted((scale.part(step.start), scale.part(step.end)))
    top = ROW * place + MARKS - _THICK / 2
    across = {"x": share(left), "width": share(right - left)}
    ET.SubElement(drawing, "rect", {**across, "y": f"{top:g}", "height": str(_THICK), "fill": style.tone(step.value)})
    if step.start == step.end:
        rule(drawing, (scale.at(step.start), scale.at(step.start)), (top, top + _THICK), style.SAME, 2)


def waterfall_alt(steps: Sequence[WaterfallStep]) -> str:
    """Return the parts in one sentence."""
    ends = "; ".join(f"{words.PARTS[step.part]} {signed(step.value)}" for step in steps)
    return words.CHART_ALTS["why"].format(ends=ends)
