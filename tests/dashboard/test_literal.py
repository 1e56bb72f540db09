"""Text from files, letter for letter."""

import pandas as pd
import pytest

from rankdash.dashboard.kit.literal import literal_cells, plain, plain_label


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


@pytest.mark.parametrize("text", ["nDCG@10", "q001", "B07CHYCKQM", "泡奶粉恒温水壶", "2024-01-02", "a:b"])
def test_ordinary_ids_stay_as_they_are(text: str) -> None:
    """What needs no protection can be copied off the page unchanged."""
    assert plain(text).replace("\\", "") == text


def test_a_label_that_holds_no_markup_is_not_escaped() -> None:
    """Names of measures are read out as they are; what means something in Markdown is as safe as elsewhere."""
    for text in ("nDCG@10 · decides", "AP (MAP) may lose", "ERR(max_grade=4)@20", "AP(rel=0.5)"):
        assert plain_label(text) == text
    marked = (
        "*b*",
        "_b_",
        "a _b_",
        "`b`",
        "[a](b)",
        ":red[x]",
        "1) b",
        "- b",
        "www.b.c",
        "b@c.de",
        "<b>",
        "a\u202eb",
        "$b$",
    )
    for text in marked:
        assert plain_label(text) == plain(text) != text


def test_lines_and_control_characters_do_not_break_the_page() -> None:
    """A text of several lines becomes one, and what cannot be printed is spelled out."""
    assert plain("a\nb\tc\x00d") == r"a b c\\x00d"


def test_marks_that_turn_the_writing_are_spelled_out() -> None:
    """No mark of direction reaches a page, by Markdown or by a table; joined letters and wide blanks stay."""
    turning = [chr(mark) for mark in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))]
    for mark in turning:
        shown = literal_cells(pd.DataFrame({f"head{mark}": [f"a{mark}b"], "n": [1.5]}))
        assert mark not in plain(f"a{mark}b")
        assert shown.iloc[0, 0] == f"a\\u{ord(mark):04x}b"
        assert mark not in shown.columns[0]
        assert shown.iloc[0, 1] == 1.5
    for kept in ("می\u200cخواهم", "👩\u200d💻", "全角\u3000空白"):
        assert literal_cells(pd.DataFrame({"text": [kept]})).iloc[0, 0] == kept


def test_a_column_without_rows_stays_text() -> None:
    """An editor refuses a column of text that has become one of numbers."""
    frame = pd.DataFrame({"id": []}).astype({"id": "str"})
    assert literal_cells(frame).dtypes["id"] == frame.dtypes["id"]
