"""Waiting for a page: until nothing is asked of the server any more and everything is drawn, or until it says a text.

What stands in a page at one moment says nothing on a slow machine: an answer may not have begun. So whether one is due
is read off the line to the server, and only then what the page shows.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from tests.awaited import HUNG, until_hung

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page, Request, WebSocket

#: As long as a page may take on a machine that does much else; nothing waits longer than it has to.
WAIT_MILLISECONDS = HUNG * 1000
#: How many times slower than it is the browser computes, for who wants to see the tests on a slow machine.
SLOW = "RANKDASH_SLOW"
JOINER = "\u2060"


class Line:
    """What went to and came from the server of one page. An answer is due from a question to the end of its answer."""

    def __init__(self, page: Page) -> None:
        """Listens to a page from its first document on."""
        self.is_due = False
        self._is_asked = False
        self._socket: WebSocket | None = None
        self._page = page
        page.on("request", self._requested)
        page.on("websocket", self._opened)

    def _requested(self, request: Request) -> None:
        if request.is_navigation_request() and request.frame == self._page.main_frame:
            self.is_due = self._is_asked = True

    def _opened(self, socket: WebSocket) -> None:
        self._socket = socket
        socket.on("framesent", lambda payload: self._sent(socket, payload))
        socket.on("framereceived", lambda payload: self._received(socket, payload))

    def _sent(self, socket: WebSocket, payload: bytes | str) -> None:
        from streamlit.proto.BackMsg_pb2 import BackMsg

        if socket is self._socket and BackMsg.FromString(_bytes(payload)).WhichOneof("type") == "rerun_script":
            self.is_due = self._is_asked = True

    def _received(self, socket: WebSocket, payload: bytes | str) -> None:
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        if socket is not self._socket:
            return
        message = ForwardMsg.FromString(_bytes(payload))
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.is_due, self._is_asked = True, False
        elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self.is_due = self._is_asked


_LINES: WeakKeyDictionary[Page, Line] = WeakKeyDictionary()


def _bytes(payload: bytes | str) -> bytes:
    return payload.encode() if isinstance(payload, str) else payload


def watched(context: BrowserContext) -> BrowserContext:
    """A context that waits long enough for a busy machine, whose pages can be waited for; slow where SLOW says so."""
    context.set_default_timeout(WAIT_MILLISECONDS)
    context.on("page", _watch)
    return context


def _watch(page: Page) -> None:
    _LINES[page] = Line(page)
    if times := os.environ.get(SLOW):
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": float(times)})


#: Comes back when the browser has nothing to do: whether it says that all is there.
_IS_DRAWN = """() => new Promise(done => requestAnimationFrame(() => requestIdleCallback(() => done(
    !!document.querySelector('.stApp[data-test-script-state=notRunning]')
    && !document.querySelector('[data-testid=stSkeleton], [data-stale=true]')
    && document.fonts.status === 'loaded'
), {timeout: 5000})))"""


def _pausing(page: Page) -> Callable[[float], None]:
    """What waits while the page goes on."""
    return lambda seconds: page.wait_for_timeout(1000 * seconds)


def settled(page: Page) -> None:
    """Waits until the server has answered everything that the page asked, and the page has drawn it."""
    from playwright.sync_api import Error

    line = _LINES[page]
    for _ in until_hung(_pausing(page)):
        try:
            # Twice: what was clicked may be sent only once the browser is idle, and what came has to be drawn.
            if page.evaluate(_IS_DRAWN) and not line.is_due and page.evaluate(_IS_DRAWN) and not line.is_due:
                return
        except Error as error:
            if "context was destroyed" not in str(error):
                raise
        # A page that is asked whether all is drawn draws for it.
        next((None for _ in until_hung(_pausing(page)) if not line.is_due), None)
    raise AssertionError(f"The page did not come to rest: {'an answer is due' if line.is_due else 'not drawn'}.")


def answered(page: Page) -> None:
    """Waits until the server has answered everything that the page asked, whether or not the page has heard of it."""
    page.evaluate(_IS_DRAWN)
    assert any(not _LINES[page].is_due for _ in until_hung(_pausing(page)))


def letters(text: str) -> re.Pattern[str]:
    """A text as it may stand on a page: with invisible joiners between its letters, and any space for a space."""
    return re.compile(f"{JOINER}*".join(r"\s+" if letter.isspace() else re.escape(letter) for letter in text))


def says(locator: Locator, *texts: str) -> None:
    """Waits until an element says texts, letter for letter."""
    from playwright.sync_api import expect

    for text in texts:
        expect(locator).to_contain_text(letters(text), use_inner_text=True)


def one_says(locator: Locator, text: str) -> None:
    """Waits until one of several elements is in sight and says a text, letter for letter."""
    locator.filter(has_text=letters(text)).first.wait_for()


#: Answers of the server come late by so many milliseconds.
_LATE = """late => { const Line = window.WebSocket; window.WebSocket = class extends Line {
    addEventListener(kind, heard, how) {
        const later = said => setTimeout(() => heard.call(this, said), late);
        super.addEventListener(kind, kind === 'message' ? later : heard, how);
    }
    set onmessage(heard) { this.addEventListener('message', heard); }
}; }"""


def slow_line(page: Page, milliseconds: int) -> None:
    """What the server answers reaches the next document of a page so much later, as from far away.

    ``settled`` knows nothing of this: wait for what the page says. What is done after ``answered`` is done on a page
    that the server has changed already, and the browser not yet.
    """
    page.add_init_script(f"({_LATE})({milliseconds})")
