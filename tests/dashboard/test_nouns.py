"""Pages about users and items, where the files say so."""

from __future__ import annotations

import re

import pandas as pd
import pytest

import rankdash as rd
from rankdash.case import Case
from rankdash.dashboard.navigation import SCRIPTS
from tests.dashboard.test_pages import opened_at
from tests.report.test_nouns import _READ, SEARCH, frames

#: What a widget or a table says of itself; the key is no word.
_SAID = ("value", "label", "help", "placeholder", "alt", "body")


@pytest.mark.parametrize("page", ["verdict", "queries", "label", "edit", "data", "method"])
@pytest.mark.parametrize("judged", [["user_id", "item_id", "rating"], ["user_id", "item_id"], []], ids=len)
def test_a_page_never_mixes_both_pairs_of_words(page: str, judged: list[str]) -> None:
    """Texts, labels, helps and headings of a page speak of users and items alone; names stay as they are. Where the
    judgments are clicks, no label is offered that the page Label refuses.
    """
    a, b, clicks = frames("user_id", "item_id")
    runs = rd.read_run(a, name="document query"), rd.read_run(b, name="new")
    at = opened_at(SCRIPTS[page], Case(runs, rd.read_judgments(clicks.head(40)[judged]) if judged else None))
    assert len(judged) != 2 or "query_label" not in [button.key for button in at.button]
    said = []
    for element in at:
        table = getattr(element, "value", None)
        said += map(str, table.columns if isinstance(table, pd.DataFrame) else ())
        proto = getattr(element, "proto", None)
        said += [str(getattr(proto, name, "")) for name in _SAID if isinstance(getattr(proto, name, ""), str)]
    own = re.compile(rf"document query|{_READ}")
    found = [text for text in said if re.search(SEARCH, own.sub("", text.replace("\\", "")), re.IGNORECASE)]
    assert found == []
