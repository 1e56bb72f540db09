"""The fields of lists that are typed or pasted, and the questions about them: lists in, as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from rankdash.dashboard.host.results import once
from rankdash.dashboard.kit import session_values
from rankdash.dashboard.kit.literal import problems
from rankdash.reading.typed import MOST_LETTERS, Typed, TypedError
from rankdash.sandbox import apart
from rankdash.style import editing as words
from rankdash.tables import Votes

#: How the keys of all fields begin.
KEYS = "typed_"


def fields() -> Typed | Votes | None:
    """Draw the fields, and return the lists in them as tables; None without any, and where they cannot be read or
    nobody has said how, which is shown.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shape = st.segmented_control(
            words.SHAPE,
            list(words.SHAPES),
            format_func=words.SHAPES.__getitem__,
            default="lists",
            key="typed_shape",
            required=True,
            label_visibility="collapsed",
        )
        st.space("stretch")
        st.button(words.FILL_IN, key="typed_example", type="tertiary", on_click=_example, args=(shape,))
    st.caption(words.HINTS[shape])
    texts = _FIELDS[shape]()
    if not any(text.strip() for text in texts):
        return None
    with st.spinner(words.TYPED_READING):
        typed = _read(shape, texts)
    if isinstance(typed, TypedError):
        _refused(shape, texts, typed)
        return None
    return typed


def _refused(shape: str, texts: Sequence[str], error: TypedError) -> None:
    """Say why lists cannot be read, and where votes belong that were taken for them."""
    with st.container(key="typed_said"):
        problems(str(error).splitlines())
        if shape != "votes" and any(isinstance(_read("votes", (text,)), Votes) for text in texts if text.strip()):
            st.caption(words.THESE_ARE_VOTES.format(shape=words.SHAPES["votes"]))


@once
def _read(shape: str, texts: tuple[str, ...]) -> Typed | Votes | TypedError:
    """Return what was typed as tables, or why it cannot be read."""
    try:
        return apart.typed(shape, texts)
    except TypedError as error:
        return error.with_traceback(None)


def _votes_field() -> tuple[str]:
    return (_field(st, words.VOTES_FIELD, "typed_votes_alone", 140, words.EXAMPLE_VOTES),)


def _two_fields() -> tuple[str, str, str, str]:
    left, right = st.columns(2, gap="small")
    example = words.EXAMPLE_LISTS
    a = _field(left, words.LIST_A, "typed_a", 120, example["a"])
    b = _field(right, words.LIST_B, "typed_b", 120, example["b"])
    missed = _field(left, words.MISSED, "typed_missed", 68, "3 2", help=words.MISSED_HELP)
    votes = _field(right, words.VOTES, "typed_votes", 68, "good", help=words.VOTES_HELP)
    return a, b, missed, votes


def _field(place: Any, label: str, key: str, height: int, example: str, **how: Any) -> str:
    """Draw a field; a text that is cut to what a browser may send is longer than what is read, and so refused."""
    how |= {"key": key, "height": height, "placeholder": example}
    text: str = place.text_area(label, max_chars=MOST_LETTERS + 1, **how)
    return text


#: The fields of each shape.
_FIELDS: Mapping[str, Callable[[], tuple[str, ...]]] = {
    "lists": _two_fields,
    "votes": _votes_field,
}


def _example(shape: str) -> None:
    if shape == "votes":
        session_values.set_value("typed_votes_alone", words.EXAMPLE_VOTES)
    else:
        for side, text in words.EXAMPLE_LISTS.items():
            session_values.set_value(f"typed_{side}", text)
