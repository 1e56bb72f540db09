"""Exports read back by the programs that they are meant for, with the same numbers."""

import re
import xml.etree.ElementTree as ET
from html import unescape

import cmarkgfm
import junitparser
import pytest
from cmarkgfm.cmark import Options

import rankdash as rd
from rankdash.report import exported
from rankdash.report.markdown import to_comment
from rankdash.report.sections import answers, cards, vote_notes
from rankdash.verdict import Status
from tests.report.reported import EVERY, reported

OPEN = (Status.FAILED, Status.NOT_PROVEN)
JOINER = "\u2060"


def rendered(form: bytes) -> str:
    """Markdown as a host of pull requests renders it, its own HTML let through."""
    return str(cmarkgfm.github_flavored_markdown_to_html(form.decode(), Options.CMARK_OPT_UNSAFE))


def text_of(page: str) -> str:
    """What one reads of a page."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).replace(JOINER, "").split())


@pytest.mark.parametrize("which", EVERY)
def test_junit_has_a_case_for_every_rule(which: str) -> None:
    """As many cases, failures and skipped ones as the checklist has rules, rules in the way, and rules that do not
    apply; each with its sentence.
    """
    checks = EVERY[which].verdict.checks
    found = junitparser.JUnitXml.fromroot(ET.fromstring(exported(EVERY[which], "junit")))
    (suite,) = found
    counted = [sum(check.status in those for check in checks) for those in (OPEN, (Status.NOT_APPLICABLE,))]
    assert [suite.tests, suite.failures, suite.skipped, suite.errors] == [len(checks), *counted, 0]
    assert [found.tests, found.failures, found.skipped] == [len(checks), *counted]
    cases = [case for case in suite if isinstance(case, junitparser.TestCase)]
    assert [case.name.split()[0] for case in cases] == [check.rule for check in checks]
    for case, check in zip(cases, checks, strict=True):
        told = [one.message for one in case.result]
        assert told == ([] if check.status is Status.PASSED else [check.sentence])
    assert EVERY[which].verdict.tag in (suite._elem.findtext("system-out") or "")


@pytest.mark.parametrize("which", [name for name in EVERY if name != "hostile"])
def test_markdown_says_what_the_page_says(which: str) -> None:
    """Rendered, it has the verdict, every card, answer and caveat, and the queries of votes alone, in true tables."""
    one, page = EVERY[which], rendered(exported(EVERY[which], "markdown"))
    said = text_of(page)
    wanted = [one.verdict.screen, one.verdict.tag, one.verdict.sentence]
    wanted += [text for card in cards(one.comparison) for text in (card.label, card.value, card.chip, *card.lines)]
    wanted += [answer.sentence for answer in answers(one.verdict)]
    wanted += [caveat.sentence for caveat in one.verdict.caveats]
    wanted += vote_notes(one.comparison) if one.judged is None else []
    assert [text for text in wanted if " ".join(text.split()) not in said] == []
    assert page.count("<table>") >= 2
    assert "| ---" not in said
    assert JOINER not in page


@pytest.mark.parametrize("form", ["html", "markdown", "junit"])
def test_every_form_says_that_lists_were_edited(form: str) -> None:
    """A verdict on edited lists says so in every text that leaves."""
    assert "1 edit was made on top" in exported(EVERY["everything"], form).decode()


def test_hostile_text_stays_literal_in_markdown() -> None:
    """Rendered, no text of a file is a link, a picture, an element or emphasis, and it stands there letter for letter;
    a host that looks for people, issues and addresses in it finds none, for it leaves code alone.
    """
    page = rendered(exported(EVERY["hostile"], "markdown"))
    assert "evil.example" in page
    said, page = text_of(page), re.sub(r"<code>[^<]*</code>", "", page)
    assert not re.search(r"<(a|img|script|i|b|code|del|math-renderer)\b", page)
    assert "<img src=x onerror=alert(1)> @team #1 {{ 7*7 }} </td></table> [l](javascript:alert(1))" in said
    assert "<script>alert(1)</script> ]]> &amp; {% if %} GH-2 org/repo#3 deadbeefcafe1234" in said
    loose = unescape(re.sub(r"<[^>]+>", " ", page))
    recognised = r"@[a-z]|#\d|GH-\d|https?://|www\.\w|:material_home:|\u202e|\x1b"
    assert re.findall(recognised, loose) == []


def test_data_from_python_has_no_file() -> None:
    """A report has the rows and the digest of lists that no file holds, and says nothing of a file."""
    said = text_of(rendered(exported(reported(rd.compare({"q": ["a"]}, {"q": ["b"]}, {"q": {"a": 1}})), "markdown")))
    assert "A, the baseline: A: rows 1, ordered by" in said
    assert "Judgments: rows 1, sha-256" in said


@pytest.mark.parametrize(
    "id", ["1048585", "deadbeefcafe1234", "#1", "@a", "a@b", "a@b.example", "www.shop.example", "`x``@y|z", r"a\|b"]
)
def test_an_id_in_markdown_is_copied_as_it_is(id: str) -> None:
    """In the tables of queries, and in the comment of a gate, an id has no character that one does not see. In a report
    a bare number, which would read as a value, is called a query.
    """
    lists = {one: ["d1", "d2"] for one in (id, "q2")}
    comparison = rd.compare(lists, {id: ["d2", "d1"], "q2": ["d1", "d2"]}, {one: {"d1": 1} for one in lists})
    for content in (exported(reported(comparison), "markdown"), to_comment(reported(comparison)).encode()):
        cells = [unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"<td.*?</td>", rendered(content))]
        assert id in cells
    assert (f"Query\N{NO-BREAK SPACE}{id}</h3>" in exported(reported(comparison), "html").decode()) == id.isdecimal()
