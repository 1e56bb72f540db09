import streamlit as st

from rankdash.style import editing as words
from rankdash.views import editor, edits_log, in_query, labels, state

inputs, base = state.current(), state.uploaded()
if inputs is not None and base is not None:
    before, after = state.opened(base), state.opened(inputs)
    way = st.segmented_control(
        words.EDIT, list(words.WAYS), format_func=words.WAYS.__getitem__, default="lists", key="edit_way",
        required=True, label_visibility="collapsed", persist_state="session",
    )  # fmt: skip
    if way == "labels":
        labels.work(before, after)
    elif after.comparison.query_ids:
        query_id = in_query.choose(after)
        in_query.numbers(before, after, query_id)
        editor.both_lists(after.comparison, query_id)
    else:
        st.markdown(words.NO_QUERIES)
    edits_log.show(after.comparison)
