"""The style sheet of the pages, for screens and for printing the verdict on one sheet of paper.

It is the only raw CSS in the package: a file without data, given to Streamlit by its path.

Why: Streamlit has settings for colours and fonts, but none for the width of a page, the height of a row in a table of
text, layers over a chart, or print.

It can go, rule by rule, when ``.streamlit/config.toml`` has such settings; each rule in the sheet names its purpose.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

SHEET = Path(__file__).parents[2] / "style" / "page.css"
#: The icon of the browser's tab. It is embedded in the page; a Material icon would be fetched from another server.
ICON = Path(__file__).parents[2] / "style" / "icon.svg"


def style_sheet() -> None:
    """Add the style sheet to the page."""
    st.html(SHEET)
