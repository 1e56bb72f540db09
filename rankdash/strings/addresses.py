"""What of a URL may be shown: where something is, but no password or key."""

from __future__ import annotations

import os
import re
from urllib.parse import quote

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,40})://")
_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[^\s:/,%\\\[\]]*)(?::\d{1,5})?"
#: Hosts and a path; a per cent sign may be an encoded at sign, with a password in front of it.
_PLACE = re.compile(rf"{_HOST}(?:,{_HOST})*(?:/[^%\\]*)?")
_HIDDEN = "…"
#: Addresses that mean every interface of the machine. Nobody types them into a browser.
EVERYWHERE = ("0.0.0.0", "::")
_IN_TEXT = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,40}://[^\s'\"<>]*(?<![.,:;])")


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


def without_secrets(text: str) -> str:
    """Return a text with every address replaced by its ``showable`` form.

    >>> without_secrets("cannot read s3://key:secret@bucket/folder: denied")
    'cannot read s3://bucket/folder: denied'
    """
    return _IN_TEXT.sub(lambda match: showable(match[0]), text)


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
