"""Text from files stays text in every export that people or programs read."""

import re
import xml.etree.ElementTree as ET

import pytest

from rankdash.report import EXPORTS, exported
from rankdash.wording import literal
from tests.report import reported as given
from tests.report.test_html import PAGES, read

HOSTILE = given.EVERY["hostile"]
SHOWN = " ".join(literal(given.NASTY).split())


def test_the_report_shows_every_text_letter_for_letter() -> None:
    """No element, no template, no address is made of it: the elements are those of the same report of tame files."""
    found, tame = read(PAGES["hostile"]), read(PAGES["everything"])
    assert {name for name, _ in found.elements} <= {name for name, _ in tame.elements} | {"h3", "article", "th"}
    assert found.text.count(SHOWN[:70]) > 60
    assert f"Name {SHOWN}" in found.text
    assert not [given for _, given in found.elements for key in given if key.startswith("on")]


@pytest.mark.parametrize("form", EXPORTS)
def test_no_form_holds_what_acts(form: str) -> None:
    """No escape sequence and no mark of direction is in any text form, and what is XML can be read as such."""
    if EXPORTS[form].lacks(HOSTILE) or form in ("parquet", "csv", "json"):
        return
    content = exported(HOSTILE, form).decode()
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", content)
    if EXPORTS[form].media_type in ("application/xml", "image/svg+xml"):
        ET.fromstring(content)


def test_what_xml_cannot_hold_is_spelled_out() -> None:
    """A null, half a character and a number that is none end neither JUnit nor a chart."""
    one = given.reported(given.compared(), name="a\x00b\uffffc")
    assert "a\\x00b\\uffffc" in (ET.fromstring(exported(one, "junit"))[0].get("name") or "")
