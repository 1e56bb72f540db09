"""Strings from anywhere: addresses without secrets, names of measures, what a misspelled name was meant to be, and
Unicode normal forms.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Literal
from urllib.parse import quote

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,40})://")
_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[^\s:/,%\\\[\]]*)(?::\d{1,5})?"
#: Hosts and a path; a per cent sign may be an encoded at sign, with a password in front of it.
_PLACE = re.compile(rf"{_HOST}(?:,{_HOST})*(?:/[^%\\]*)?")
_HIDDEN = "…"
#: Addresses that mean every interface of the machine. Nobody types them into a browser.
EVERYWHERE = ("0.0.0.0", "::")


def showable(url: str) -> str:
    """Return the scheme, hosts and path of a URL; users, passwords, keys and options are left out.

    Of a text that cannot be taken apart for certain, only the scheme is shown, or only dots.

    >>> showable("postgresql://ann:secret@db:5432/team?sslmode=require"), showable("s3://key:secret@bucket/folder")
    ('postgresql://db:5432/team', 's3://bucket/folder')
    >>> showable("postgresql://ann:sec?ret@db/team"), showable("host=db password=secret")
    ('postgresql://…', '…')
    """
    begins = _SCHEME.match(url)
    if begins is None:
        return _HIDDEN
    rest = url[begins.end() :]
    front = re.split(r"[?#;&]", rest, maxsplit=1)[0]
    place = front.rpartition("@")[2]
    # A sign that ends an address may also stand in a password that nobody encoded: then an at sign follows it.
    certain = "@" not in rest[len(front) :] and _PLACE.fullmatch(place)
    return f"{begins[0]}{place if certain else _HIDDEN}"


def server_address(host: str | None, port: int) -> str:
    """Return the address of a server that listens on an interface (None: for this machine alone) and port.

    >>> server_address(None, 8501), server_address("::1", 8501)
    ('http://localhost:8501', 'http://[::1]:8501')
    """
    name = "localhost" if host is None or host in EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


def base_address() -> str:
    """Return what links begin with, which is RANKDASH_URL; "" where it is not set."""
    return os.environ.get("RANKDASH_URL", "").strip()


def comparison_link(base: str, id: str) -> str:
    """Return the link to a saved comparison below the address of a server; "" where that is no address of the web.

    >>> comparison_link("https://rank.example/team/", "a1")
    'https://rank.example/team/?comparison=a1'
    >>> comparison_link("javascript:alert(1)", "a1"), comparison_link("", "a1")
    ('', '')
    """
    place = base.strip().rstrip("/")
    is_web = re.fullmatch(r"https?://[^\s\"'<>\\?#@()\[\]|!*`]+", place, re.IGNORECASE)
    return f"{place}/?comparison={quote(id, safe='')}" if is_web else ""


def is_local(link: str) -> bool:
    """Return whether a link means the machine that it is opened on."""
    return link.startswith(("http://localhost", "http://127.", "http://[::1]"))


# --- what a measure is called that another library holds as an object ---


#: What a name that is copied from Markdown has before its cutoff.
_JOINER = "\u2060"


def measure_text(value: object) -> str | None:
    """Return the name of a measure: a text as it is, or that of an object of ir_measures, which is known by its
    attributes. None for anything else.

    >>> from types import SimpleNamespace
    >>> measure_text(SimpleNamespace(NAME="P", params={"rel": 2, "cutoff": 5})), measure_text("AP"), measure_text(5)
    ('P(rel=2,cutoff=5)', 'AP', None)
    """
    if isinstance(value, str):
        return value.replace(_JOINER, "")
    name, parameters = getattr(value, "NAME", None), getattr(value, "params", None)
    if not isinstance(name, str):
        return None
    if not isinstance(parameters, Mapping):
        return str(value)
    inside = ",".join(f"{own}={given!r}" for own, given in parameters.items())
    return f"{name}({inside})" if inside else name


# --- what a name that does not exist was probably meant to be ---


#: Longer words are not misspelt names, and comparing them takes time.
_LONGEST_NAME = 60


def nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the name that is most similar to a word, ignoring case; None where none is similar.

    >>> nearest("stndard", ["standard", "textbook"]), nearest("MPE", ["mpe"]), nearest("zzz", ["mpe"])
    ('standard', 'mpe', None)
    """
    if not 0 < len(word) <= _LONGEST_NAME:
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


# --- Unicode normal forms, in time that grows linearly with the length of a text ---
#
# Sorting combining marks takes quadratic time: a letter with 50,000 marks would block the interpreter, and with it a
# server, for 20 seconds. So a text is first converted to "Stream-Safe Text Format" (Unicode Standard Annex #15, section
# 13): an invisible joiner after every 30 marks in a row.


_MOST_MARKS = 30
_GRAPHEME_JOINER = "\u034f"  # COMBINING GRAPHEME JOINER


def normalized(form: Literal["NFC", "NFKC"], text: str) -> str:
    """Return the text in a normal form; in rows of more than 30 marks, joiners are inserted.

    >>> normalized("NFKC", "ｎＤＣＧ＠１０")
    'nDCG@10'
    """
    if len(text) > _MOST_MARKS and not text.isascii():
        text = _safe(text)
    return unicodedata.normalize(form, text)


def _safe(text: str) -> str:
    """Return the text with joiners in long rows of marks. Some marks are marks only when decomposed (U+0F73)."""
    marks = {sign for sign in set(text) if unicodedata.combining(unicodedata.normalize("NFKD", sign)[0])}
    if not marks:
        return text
    parts, row = [], 0
    for sign in text:
        row = row + 1 if sign in marks else 0
        parts.append(_GRAPHEME_JOINER + sign if row > 1 and row % _MOST_MARKS == 1 else sign)
    return "".join(parts)
