"""Columns with a meaning: headings matched to it, columns without one understood by
what they hold, wide tables made long, ids and ranks checked. The result is a
``Grid``.
"""
