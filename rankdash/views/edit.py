import streamlit as st

from rankdash.style import editing as words
from rankdash.views import editor, edits_log, in_query, state

inputs, base = state.current(), state.uploaded()
if inputs is not None and base is not None:
    before, after = state.opened(base), state.opened(inputs)
    if after.comparison.query_ids:
        query_id = in_query.choose(after)
        in_query.numbers(before, after, query_id)
        editor.both_lists(after.comparison, query_id)
        edits_log.show(after.comparison)
    else:
        st.markdown(words.NO_QUERIES)
