"""Workarounds for Streamlit: controlled widgets, stable editors, results cached by content, literal text.

Comes in: values, functions and text of any kind. Goes out: widget keys, cached results, escaped text. The kit knows
nothing of comparisons. Every module says why it exists ("Why:") and when it can be removed ("It can go").
"""
