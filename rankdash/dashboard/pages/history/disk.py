"""What the saved comparisons take on the disk, and how to free it."""

from __future__ import annotations

from datetime import timedelta

import streamlit as st

from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.session.saved import shelf
from rankdash.store import StoreError
from rankdash.style import history as words
from rankdash.wording import count

_MEGABYTE = 1_000_000


@st.fragment
def panel() -> None:
    """Draw a switch, and behind it the bytes: they are counted only when somebody asks."""
    if not st.toggle(words.DISK, key="history_disk"):
        return
    try:
        used = shelf.store().disk()
    except StoreError as error:
        st.warning(plain(str(error)), icon=":material/warning:")
        return
    files, database = (f"{size / _MEGABYTE:,.1f} MB" for size in (used.file_bytes, used.database_bytes))
    comparisons = count(used.comparisons, "comparison", "comparisons")
    said = [words.DISK_USED.format(comparisons=comparisons, files=files, database=database)]
    if used.deleted:
        said.append(words.DISK_DELETED.format(n=count(used.deleted)))
    st.markdown(" ".join((*said, words.DISK_FREE)))
    if used.deleted and not shelf.is_shared():
        st.button(words.ERASE, key="history_erase", help=words.ERASE_HELP, on_click=_erase)


def _erase() -> None:
    try:
        shelf.store().sweep(timedelta(0))
    except StoreError as error:
        st.toast(plain(str(error)), icon=":material/warning:")
