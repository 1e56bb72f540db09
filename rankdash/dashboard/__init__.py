"""The pages and their state; the only rooms that import streamlit."""

import streamlit as st

from rankdash import installation

_MISSING = installation.missing()
if _MISSING:  # every page would fail over its imports, each with an error of its own
    st.error(installation.sentence(_MISSING, "app"), icon=":material/error:")
    st.stop()
