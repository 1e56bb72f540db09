"""What can be done with the saved comparisons that are selected."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from rankdash.dashboard.kit import dialogs
from rankdash.dashboard.kit.literal import plain, short
from rankdash.dashboard.pages.history import listing, side_by_side
from rankdash.dashboard.pages.history.opening import open_saved
from rankdash.dashboard.session import actions, open_comparison, session, views
from rankdash.dashboard.session.saved import shelf
from rankdash.store import Listed, ListedRow, StoreError
from rankdash.style import LONGEST_LINE
from rankdash.style import history as words
from rankdash.wording import count

_HISTORY = "history"
_NAME = 40


def said() -> None:
    """Say what could not be done, and what was deleted, with the way back."""
    for why in views.notices_for(_HISTORY):
        st.warning(plain(why), icon=":material/warning:")
    gone = session.now().deleted
    if gone:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="history_gone"):
            names = ", ".join(plain(short(row.name, _NAME)) for row in gone)
            st.markdown(words.DELETED.format(names=names), width="stretch")
            st.button(words.UNDO, key="history_undo", icon=":material/undo:", on_click=_undelete, args=(gone,))


def count_of(listed: Listed) -> None:
    """Say how many comparisons there are, and how they are opened."""
    st.caption(
        f"{words.SHOWN.format(shown=count(len(listed.rows)), n=count(listed.total))} · {words.SELECT}", help=words.KEYS
    )


def actions_on(chosen: tuple[ListedRow, ...], *, archived: bool) -> None:
    """Draw the buttons; those for a single comparison wait until only one is selected."""
    row = chosen[0] if len(chosen) == 1 else None
    archive = words.UNARCHIVE if archived else words.ARCHIVE
    with st.container(horizontal=True, gap="small", key="history_actions"):
        if st.button(words.OPEN, key="history_open", type="primary", disabled=row is None) and row is not None:
            open_saved(row.id)
        if st.button(words.RENAME, key="history_rename", disabled=row is None) and row is not None:
            _rename(row)
        if st.button(words.TAGS, key="history_tags", disabled=row is None) and row is not None:
            _tags(row)
        if st.button(words.SIDE_BY_SIDE, key="history_side", disabled=len(chosen) < 2) and len(chosen) > 1:
            side_by_side.dialog(chosen)
        many = (
            (words.DUPLICATE, "duplicate", row is None, _duplicate),
            (archive, "archive", not chosen, partial(_archive, archived=not archived)),
            (words.DELETE, "delete", not chosen, _delete),
        )
        for label, key, disabled, act in many:
            st.button(label, key=f"history_{key}", disabled=disabled, on_click=_try, args=(act, chosen))


def _try(act: Callable[[tuple[ListedRow, ...]], None], rows: tuple[ListedRow, ...]) -> None:
    """Do something with rows; where it cannot be done, say why when the page is drawn."""
    try:
        act(rows)
    except StoreError as error:
        views.say(_HISTORY, str(error))
    listing.renew()


def _duplicate(rows: tuple[ListedRow, ...]) -> None:
    for row in rows:
        copied = words.COPY_OF.format(name=row.name)
        shelf.store().duplicate(row.id, name=copied, browser=shelf.listed() or "")


def _archive(rows: tuple[ListedRow, ...], archived: bool) -> None:
    for row in rows:
        shelf.store().archive(row.id, archived)


def _delete(rows: tuple[ListedRow, ...]) -> None:
    done: list[ListedRow] = []
    try:
        for row in rows:
            shelf.store().delete(row.id)
            done.append(row)
    finally:
        views.offer_back(*done)


def _undelete(rows: tuple[ListedRow, ...]) -> None:
    views.offer_back()
    _try(_bring_back, rows)


def _bring_back(rows: tuple[ListedRow, ...]) -> None:
    for row in rows:
        shelf.store().undelete(row.id)


@dialogs.form(words.RENAME, icon=":material/edit:")
def _rename(row: ListedRow) -> None:
    name = str(st.text_input(words.NAME, row.name, max(LONGEST_LINE, len(row.name)), key="history_name")).strip()
    with st.container(horizontal=True, vertical_alignment="center"):
        is_saved = st.button(words.SAVE, type="primary", key="history_name_save")
        dialogs.cancel("history_name")
    if not is_saved:
        return
    if not name:
        st.markdown(f":red[:material/error:] {words.NAME_MISSING}")
        return
    try:
        _use_name(row.id, name)
    except StoreError as error:
        st.markdown(f":red[:material/error:] {plain(str(error))}")
        return
    listing.renew()
    st.rerun()


def _use_name(comparison: str, name: str) -> None:
    """Rename the open comparison as its own row does; any other in the store alone."""
    now, opened = session.now().saved, open_comparison.uploaded()
    if now is not None and now.id == comparison and opened is not None:
        actions.rename(**opened.names | {"name": name})
    else:
        shelf.store().rename(comparison, name)


@dialogs.form(words.TAGS, icon=":material/label:")
def _tags(row: ListedRow) -> None:
    store = shelf.store()
    offered = list(dict.fromkeys((*row.tags, *(() if shelf.is_shared() else store.all_tags()))))
    # The list of tags covers what is below it, not what is beside it.
    with st.container(horizontal=True, vertical_alignment="bottom", wrap=False):
        chosen = st.multiselect(
            words.TAGS_LABEL,
            offered,
            default=list(row.tags),
            accept_new_options=True,
            help=words.TAGS_HELP,
            key="history_tag_box",
        )
        is_saved = st.button(words.SAVE, type="primary", key="history_tags_save")
    with st.container(horizontal=True):
        dialogs.cancel("history_tags")
    if not is_saved:
        return
    try:
        for tag in chosen:
            store.tag(row.id, tag)
        for tag in row.tags:
            if tag not in chosen:
                store.untag(row.id, tag)
    except StoreError as error:
        st.markdown(f":red[:material/error:] {plain(str(error))}")
        return
    listing.renew()
    st.rerun()
