"""What a name that does not exist was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

#: Longer words are not misspelt names, and comparing them takes time.
_LONGEST = 60


def nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the name that is most similar to a word, ignoring case; None where none is similar.

    >>> nearest("stndard", ["standard", "textbook"]), nearest("MPE", ["mpe"]), nearest("zzz", ["mpe"])
    ('standard', 'mpe', None)
    """
    if not 0 < len(word) <= _LONGEST:
        return None
    lower: Mapping[str, str] = {name.lower(): name for name in reversed(list(names))}
    similar = get_close_matches(word.lower(), lower, n=1, cutoff=0.6)
    return lower[similar[0]] if similar else None


def did_you_mean(name: str | None) -> str:
    """Return the question about a name, with a blank in front; "" without a name.

    >>> did_you_mean("nDCG@10"), did_you_mean(None)
    (' Did you mean nDCG@10?', '')
    """
    return f" Did you mean {name}?" if name else ""
