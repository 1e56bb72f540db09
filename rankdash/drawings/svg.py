"""What all drawings share: the frame with its alt text, text, lines, and the axis across."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from dataclasses import dataclass

from rankdash import style
from rankdash.wording import literal

SVG = "http://www.w3.org/2000/svg"
#: The width of a drawing that is a file of its own.
_WIDTH = 760
#: The colour of text in a file of its own, which is white; on a page, the style sheet decides.
_INK = "#3a4150"
#: Characters that XML cannot hold, whatever stands in a file.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: Room beside the first and the last mark, as a share of the axis.
_ROOM = 0.06
_MOST_TICKS = 6


def frame(height: float, alt: str) -> ET.Element:
    """Return an empty drawing that is as wide as its place, with what it shows in one sentence."""
    settings = {"xmlns": SVG, "width": "100%", "height": f"{height:g}", "role": "img", "aria-label": allowed(alt)}
    return ET.Element("svg", settings)


def as_text(drawing: ET.Element) -> str:
    """Return a drawing as text for a page."""
    return ET.tostring(drawing, encoding="unicode")


def as_file(drawing: ET.Element, title: str, note: str = "") -> bytes:
    """Return a drawing as a file of its own, on white and with a width of its own: its title, and what it shows with
    a note on that, are there for those who do not see it.
    """
    alone = ET.fromstring(ET.tostring(drawing))
    ET.register_namespace("", SVG)
    alone.set("width", str(_WIDTH))
    alone.set("font-family", "system-ui, sans-serif")
    for written in alone.iter(f"{{{SVG}}}text"):
        written.set("fill", _INK)
    alone.insert(0, ET.Element(f"{{{SVG}}}rect", width="100%", height="100%", fill="#ffffff"))
    for name, words in (("desc", f"{alone.get('aria-label')} {note}".strip()), ("title", title)):
        said = ET.Element(f"{{{SVG}}}{name}")
        said.text = allowed(words)
        alone.insert(0, said)
    content: bytes = ET.tostring(alone, encoding="utf-8", xml_declaration=True)
    return content


def allowed(text: str) -> str:
    """Return text from anywhere as XML can hold it: marks that would act are spelled out.

    >>> allowed("a\\x00b\\uffff")
    'a\\\\x00b\\\\uffff'
    """
    return _FORBIDDEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", literal(text))


def write(parent: ET.Element, words: str, x: str, y: float, **attributes: str) -> None:
    """Write a text at a place, literally."""
    settings = {"x": x, "y": f"{y:g}", "fill": style.TEXT, "font-size": "13"} | attributes
    ET.SubElement(parent, "text", settings).text = allowed(words)


def rule(parent: ET.Element, x: tuple[str, str], y: tuple[float, float], colour: str, width: float = 1) -> ET.Element:
    """Draw a line between two places."""
    ends = {"x1": x[0], "x2": x[1], "y1": f"{y[0]:g}", "y2": f"{y[1]:g}"}
    return ET.SubElement(parent, "line", {**ends, "stroke": colour, "stroke-width": f"{width:g}"})


def share(part: float) -> str:
    """Return a share of the width.

    >>> share(0.125)
    '12.5%'
    """
    return f"{100 * part:.3f}".rstrip("0").rstrip(".") + "%"


@dataclass(frozen=True)
class Scale:
    """An axis of differences across the drawing, from ``low`` to ``high``."""

    low: float
    high: float

    @classmethod
    def around_zero(cls, values: Iterable[float | None]) -> Scale:
        """Return the axis that shows some values and 0, with room for marks; None is no value."""
        shown = [0.0, *(value for value in values if value is not None)]
        room = _ROOM * (max(shown) - min(shown)) or _ROOM
        return cls(min(shown) - room, max(shown) + room)

    def part(self, value: float) -> float:
        """Return where a value stands, from 0 at the left to 1 at the right."""
        return (value - self.low) / (self.high - self.low)

    def at(self, value: float) -> str:
        """Return where a value stands, as a share of the width."""
        return share(self.part(value))

    def ticks(self) -> list[float]:
        """Return round values along the axis, 0 among them."""
        rough = (self.high - self.low) / _MOST_TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [round(step * number, 12) for number in range(first, last + 1)]
