"""What the pages are made of: buttons of dialogs, rows with a title, files and charts.

A dialog in which more than a name is typed is not ``dismissible``: only its own buttons close it, ``cancel`` is one. A
slip, such as Escape in a field or a click beside the dialog, would take what was typed with it. It can go when a dialog
that is closed by a key keeps what was typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from rankdash import charts, style

#: The bytes or the text of a file, made on the click.
Content = Callable[[], bytes | str]


def cancel(name: str, forget: Callable[[], None] | None = None) -> None:
    """Draw the button that closes the dialog called ``name``, at the end of its row; ``forget`` drops what it holds."""
    st.space("stretch")
    if st.button(style.CANCEL, icon=":material/close:", key=f"{name}_cancel", type="tertiary", on_click=forget):
        st.rerun()


@contextmanager
def headed(title: str) -> Iterator[None]:
    """Draw a title, and at the other end of its row what is drawn inside."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(title, anchor=False, width="content")
        st.space("stretch")
        yield


# --- files and charts ---


def download(label: str, content: Content, name: str, media: str = "text/csv", **how: Any) -> None:
    """Draw the button that saves what ``content`` makes, outside of a run of the page.

    A CSV begins with the mark of UTF-8, without which Excel shows other letters.
    """

    def made() -> bytes | str:
        file = content()
        return b"\xef\xbb\xbf" + file if media == "text/csv" and isinstance(file, bytes) else file

    st.download_button(label, made, name, media, icon=":material/download:", on_click="ignore", **how)


def chart(figure: go.Figure, key: str, alt: str, **how: Any) -> None:
    """Draw a chart; ``alt`` says what it shows."""
    st.plotly_chart(figure, key=key, config=charts.CONFIG, alt=alt, **how)


#: Scrolls the panel around it to the top of a narrow screen when it shows something else than before, or is asked for.
_SCROLL = """export default ({ data: [shown, asked], parentElement }) => {
  const panel = parentElement.closest("[class*=_panel]")
  if ((asked || panel.shows !== undefined && panel.shows !== shown) && innerWidth <= 640) panel.scrollIntoView()
  panel.shows = shown
}"""


def scrolled_to(shown: str, *, asked: bool) -> None:
    """On a narrow screen scroll to the panel around this, whose key ends in ``_panel``, when ``shown`` changes, or at
    once with ``asked``.

    Why: what a click on a list opens stands below it there, and Streamlit scrolls to nothing. The script is a constant,
    and ``shown`` is only compared. It can go when a container can be scrolled to.
    """
    st.components.v2.component("rankdash_scroll", js=_SCROLL, isolate_styles=False)(
        data=[shown, asked], key="scrolled_to"
    )


#: Closes the fold around it by Escape, unless a list of choices is open, or by a click on the page beside it.
_CLOSES = """export default ({ parentElement: here }) => {
  const fold = here.closest("details")
  const close = ({ key, target }) => {
    const away = key ? key === "Escape" && !document.querySelector("[role=listbox]") : !fold.contains(target)
    const isOpen = fold.open && !fold.lastElementChild.inert // which is folded before its animation ends
    if (isOpen && away && !target.closest("body > :not(#root)")) fold.firstElementChild.click()
  }
  here.closes?.abort()
  here.closes = new AbortController()
  for (const kind of ["click", "keydown"]) addEventListener(kind, close, { capture: true, signal: here.closes.signal })
  return () => here.closes.abort()
}"""


def close_like_popover() -> None:
    """Let Escape, or a click beside it, close the fold around this. It can go when a popover keeps its fields."""
    st.components.v2.component("rankdash_closes", js=_CLOSES, isolate_styles=False)(key="closes")


#: The icon of the browser's tab. It is embedded in the page; a Material icon would be fetched from another server.
ICON = style.SHEET.with_name("icon.svg")
