"""Text from files in a figure, letter for letter."""

from __future__ import annotations

from html import escape


def literal(text: str) -> str:
    """Return the text so that plotly shows it literally. Plotly reads the entities of <, > and &, but not of quotes.

    >>> literal('16" <b>')
    '16" &lt;b&gt;'
    """
    return escape(text, quote=False)
