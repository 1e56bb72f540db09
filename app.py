"""The dashboard: what Streamlit serves, and the script that it runs for each session."""

from pathlib import Path
from typing import Any

import streamlit as st

if __name__ == "__main__":  # for a session
    from rankdash import style
    from rankdash.dashboard import shell
    from rankdash.dashboard.kit import browser_history, screen
    from rankdash.dashboard.navigation import CANDIDATES, PAGES
    from rankdash.dashboard.session import open_comparison, session

    st.set_page_config(page_title=style.APP, page_icon=screen.ICON, layout="wide")
    with browser_history.carried({"label": open_comparison.OF_LABEL}):
        several: Any = "visible" if session.now().group else "hidden"
        titles = {page: open_comparison.spoken(page.title) for page in (CANDIDATES, *PAGES)}
        pages = [st.Page(page.script, title=titles[page], default=page is PAGES[0]) for page in PAGES]
        first = st.Page(CANDIDATES.script, title=CANDIDATES.title, visibility=several)
        page = st.navigation([first, *pages], position="top")
    shell.frame(next(one for one, title in titles.items() if title == page.title))
    page.run()
else:  # for the server
    from rankdash.dashboard.host import MIDDLEWARE, lifespan

    app = st.App(Path(__file__).resolve(), lifespan=lifespan, middleware=MIDDLEWARE)
