"""Identifies a browser without sign-in, by a cookie of random bits that cannot be guessed.

Only its digest leaves this module: whoever reads a database learns no cookie.
"""

from __future__ import annotations

import hashlib
import re
import secrets

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "rankdash_browser"
#: Seconds that it stays: a year.
_STAYS = 365 * 24 * 3600
_FORM = re.compile(r"[0-9a-f]{32}")


class Identified:
    """Gives a cookie to each browser that asks for a page and has none."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the cookie to the answer."""

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("Set-Cookie", _new(scope["scheme"] == "https"))
            await send(message)

        is_known = scope["type"] != "http" or scope["method"] != "GET" or _is_sent(scope)
        await self._app(scope, receive, send if is_known else sent)


def identity() -> str:
    """Return the digest of the browser's cookie, 64 hexadecimal digits; "" where it sent none."""
    cookie: object = st.context.cookies.get(COOKIE)
    bits = cookie if isinstance(cookie, str) and _FORM.fullmatch(cookie) else ""
    return hashlib.sha256(bits.encode()).hexdigest() if bits else ""


def _new(is_secure: bool) -> str:
    header = f"{COOKIE}={secrets.token_hex(16)}; Path=/; HttpOnly; SameSite=Lax; Max-Age={_STAYS}"
    return f"{header}; Secure" if is_secure else header


def _is_sent(scope: Scope) -> bool:
    cookies = (cookie_parser(value.decode("latin-1")) for name, value in scope["headers"] if name == b"cookie")
    return any(_FORM.fullmatch(own.get(COOKIE, "")) for own in cookies)
