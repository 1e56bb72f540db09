"""The site of the documents: it builds, its examples run, its sentences are short, and what it names is there."""

import re
from pathlib import Path

import griffe  # noqa: F401  # marks these tests: the reference is made by it
import pytest

from scripts import docs

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *docs.pages()]
LONGEST_SENTENCE, LONGEST_PARAGRAPH = 30, 80


def paragraphs(page: Path) -> list[str]:
    """The paragraphs, items and cells of a page, without code and figures; a name in backticks is one word."""
    text = re.sub(r"(?ms)^ *```.*?^ *```|^<figure>.*?</figure>", "", page.read_text("utf-8"))
    text = re.sub(r"`[^`]+`", "code", re.sub(r"(?m)^(#|«|!).*$", "", text))
    text = re.sub(r"(?m)^\|.*$", lambda row: row[0].replace("|", "\n\n"), re.sub(r"\]\([^)]*\)", "]", text))
    parts = re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) ", text)
    return [" ".join(part.split()) for part in parts if part.strip()]


def too_long(page: Path) -> list[str]:
    """The sentences of a page with more than 30 words, and its paragraphs with more than 80; a sign is no word."""
    found = paragraphs(page)
    sentences = [one for part in found for one in re.split(r"(?<=[.!?:])\**\s+", part)]
    limits = (found, LONGEST_PARAGRAPH), (sentences, LONGEST_SENTENCE)
    return [text for texts, most in limits for text in texts if len(re.findall(r"\S*\w\S*", text)) > most]


@pytest.mark.parametrize("page", [*PAGES, ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.stem)
def test_sentences_and_paragraphs_are_short(page: Path) -> None:
    """No sentence has more than 30 words, no paragraph and no cell more than 80."""
    assert too_long(page) == []


def test_every_setting_is_in_the_table() -> None:
    """The page of settings has each variable that the package reads, and no other of ours."""
    code = "".join(path.read_text("utf-8") for path in (ROOT / "rankdash").rglob("*.py"))
    table = (docs.DOCS / "run" / "settings.md").read_text("utf-8")
    read, told = (set(re.findall(r"\bRANKDASH_[A-Z_]+[A-Z]\b", text)) for text in (code, table))
    assert read == told


def test_every_page_is_in_the_navigation() -> None:
    """Each page of the site can be reached, and each picture that a page shows is there."""
    named = re.findall(r'"([\w/-]+\.md)"', (ROOT / "zensical.toml").read_text("utf-8"))
    assert sorted(named) == sorted(str(page.relative_to(docs.DOCS)) for page in docs.pages())
    shown = [page.parent / name for page in PAGES for name in re.findall(r"!\[.*?\]\((.*?)\)", page.read_text("utf-8"))]
    assert shown
    assert [path for path in shown if not path.exists()] == []


def test_every_rule_and_caveat_has_an_example() -> None:
    """The page on the verdict shows a sentence of each rule where it stops a launch, and of each caveat."""
    said = docs.names()["said"]
    stops = {row.id: said(f"{row.id} failed") or said(f"{row.id} not_proven") for row in docs.rules.RULES}
    warns = {name: said(f"caveat {name}") for name in docs.caveats.ROWS}
    assert [name for name, sentence in (stops | warns).items() if not sentence] == []


def test_a_block_that_fails_stops_the_build(tmp_path: Path) -> None:
    """What prints stands below its block, an exit status that is named is expected, any other is an error."""
    text = "```sh\necho one; exit 3  # exit status 3\n```\n"
    assert docs.with_outputs(text, tmp_path) == f"{text}\n```text\none\n```\n"
    for wrong in ("```sh\nfalse\n```\n", "```sh\ntrue  # exit status 3\n```\n", "```python\n1 / 0\n```\n"):
        with pytest.raises((ValueError, ZeroDivisionError)):
            docs.with_outputs(wrong, tmp_path)


def test_the_readme_shows_what_its_examples_print(tmp_path: Path) -> None:
    """What stands below each example of the README is what it prints; it and the sources of pages install alike."""
    (tmp_path / "data").symlink_to(ROOT / "data")
    text = PAGES[0].read_text("utf-8")
    assert docs.with_outputs(text, tmp_path) == text
    said = [one for page in PAGES for one in re.findall(r"pip install (?:\.(?=`)|'[^']+\])", page.read_text("utf-8"))]
    assert {re.sub(r"\[.+", "[x]'", one) for one in said} == {docs.install(), docs.install("x")}
    assert len(text.splitlines()) <= 100


@pytest.mark.long
def test_the_site_builds_and_asks_nothing_of_others() -> None:
    """Every example runs, every link leads somewhere, what is filled in is short, and no page loads from elsewhere."""
    assert docs.main() == 0
    assert [text for page in docs.pages() for text in too_long(docs.BUILT / page.relative_to(docs.DOCS))] == []
    built = list((ROOT / "build" / "site").rglob("*.html"))
    assert len(built) > len(docs.pages())
    loads = re.compile(r"""(?:src=|<link[^>]*href=)["']?(?:https?:)?//[^"'> ]+""")
    assert {found for page in built for found in loads.findall(page.read_text("utf-8"))} == set()
