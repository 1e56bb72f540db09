"""What the list of saved comparisons is narrowed and sorted by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from rankdash.dashboard.kit import folded
from rankdash.dashboard.session.saved import shelf
from rankdash.store import UNDECIDED, Search
from rankdash.style import LONGEST_LINE
from rankdash.style import history as words

#: Rows of a page.
MOST = 50
_CHOICES: Mapping[str, str] = {**words.CHOICES, UNDECIDED: words.UNDECIDED}
#: Sorted by these, the smallest row comes first, and not the largest.
_ASCENDING = ("name", "outcome", "choice")


def is_narrowed(search: Search) -> bool:
    """Return whether a search leaves anything out on purpose."""
    return replace(Search(), browser=search.browser) != replace(
        search, sort=Search.sort, descending=Search.descending, offset=0, most=Search.most
    )


def controls() -> Search:
    """Draw the search, the order and the filters; return what they ask for."""
    folded.button("history")
    place = folded.container("history")
    with place.container(horizontal=True, vertical_alignment="bottom", gap="small", key="history_controls"):
        text = st.text_input(
            words.SEARCH, max_chars=LONGEST_LINE, placeholder=words.SEARCH_HINT, key="history_words", width=210
        )
        sort = st.selectbox(
            words.SORT, list(words.SORTS), format_func=words.SORTS.__getitem__, key="history_sort", width=145
        )
        outcome = _filter(words.VERDICT, words.OUTCOMES, "history_outcome")
        choice = _filter(words.DECISION, _CHOICES, "history_choice")
        tags = {tag: tag for tag in shelf.store().all_tags()} if not shelf.is_shared() else {}
        tag = _filter(words.TAG, tags, "history_tag") if tags else None
        turned = st.checkbox(words.REVERSED, key="history_reversed")
        archived = st.checkbox(words.ARCHIVED, key="history_archived")
    return Search(
        words=text,
        sort=sort,
        descending=(sort not in _ASCENDING) != turned,
        archived=archived,
        outcome=outcome,
        choice=choice,
        tag=tag,
        browser=shelf.listed(),
        most=MOST,
    )


def _filter(label: str, options: Mapping[str, str], key: str) -> str | None:
    """Return a list of values, of which none need be chosen."""
    chosen: str | None = st.selectbox(
        label,
        list(options),
        index=None,
        placeholder=words.ANY,
        format_func=lambda value: options.get(value, value),
        key=key,
        width=150,
    )
    return chosen
