"""Text from files in a figure, letter for letter."""

from __future__ import annotations

from html import escape


def literal(text: str) -> str:
    """Return the text as plotly shows it literally. It knows the names of < and > and &, and not those of quotes.

    >>> literal('16" <b>')
    '16" &lt;b&gt;'
    """
    return escape(text, quote=False)
