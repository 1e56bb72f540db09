"""Unicode normal forms in time that grows linearly with the length of a text.

Sorting combining marks takes quadratic time: a letter with 50,000 marks would block the interpreter, and with it a
server, for 20 seconds. So a text is first converted to "Stream-Safe Text Format" (Unicode Standard Annex #15, section
13): an invisible joiner after every 30 marks in a row.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby
from typing import Literal

_MOST = 30
_JOINER = "\u034f"  # COMBINING GRAPHEME JOINER


def normalized(form: Literal["NFC", "NFKC"], text: str) -> str:
    """Return the text in a normal form; in rows of more than 30 marks, joiners are inserted.

    >>> normalized("NFKC", "ｎＤＣＧ＠１０")
    'nDCG@10'
    """
    if len(text) > _MOST and not text.isascii():
        text = _safe(text)
    return unicodedata.normalize(form, text)


def _safe(text: str) -> str:
    """Return the text with joiners in long rows of marks. Some marks are marks only when decomposed (U+0F73)."""
    marks = {sign for sign in set(text) if unicodedata.combining(unicodedata.normalize("NFKD", sign)[0])}
    if len(marks) == 0:
        return text
    parts = []
    for are_marks, signs in groupby(text, marks.__contains__):
        row = "".join(signs)
        parts.append(_JOINER.join(row[i : i + _MOST] for i in range(0, len(row), _MOST)) if are_marks else row)
    return "".join(parts)
