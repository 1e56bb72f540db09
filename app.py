"""The dashboard: page config and navigation."""

import streamlit as st

from rankdash import style
from rankdash.dashboard.frame import shell
from rankdash.dashboard.kit import stylesheet
from rankdash.dashboard.session import address, state
from rankdash.style import editing, method, queries

st.set_page_config(page_title=style.APP, page_icon=stylesheet.ICON, layout="wide")
with address.carried():
    page = st.navigation(
        [
            st.Page(state.VERDICT_PAGE, title=style.VERDICT, default=True),
            st.Page(state.QUERIES_PAGE, title=queries.QUERIES),
            st.Page(state.EDIT_PAGE, title=editing.EDIT),
            st.Page(state.DATA_PAGE, title=style.DATA),
            st.Page(state.METHOD_PAGE, title=method.METHOD),
        ],
        position="top",
    )
shell.frame()
page.run()
