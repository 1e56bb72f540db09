"""Columns with a meaning: headings matched to it, wide tables made long, ids and ranks checked. The result is a
``Grid``.
"""
