"""The report as one HTML page: what stands in it, and that it needs nothing and nobody."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise

import pytest

import rankdash as rd
from rankdash.conventions import preset
from rankdash.inspect.lists import query_lists
from rankdash.inspect.query_order import changes
from rankdash.report import exported
from rankdash.report.html import axis_rows, policy_rows, to_html
from rankdash.report.notes import query_notes
from rankdash.report.sections import cards, explained
from rankdash.style import verdict as words
from rankdash.wording import number, signed
from tests.report import reported as given

VOID = {"meta", "br", "col"}
#: What stands around the words of a link.
LINKED = {"html": "><", "markdown": "[]"}


@dataclass
class Read(HTMLParser):
    """A page as a browser reads it: its elements with their attributes, and its text, blanks made one."""

    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    unclosed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember an element."""
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.unclosed.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the element that was opened last."""
        assert self.unclosed.pop() == tag

    def handle_data(self, data: str) -> None:
        """Remember text, the style sheet's aside."""
        if not self.unclosed or self.unclosed[-1] not in ("style", "script"):
            self.pieces.append(data)

    @property
    def text(self) -> str:
        """What one reads."""
        return " ".join("".join(self.pieces).split())


def read(page: str) -> Read:
    """A page that is well formed."""
    found = Read()
    found.feed(page)
    assert not found.unclosed
    return found


PAGES = given.Made({name: lambda name=name: to_html(given.EVERY[name]) for name in given.EVERY})


@pytest.mark.parametrize("which", PAGES)
def test_a_report_asks_nothing_of_anybody(which: str) -> None:
    """No script, no form, no frame, and no address but the one link; the policy of its content forbids them too."""
    found = read(PAGES[which])
    names = {name for name, _ in found.elements}
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "form", "input", "base", "image", "use"}
    attributes = [(key, value) for _, given in found.elements for key, value in given.items()]
    assert not [key for key, _ in attributes if re.fullmatch("on.*|src|srcset|action|xlink:href", key)]
    hrefs = [value for key, value in attributes if key == "href"]
    assert hrefs == (["https://rank.example/?comparison=a1"] if which == "everything" else [])
    policy = next(given["content"] for name, given in found.elements if given.get("http-equiv"))
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert not re.search(r"@import|url\(", PAGES[which].partition("</style>")[0])


@pytest.mark.parametrize("which", PAGES)
def test_headings_are_in_order_and_charts_have_words(which: str) -> None:
    """One first heading, none that skips a level, a language, a title; each chart says in a sentence what it shows."""
    found = read(PAGES[which])
    levels = [int(name[1]) for name, _ in found.elements if re.fullmatch(r"h\d", name)]
    assert [place for place, level in enumerate(levels) if level == 1] == [0]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert ("html", {"lang": "en"}) in found.elements
    drawn = [given for name, given in found.elements if name == "svg" and given.get("role") == "img"]
    assert bool(drawn) == (which != "votes")
    assert all(len(given["aria-label"] or "") > 10 for given in drawn)


@pytest.mark.parametrize("which", [name for name in PAGES if name != "hostile"])
def test_everything_that_the_page_says_stands_in_the_report(which: str) -> None:
    """The verdict, the cards, every rule, every caveat, every note on the queries, convention, policy and digests."""
    one = given.EVERY[which]
    said = read(PAGES[which]).text
    verdict = one.verdict
    wanted = [verdict.screen, verdict.tag, verdict.sentence, verdict.next_step]
    wanted += [text for card in cards(one.comparison) for text in (card.label, card.value, card.chip, *card.lines)]
    wanted += [text for check in verdict.checks for text in (check.rule, check.sentence)]
    wanted += [caveat.sentence for caveat in verdict.caveats]
    wanted += [str(note) for note in query_notes(one.comparison)]
    wanted += [cell for row in policy_rows(one.comparison.policy) for cell in row]
    if isinstance(one.comparison, rd.Comparison):
        wanted += [cell for row in axis_rows(one.comparison) for cell in row]
        wanted += [one.comparison.inputs.a.source.sha256, one.comparison.inputs.judgments.sha256]
    assert [text for text in wanted if " ".join(text.split()) not in said] == []


def test_the_losses_and_gains_have_both_lists() -> None:
    """Of the largest losses and gains, up to twenty each: the numbers, both lists with rank, grade and move."""
    one = given.EVERY["bare"]
    said = read(PAGES["bare"]).text
    found = changes(one.comparison)
    for place in (place for places in found.largest(20) for place in places.tolist()):
        both = query_lists(one.comparison, found.query_ids[place])
        assert f"{signed(float(found.delta[place]))} {found.texts[place]} {found.query_ids[place]}" in said
        assert f"A {number(both.a.value)}B {number(both.b.value)}" in said.replace(" B ", "B ")
        assert all(row.document.doc_id in said and row.document.title in said for row in both.a.placed)


def test_the_lists_name_the_subtopics_of_each_document() -> None:
    """Of judgments that have some, beside each document that is relevant to one."""
    lists = {"q": ["d1", "d2"]}, {"q": ["d2", "d1"]}
    rows = [("planet", "d1"), ("metal & <ore>", "d1"), ("metal & <ore>", "d2")]
    judged = [{"query_id": "q", "subtopic": name, "doc_id": doc, "relevance": 1} for name, doc in rows]
    found = rd.compare(*lists, judged, policy=rd.Policy(primary="alpha_nDCG@2"))
    said = read(rd.report(found).decode()).text
    assert [said.count(f"1{names}") for names in ("planet, metal & <ore> d1", "metal & <ore> d2")] == [2, 2]


def test_an_empty_list_and_models_are_said_once() -> None:
    """In place of an empty list stands that nothing was returned; a name made of both models is not repeated."""
    found = rd.compare({"q": ["x", "y"], "r": ["x"]}, {"q": [], "r": ["x"]}, {"q": {"x": 1}, "r": {"x": 1}})
    said = read(to_html(given.reported(found, name="A → B"))).text
    assert [said.count(text) for text in ("nothing returned", "A → B")] == [1, 2]


def test_where_the_lists_are_elsewhere_that_is_said() -> None:
    """A report of scored queries has no lists, and says so."""
    comparison = given.compared()
    scored = rd.compare_scored(rd.score(comparison.a, comparison.b, comparison.joined.judgments))
    assert words.LISTS_ELSEWHERE in read(to_html(given.reported(scored))).text


@pytest.mark.parametrize("server", ["http://localhost:8501", "https://rank.example"])
def test_a_link_to_this_machine_says_so(server: str) -> None:
    """Whoever reads a report elsewhere knows that its link leads nowhere there, in every form that people read."""
    one = given.reported(given.compared(), link=f"{server}/?comparison=a1")
    said = words.LINK["localhost" in server]
    assert [f"{ends[0]}{said}{ends[1]}" in exported(one, form).decode() for form, ends in LINKED.items()] == [True] * 2


def test_a_policy_that_was_changed_is_stamped() -> None:
    """Whoever changed the policy after seeing results is told on, in every form that people read."""
    assert words.POLICY_STAMP in read(to_html(given.reported(given.compared(), policy_changed=True))).text


def test_every_measure_of_the_policy_is_explained() -> None:
    """On paper, with the grade from which a document is relevant where the measure asks for it, and on its card."""
    guarded = {"AP": 0.01, "P(rel=3)@5": 0.1, "Bpref": 0.1}
    found = given.compared(policy=rd.Policy(convention=preset("standard").with_axes({"rel": 2}), guardrails=guarded))
    said = {text.partition(" ")[0]: re.findall(r"grade (\d)", text) for text in explained(found)}
    assert said | {"nDCG": [], "AP": ["2"], "P@k": ["3"], "Bpref": ["2"], "RR": ["2"]} == said
    assert "AP" in "".join(cards(found)[1].explained)
