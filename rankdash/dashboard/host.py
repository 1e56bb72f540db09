"""What the server owns, beside the pages: what requests and answers go through, and its start and end. Only the public
API of Streamlit is used.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import secrets
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rankdash import style
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.sandbox import processes
from rankdash.system import one_pool

_NAME = rb"(?:\[[0-9a-fA-F:.]+\]|[^\x00-\x20\x7f-\xff/?#@\[\]\\:]*)(?::\d{0,5})?"
#: What these headers may be: a name with a port, behind a scheme or not.
_FORMS = {b"host": re.compile(_NAME), b"origin": re.compile(rb"null|[a-zA-Z][a-zA-Z0-9+.-]*://" + _NAME)}
#: The largest number of a port.
_PORTS = 65_535
#: What every answer says: which pages may frame it, that its type is as stated, and what other sites learn of a link.
SECURE: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": "frame-ancestors 'self'",
        "X-Frame-Options": "SAMEORIGIN",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
    }
)
#: The headers of an answer that refuses a request.
_REFUSAL = ((b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close"))
#: The answer to a handshake that is refused, where the server can send one.
_HANDSHAKE = "websocket.http.response"


class Guarded:
    """Puts SECURE on each answer, and refuses a request whose Origin or Host cannot be read: 400, or 403 to the
    handshake of a websocket. A handshake of another site's page is refused, too.

    Why: Streamlit 1.67 sends no such headers, and reads an Origin without a check, so that one like ``http://[`` ends
    in an answer of 500. Before it refuses another site it asks an outside service for the address of this machine, and
    answers nobody meanwhile.

    It can go when Streamlit does all of this.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it; an error that nobody caught is answered too."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        is_handshake, has_begun = scope["type"] == "websocket", False
        kind = _HANDSHAKE if is_handshake else "http.response"

        async def sent(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "websocket.close" and not has_begun and _HANDSHAKE in scope.get("extensions", {}):
                await refuse(403, b"Forbidden")  # a close has no headers
                return
            if message["type"] in ("websocket.accept", f"{kind}.start"):
                has_begun = True
                message.setdefault("headers", [])
                headers = MutableHeaders(scope=message)
                for name, value in SECURE.items():
                    headers.setdefault(name, value)
            await send(message)

        async def refuse(status: int, why: bytes) -> None:
            await sent({"type": f"{kind}.start", "status": status, "headers": [*_REFUSAL]})
            await sent({"type": f"{kind}.body", "body": why})

        headers = MutableHeaders(scope=scope)
        is_foreign = headers.get("origin", "").rpartition("://")[2] not in ("", headers.get("host"))
        if not all(_is_read(*header) for header in scope["headers"]) or (is_handshake and is_foreign):
            await (sent({"type": "websocket.close", "code": 1008}) if is_handshake else refuse(400, b"Bad request"))
            return
        try:
            await self._app(scope, receive, sent)
        except Exception:
            if not has_begun and not is_handshake:
                await refuse(500, b"Internal server error")
            raise


def _is_read(name: bytes, value: bytes) -> bool:
    """Return whether a header is none of these, or an address."""
    if name not in _FORMS:
        return True
    port = value.rpartition(b":")[2]
    return bool(_FORMS[name].fullmatch(value)) and (not port.isdigit() or int(port) <= _PORTS)


# --- identity ---
#
# Identifies a browser without sign-in, by a cookie of random bits that cannot be guessed.
#
# Only its digest leaves this module: whoever reads a database learns no cookie.


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


# --- the head of a page ---
#
# The answer to the address of a page brings the style sheet and names the large files that every page draws with, and
# a page below the first finds its server at once.
#
# Why: Streamlit 1.67 sends a style sheet as an element of the page, so that everything moves when it arrives. It asks
# for its charts and icons when it meets the first of them. It looks for its server below the address of the page, as if
# a page could be the folder of an app: two answers of 404 in the console of everybody who follows a link, and a wait.
#
# It can go when Streamlit takes a style sheet in its settings and looks beside the page first.


#: What Streamlit's page reads before it looks for its server.
_READ, _SERVER = "__streamlit", "BACKEND_BASE_URL"
#: The folder that the address of a page is in, also where a proxy has put it below another one.
_BESIDE = "new URL('.', location.href).href"
_SCRIPT = f"<script>window.{_READ} = {{{json.dumps(_SERVER)}: {_BESIDE}}}</script>".encode()
_HEAD, _END = b"<head>", b"</body>"
#: What would have a page packed, in part, or left out because the browser has it as it was.
_OTHERWISE = (b"accept-encoding", b"range", b"if-none-match", b"if-modified-since")
#: The files of Streamlit that every page needs, and the header that announces them to a browser.
_SOON = {
    "static/js/PlotlyChart.*.js": 'rel="modulepreload"',
    "static/media/MaterialSymbols-*": 'rel="preload" as="font"',
}


#: Keeps the focus in a dialog whose button is disabled, as that of a download is while it works, so that Escape works.
_FOCUS = b"""<script>addEventListener("focusout", ({ target }) =>
  target.disabled && target.closest("[role=dialog]")?.focus({ preventScroll: true }))</script>"""


def _additions() -> tuple[bytes, bytes]:
    """Return what is added at the beginning of the head, and at the end of the body: the sheet goes before others."""
    folder = Path(st.__file__).with_name("static")
    files = ((file.relative_to(folder), how) for like, how in _SOON.items() for file in folder.glob(like))
    links = "".join(f'<link {how} href="./{file.as_posix()}" crossorigin>' for file, how in files)
    return links.encode(), b"<style>%s</style>%s" % (style.SHEET.read_bytes(), _FOCUS)


class PageHead:
    """Adds to the answer to the address of a page; ``names`` are those of the pages below the first."""

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app, self._names = app, frozenset(names)
        self._links, self._sheet = _additions()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add to the page that is answered, which is held until it is whole."""
        is_get = scope["type"] == "http" and scope["method"] == "GET"
        name = scope["path"].rpartition("/")[2] if is_get else "."
        if "." in name:  # a file, which may be a report: any other name may be that of a page that is gone
            await self._app(scope, receive, send)
            return
        start: Message | None = None
        body = b""

        async def sent(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
            elif start is None or message["type"] != "http.response.body":
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body", False):
                    whole = body.replace(_HEAD, _HEAD + _SCRIPT * (name in self._names) + self._links, 1)
                    whole = whole.replace(_END, self._sheet + _END, 1)
                    MutableHeaders(scope=start)["content-length"] = str(len(whole))
                    await send(start)
                    await send({"type": "http.response.body", "body": whole})

        plain = [header for header in scope["headers"] if header[0] not in _OTHERWISE]
        await self._app({**scope, "headers": plain}, receive, sent)


def _is_page(start: Message) -> bool:
    """Return whether an answer is a page."""
    return start["status"] == 200 and MutableHeaders(scope=start).get("content-type", "").startswith("text/html")


# --- idle uploads ---
#
# Uploads that stop on their way are ended: who sends nothing for a while holds neither memory nor a connection.
#
# Why: Streamlit 1.67 and uvicorn wait for the next bytes of a request as long as the connection stands.
#
# It can go when one of them has a limit of its own.


#: Seconds between two parts of a request.
IDLE = 60.0


class IdleUploads:
    """Answers 408 to a request whose body does not go on for that long."""

    def __init__(self, app: ASGIApp, idle: float = IDLE) -> None:
        self._app, self._idle = app, idle

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its body as it arrives."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_whole = False

        async def received() -> Message:
            nonlocal is_whole
            if is_whole:  # what comes now is that the browser is gone
                return await receive()
            message = await asyncio.wait_for(receive(), self._idle)
            is_whole = not message.get("more_body", False)
            return message

        try:
            await self._app(scope, received, send)
        except TimeoutError:
            if is_whole:
                raise
            await send({"type": "http.response.start", "status": 408, "headers": [*_REFUSAL]})
            await send({"type": "http.response.body", "body": b"The upload stopped on its way"})


# --- lifespan ---
#
# From the start of the server to its end.
#
# At the start it says which settings weaken it. When it has to end it waits for requests as long as GRACE, and for no
# client longer: an upload that never comes to its end would keep it for ever.


#: Seconds that requests, and what a page is computing, may take after the server got the signal to end.
GRACE = 6.0
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Run while the server does."""
    for sentence in weakened(st.get_option):
        _tell(sentence)
    one_pool()
    _end_in_time()
    yield


def _end_in_time() -> None:
    """Have the first signal to end begin the time that is left; what the server does on a signal it still does."""
    begun = threading.Event()

    def ending(before: Callable[[int, FrameType | None], object], number: int, frame: FrameType | None) -> None:
        if not begun.is_set():
            begun.set()
            threading.Thread(target=_end, args=(number,), name="rankdash-end", daemon=True).start()
        before(number, frame)

    if threading.current_thread() is threading.main_thread():
        for number in _SIGNALS:
            before = signal.getsignal(number)
            if callable(before):
                signal.signal(number, partial(ending, before))


def _end(number: int) -> None:
    time.sleep(GRACE)
    _tell(style.CUT_OFF.format(seconds=GRACE))
    processes.end(busy=True)
    os._exit(128 + number)


def _tell(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


# --- settings ---
#
# The settings of Streamlit that SECURITY.md counts on, and what is weaker where they say something else.
#
# ``rankdash serve`` passes them itself, so that neither the environment nor the settings of a user change them. Whoever
# starts ``streamlit run app.py`` is told.


Accepted = Callable[[Any], bool]
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


def _is(expected: object) -> Accepted:
    return lambda value: value == expected


#: Each option with what is accepted, in the order in which the server reports them.
PROMISED: Mapping[str, Accepted] = MappingProxyType(
    {
        "server.address": lambda value: value in _LOCAL,
        "server.allowedHosts": lambda value: bool(value) and not any("*" in name for name in value),
        "server.enableCORS": _is(True),
        "server.corsAllowedOrigins": lambda value: set(value) <= {"http://localhost"},
        "server.enableXsrfProtection": _is(True),
        "server.xsrfCookieSameSite": lambda value: value in ("lax", "strict"),
        "server.enableAgentApi": _is(False),
        "server.enableStaticServing": _is(False),
        "global.developmentMode": _is(False),
        "browser.gatherUsageStats": _is(False),
        "client.allowedOrigins": _is([]),
        "client.showErrorDetails": lambda value: value in ("type", "none", False),
    }
)


def weakened(option: Callable[[str], Any]) -> list[str]:
    """Return a sentence for each option that is not as SECURITY.md says; ``option`` returns the value in force."""
    values = {name: option(name) for name in PROMISED}
    return [
        style.WEAKENED[name].format(name=name, value=_shown(value))
        for name, value in values.items()
        if not PROMISED[name](value)
    ]


def _shown(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return "every interface" if value in (None, "", "0.0.0.0", "::") else str(value)


# --- in which order ---


#: What every request goes through, in this order.
MIDDLEWARE = (Middleware(Guarded), Middleware(Identified), Middleware(PageHead, names=SCRIPTS), Middleware(IdleUploads))
