"""The two charts of a report and the lines between two lists as SVG, without Plotly or scripts.

Positions across are shares of the width, so that a chart fits a page of any width while its letters keep their size.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence

from rankdash import style
from rankdash.inspect.lists import QueryLists
from rankdash.inspect.query_order import Changes
from rankdash.policy import Policy
from rankdash.records import frozen, replace
from rankdash.scoring import Comparison, Result
from rankdash.style import queries as words
from rankdash.wording import MINUS, count, end, limit, literal, short, short_inside, signed

SVG = "http://www.w3.org/2000/svg"
#: More bars than a chart has points across show nothing more. Of a larger comparison, so many queries are drawn, evenly
#: spread over the sorted order: the curve rises, so it keeps its shape, and every bar is still a query that can be
#: opened. Adding up neighbours instead would draw queries that do not exist.
MOST_BARS = 400
#: Of the bars: the height of the chart, the share of its room that a bar fills, and up to how many bars.
_HEIGHT, _FILLED, _FEW = 180, 0.85, 120
#: Of the intervals: the height of a row, the heights in it of the text and of the marks, and the room of the axis.
_ROW, _TEXT, _MARKS, _AXIS = 46, 15, 31, 22
#: A number nearer to an end of the axis than this share stands beside its line: centred on it, it would not fit.
_EDGE = 0.04
_GRID = {"stroke-opacity": "0.35", "stroke-dasharray": "2 4"}
#: Room beside the first and the last mark, as a share of the axis, and the most lines across it.
_ROOM, _MOST_TICKS = 0.06, 6
#: Characters that XML cannot hold, whatever stands in a file.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: How lines look: whether the move helped, width, dashes. Green lines are thick and pink ones dashed.
_LOOKS: tuple[tuple[bool | None, str, str], ...] = ((True, "2.5", ""), (False, "2", "7 4"), (None, "1.5", ""))


@frozen
class Scale:
    """An axis of differences from ``low`` to ``high``."""

    low: float
    high: float

    @classmethod
    def around_zero(cls, values: Iterable[float | None], ends: Iterable[float | None] = ()) -> Scale:
        """Return the axis that shows some values and 0, with room for marks; None is no value. The ``ends`` of
        intervals, which can reach further than any value, are cut at 1, or at twice the largest value above that.
        """
        shown = [0.0, *(value for value in values if value is not None)]
        largest = max(map(abs, shown))
        most = 1.0 if largest <= 1 else 2 * largest
        shown += [min(max(end, -most), most) for end in ends if end is not None]
        room = _ROOM * (max(shown) - min(shown)) or _ROOM
        return cls(min(shown) - room, max(shown) + room)

    def part(self, value: float) -> float:
        """Return where a value stands, from 0 at the low end and below to 1 at the high end and above."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)

    def at(self, value: float) -> str:
        """Return where a value stands, as a share of the width."""
        return _share(self.part(value))

    def ticks(self) -> list[float]:
        """Return round values along the axis, 0 among them."""
        rough = (self.high - self.low) / _MOST_TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [round(step * number, 12) for number in range(first, last + 1)]


def interval_drawing(comparison: Comparison, is_comparable: bool = True) -> ET.Element:
    """Return one row per measure: the difference as a point, its 95% interval as a line, and the measure's own limit.

    Over each row stand its name at the left and its numbers at the right.
    """
    roles = [style.ROLES[result.role] for result in comparison.results]
    beside = [*zip(roles, proven_tones(comparison, is_comparable), strict=True)]
    return _intervals(comparison.results, beside, comparison.policy, intervals_alt(comparison))


def candidates_drawing(compared: Sequence[Comparison], said: Sequence[tuple[str, str]], alt: str) -> ET.Element:
    """Return the same with one row per comparison: the primary measure, under the candidate and its verdict in words,
    in the colour of the verdict.
    """
    results = [replace(one.primary, label=short(one.inputs.b.name, 60)) for one in compared]
    return _intervals(results, said, compared[0].policy, alt)


def _intervals(results: Sequence[Result], beside: Sequence[tuple[str, str]], policy: Policy, alt: str) -> ET.Element:
    scale, drawn = on_axis(results, policy)
    drawing = _frame(_ROW * len(results) + _AXIS, alt)
    for tick in scale.ticks():
        for place in range(len(results)):  # not through the text over a row
            ends_of_row = (_ROW * place + _TEXT + 5, _ROW * (place + 1))
            _line(drawing, (scale.at(tick),) * 2, ends_of_row, style.SAME).attrib.update(_GRID if tick else {})
        part = scale.part(tick)
        anchor = "start" if part < _EDGE else "end" if part > 1 - _EDGE else "middle"
        _write(drawing, "text", _tick_words(tick), x=scale.at(tick), y=_ROW * len(results) + 16, anchor=anchor, size=12)
    for place, (result, one) in enumerate(zip(results, drawn, strict=True)):
        _row(drawing, place, result, one, *beside[place], scale)
        if (own := own_limit(one, policy)) is not None:
            middle = _ROW * place + _MARKS
            _line(drawing, (scale.at(own[0]),) * 2, (middle - 11, middle + 11), style.MODEL, 2)
    return drawing


def _row(
    drawing: ET.Element, place: int, result: Result, drawn: Result, beside: str, colour: str, scale: Scale
) -> None:
    paired, middle, y = drawn.paired, _ROW * place + _MARKS, _ROW * place + _TEXT
    label = _write(drawing, "text", "", x="0", y=y)
    _write(label, "tspan", result.label, weight=600)
    _write(label, "tspan", f"  {beside}", size=12)
    values = _write(drawing, "text", "", x="100%", y=y, anchor="end")
    _write(values, "tspan", f"{signed(result.paired.delta)}  ", weight=700)
    _write(values, "tspan", interval_words(result))
    if paired.ci95 is not None:
        _line(drawing, (scale.at(paired.ci95[0]), scale.at(paired.ci95[1])), (middle, middle), style.SAME, 4)
    if paired.delta is not None:
        point = {"cx": scale.at(paired.delta), "cy": str(middle), "r": "6.5"}
        ET.SubElement(drawing, "circle", {**point, "fill": colour})


def on_axis(results: Sequence[Result], policy: Policy) -> tuple[Scale, list[Result]]:
    """Return the axis of some results with their limits, and the results as they are drawn on it: a measure without an
    upper bound is scaled to the axis of the others, so that only the place of 0 is exact.
    """
    scale, drawn = _scale([one for one in results if one.bounded], policy), list[Result]()
    for one in results:
        own = _scale([one], policy)
        factor = 1.0 if one.bounded else min(scale.high / own.high, scale.low / own.low)
        numbers = {name: getattr(one.paired, name) for name in ("delta", "lower95", "upper95")}
        paired = replace(one.paired, **{name: x and factor * x for name, x in numbers.items()})
        drawn.append(replace(one, paired=paired, margin=one.margin and factor * one.margin))
    return scale, drawn


def _scale(results: Sequence[Result], policy: Policy) -> Scale:
    limits = [own[0] for one in results if (own := own_limit(one, policy)) is not None]
    ends = [end for one in results for end in one.paired.ci95 or ()]
    return Scale.around_zero([*(one.paired.delta for one in results), *limits], ends)


def own_scale(comparison: Comparison) -> str:
    """Return which measures have a scale of their own on the axis of all; "" for none."""
    names = ", ".join(result.label for result in comparison.results if not result.bounded)
    return names and style.OWN_SCALE.format(measures=names)


def proven_tones(comparison: Comparison, is_comparable: bool) -> list[str]:
    """Return the colours of the measures by their intervals: grey also where more of one is neither better nor worse,
    and where nothing can be compared.
    """
    return [
        style.SAME
        if result.describes or not is_comparable
        else style.proven_tone(result.paired.ci95, result.paired.good)
        for result in comparison.results
    ]


def own_limit(result: Result, policy: Policy) -> tuple[float, str] | None:
    """Return a measure's own limit on the axis of differences, and the sentence about it; None where it has none."""
    name = result.label
    if result.role == "primary" and policy.intent == "improve":
        return policy.mpe, style.LIMIT_GAIN.format(measure=name, limit=limit(policy.mpe))
    margin = policy.primary_margin if result.role == "primary" else result.margin
    lost = None if margin is None else -margin * result.paired.good
    return None if lost is None else (lost, style.LIMIT_LOSS.format(measure=name, limit=limit(lost)))


def interval_words(result: Result) -> str:
    """Return the interval of a measure: "+0.021 to +0.054"."""
    ends = result.paired.ci95
    return style.NO_INTERVAL if ends is None else " to ".join(map(end, ends))


def intervals_alt(comparison: Comparison) -> str:
    """Return the intervals in one sentence."""
    each = (f"{result.label} {signed(result.paired.delta)} ({interval_words(result)})" for result in comparison.results)
    return style.INTERVALS_ALT.format(rows="; ".join(each))


def deltas_alt(changes: Changes, measure: str) -> str:
    """Return the differences in one sentence: how many queries, the largest loss and the largest gain."""
    ends = {"worst": signed(float(changes.delta[0])), "best": signed(float(changes.delta[-1]))}
    return style.DELTAS_ALT.format(measure=measure, n=count(len(changes)), **ends)


def deltas_hint(changes: Changes, measure: str) -> str:
    """Return what the bars are, and where not all queries have one, how many have."""
    said, n = style.DELTAS_HINT.format(measure=measure), len(changes)
    return said if n <= MOST_BARS else f"{said} {style.DELTAS_THINNED.format(shown=count(MOST_BARS), n=count(n))}"


def delta_drawing(changes: Changes, comparison: Comparison) -> ET.Element:
    """Return one bar per query, largest loss first, coloured by who is better; at most MOST_BARS bars."""
    drawing = _frame(_HEIGHT, deltas_alt(changes, comparison.primary.label))
    deltas = changes.delta[changes.evenly(MOST_BARS)].tolist()
    scale = Scale.around_zero(deltas)
    filled = _FILLED if len(deltas) <= _FEW else 1.0
    for place, delta in enumerate(deltas):
        top, bottom = (_HEIGHT * (1 - scale.part(end)) for end in (max(delta, 0.0), min(delta, 0.0)))
        across = {"x": _share(place / len(deltas)), "width": _share(filled / len(deltas))}
        down = {"y": f"{top:.1f}", "height": f"{bottom - top:.1f}"}
        if delta:
            ET.SubElement(drawing, "rect", {**across, **down, "fill": style.tone(delta)})
    for tick in scale.ticks():
        y = _HEIGHT * (1 - scale.part(tick))
        _line(drawing, ("0", "100%"), (y, y), style.SAME).attrib.update(_GRID if tick else {})
        if tick and y > _TEXT:  # its number stands where no bars are: at the left for a gain, at the right for a loss
            x, anchor = ("0", "start") if tick > 0 else ("100%", "end")
            _write(drawing, "text", _tick_words(tick), x=x, y=y - 4, anchor=anchor, size=12)
    return drawing


def name_of(changes: Changes, place: int) -> str:
    """Return the name of a query: its text, else its id."""
    return changes.texts[place] or changes.query_ids[place]


def short_name(changes: Changes, place: int, width: int) -> str:
    """Return the name of a query, cut to a width in columns: a text at its end, an id in its middle."""
    text = changes.texts[place]
    return short(text, width) if text else short_inside(changes.query_ids[place], width)


def lists_lines(query_lists: QueryLists) -> str:
    """Return an SVG drawing of lines from ranks of A on the left to ranks of B: 10 units wide, and a unit high per row.

    One path per effect, in the order helps, hurts, neither; no text. The drawing is stretched to the available room;
    the lines keep their width.
    """
    rows = max(len(query_lists.a.placed), len(query_lists.b.placed), 1)
    room = {"viewBox": f"0 0 10 {rows}", "width": "100", "height": str(100 * rows), "preserveAspectRatio": "none"}
    drawing = ET.Element("svg", {"xmlns": SVG, **room, "fill": "none"})
    shown = {row.rank for row in query_lists.b.placed}
    for effect, width, dashes in _LOOKS:
        joined = [(row.rank, row.other_rank) for row in query_lists.a.placed if row.helps is effect]
        line = {
            "d": " ".join(f"M0 {a - 0.5}L10 {b - 0.5}" for a, b in joined if b in shown),
            "stroke": words.EFFECT_COLOUR[effect],
            "stroke-width": width,
            "vector-effect": "non-scaling-stroke",
        }
        ET.SubElement(drawing, "path", line | ({"stroke-dasharray": dashes} if dashes else {}))
    return ET.tostring(drawing, encoding="unicode")


def allowed(text: str) -> str:
    """Return text from anywhere as XML can hold it: marks that would act are spelled out.

    >>> allowed("a\\x00b\\uffff")
    'a\\\\x00b\\\\uffff'
    """
    return _FORBIDDEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", literal(text))


def _frame(height: int, alt: str) -> ET.Element:
    """Return an empty drawing that is as wide as its place, with what it shows in one sentence."""
    settings = {"xmlns": SVG, "width": "100%", "height": str(height), "role": "img", "aria-label": allowed(alt)}
    return ET.Element("svg", settings)


def _write(parent: ET.Element, tag: str, text: str, **settings: str | float) -> ET.Element:
    """Write a text literally; a "tspan" is a part of a text."""
    names = {"anchor": "text-anchor", "size": "font-size", "weight": "font-weight"}
    usual = {"xml:space": "preserve"} if tag == "tspan" else {"fill": style.TEXT, "font-size": "13"}
    given = {
        names.get(name, name): value if isinstance(value, str) else f"{value:g}" for name, value in settings.items()
    }
    written = ET.SubElement(parent, tag, usual | given)
    written.text = allowed(text)
    return written


def _line(parent: ET.Element, x: tuple[str, ...], y: tuple[float, float], colour: str, width: int = 1) -> ET.Element:
    ends = {"x1": x[0], "x2": x[1], "y1": f"{y[0]:g}", "y2": f"{y[1]:g}"}
    return ET.SubElement(parent, "line", {**ends, "stroke": colour, "stroke-width": str(width)})


def _share(part: float) -> str:
    """Return a share of the width, as "12.5%"."""
    return f"{100 * part:.3f}".rstrip("0").rstrip(".") + "%"


def _tick_words(value: float) -> str:
    """Return a number of an axis of differences: with a sign, and no more digits than it has."""
    return "0" if not value else f"{MINUS if value < 0 else '+'}{abs(value):.12g}"
