"""Normal forms are those of Unicode, in time that grows with the length of a text."""

import random
import unicodedata
from typing import Literal

import pytest

from rankdash.reading.headings import key, means
from rankdash.reading.values import read_vote_words
from rankdash.strings import normalized
from tests.long import every

FORMS: tuple[Literal["NFC", "NFKC"], ...] = ("NFC", "NFKC")
#: Marks of several classes, some of them known only by what they are made of, letters that hold marks, and wide signs.
SIGNS = "aé가한글①ﷺＡ\u0300\u0316\u031b\u0327\u0345\u0f73\u0344\u3099\uff9e\u1ea5"
JOINER = "\u034f"


@pytest.fixture
def longest(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The longest row of marks in each text that Python is asked to put into a normal form."""
    form_of, found = unicodedata.normalize, list[int]()

    def normalize(form: Literal["NFC", "NFKC", "NFD", "NFKD"], text: str) -> str:
        marks = "".join("m" if any(map(unicodedata.combining, form_of("NFKD", sign))) else " " for sign in text)
        found.append(max(map(len, marks.split()), default=0))
        return form_of(form, text)

    monkeypatch.setattr(unicodedata, "normalize", normalize)
    return found


@pytest.mark.parametrize("form", FORMS)
def test_the_forms_are_those_of_unicode(form: Literal["NFC", "NFKC"]) -> None:
    """Of a text without long rows of marks the form is that of the standard, whatever the text."""
    chance = random.Random(3)
    for _ in range(3_000):
        text = "".join(chance.choices(SIGNS, k=chance.choice((3, 20, 200))))
        found = normalized(form, text)
        assert found.replace(JOINER, "") == found
        assert found == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
def test_a_long_row_of_marks_is_cut_and_keeps_every_mark(form: Literal["NFC", "NFKC"]) -> None:
    """Beyond thirty marks in a row a joiner stands among them; no mark is lost, and a form of a form is itself."""
    text = "a" + "\u0316\u0300" * 500
    found = normalized(form, text)
    assert sorted(unicodedata.normalize("NFD", found).replace(JOINER, "")) == sorted(text)
    assert normalized(form, found) == found


@pytest.mark.parametrize(
    "row", every(5, ["\u0300\u0316", "\u031b\u0316\u0300\u0315", "\u0f73", "\u0344\u0316", "\uff9e\u0316"])
)
def test_no_long_row_of_marks_is_sorted(row: str, longest: list[int]) -> None:
    """Python sorts at most thirty marks at once, whatever is given: for more it takes the square of their number."""
    for form in FORMS:
        normalized(form, "a" + row * (40_000 // len(row)))
    assert 0 < max(longest) <= 60  # a sign may be two marks


def test_what_is_typed_or_stands_in_an_address_is_no_exception(longest: list[int]) -> None:
    """Headings and words of votes reach Python's sorting of marks in the same short rows."""
    text = "a" + "\u0300\u0316" * 20_000
    key(text)
    means([text], "run", "doc_id")
    assert read_vote_words([text, "good"]).unknown == (text,)
    assert 0 < max(longest) <= 30
