"""Workarounds for Streamlit: controlled widgets, stable editors, timers, the history of the browser, literal text.

Comes in: values and text of any kind. Goes out: widget keys, escaped text. The kit knows nothing of comparisons. Every
module says why it exists ("Why:") and when it can be removed ("It can go").
"""
