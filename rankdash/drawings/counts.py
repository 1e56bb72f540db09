"""Good, same and bad queries as stacked bars, from votes or derived from a measure."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping

from rankdash import style
from rankdash.drawings.rows import MARKS, ROW, row_words, rows_frame
from rankdash.drawings.svg import share
from rankdash.evidence.votes import Gsb
from rankdash.style import evidence as words
from rankdash.wording import count

_COLOURS = {"good": style.WIN, "same": style.SAME, "bad": style.LOSS}
_THICK = 16


def gsb_drawing(bars: Mapping[str, Gsb]) -> ET.Element:
    """Return one stacked bar per row, over the whole width, with the counts above it."""
    drawing = rows_frame(len(bars), gsb_alt(bars))
    for place, (name, gsb) in enumerate(bars.items()):
        counts = {part: getattr(gsb, part) for part in words.GSB_PARTS}
        said = style.GSB_COUNTS.format(**{part: count(n) for part, n in counts.items()})
        row_words(drawing, place, name, said)
        _bar(drawing, ROW * place + MARKS - _THICK / 2, counts)
    return drawing


def _bar(drawing: ET.Element, y: float, counts: Mapping[str, int]) -> None:
    start, every = 0, max(sum(counts.values()), 1)
    for part, n in counts.items():
        place = {"x": share(start / every), "width": share(n / every), "y": f"{y:g}", "height": str(_THICK)}
        ET.SubElement(drawing, "rect", {**place, "fill": _COLOURS[part]})
        start += n


def gsb_alt(bars: Mapping[str, Gsb]) -> str:
    """Return the bars in one sentence."""
    return words.GSB_ALT.format(rows="; ".join(bar_words(name, gsb) for name, gsb in bars.items()))


def bar_words(name: str, gsb: Gsb) -> str:
    """Return a bar in words: "Votes: 30 good, 10 same, 10 bad"."""
    return words.GSB_ROW.format(name=name, good=count(gsb.good), same=count(gsb.same), bad=count(gsb.bad))
