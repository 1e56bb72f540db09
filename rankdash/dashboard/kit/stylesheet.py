"""The style sheet of the pages: how wide they grow, and what is left of the verdict on one sheet of paper.

The only raw style in the package: a file without data, given to Streamlit by its path.

Why: Streamlit has settings for colours and fonts, none for the width of a page, the height of a row in a table of text,
what lies over a chart, or paper.

It can go, rule by rule, when ``.streamlit/config.toml`` can say the same; each rule in the sheet names its purpose.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

SHEET = Path(__file__).parents[2] / "style" / "page.css"
#: The picture on the browser's tab. It travels in the page; a Material icon there would be fetched from elsewhere.
ICON = Path(__file__).parents[2] / "style" / "icon.svg"


def style_sheet() -> None:
    """Puts the style sheet on the page."""
    st.html(SHEET)
