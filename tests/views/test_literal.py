"""Text from files, letter for letter."""

from __future__ import annotations

import pytest

from rankdash.views.literal import plain, short


def test_every_mark_of_markdown_is_escaped() -> None:
    """Stars, brackets, dollars, backticks and angle brackets lose their meaning."""
    assert plain("**a** [b](c) $d$ `e` <f>") == r"\*\*a\*\* \[b\]\(c\) \$d\$ \`e\` \<f\>"


@pytest.mark.parametrize(
    "text", ["https://a.example", "www.a.example", "a@b.example", ":material_home:", ":rocket:", "a -> b", "a -- b"]
)
def test_what_escaping_does_not_stop_is_broken_apart_invisibly(text: str) -> None:
    """Addresses, icons, emoji and arrows are still there letter for letter, with an invisible joiner inside."""
    shown = plain(text).replace("\\", "")
    assert "\u2060" in shown
    assert shown.replace("\u2060", "") == text


@pytest.mark.parametrize("text", ["NDCG@10", "q001", "B07CHYCKQM", "泡奶粉恒温水壶", "2024-01-02", "a:b"])
def test_ordinary_ids_stay_as_they_are(text: str) -> None:
    """What needs no protection can be copied off the page unchanged."""
    assert plain(text).replace("\\", "") == text


def test_lines_and_control_characters_do_not_break_the_page() -> None:
    """A text of several lines becomes one, and what cannot be printed is marked."""
    assert plain("a\nb\tc\x00d") == "a b c\ufffdd"


def test_wide_letters_count_twice() -> None:
    """A title is cut by the room that it takes, not by the number of its letters."""
    assert short("abcdefgh", 8) == "abcdefgh"
    assert short("abcdefghi", 8) == "abcdefg…"
    assert short("日本語日本語", 8) == "日本語…"
