"""From the start of the server to its end.

At the start it says which settings weaken it. When it has to end it waits for requests as long as GRACE, and for no
client longer: an upload that never comes to its end would keep it for ever.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from types import FrameType, MappingProxyType
from typing import Any

import streamlit as st

from rankdash import style
from rankdash.sandbox import apart
from rankdash.store import Settings, StoreError, announced
from rankdash.strings import server_address
from rankdash.system import one_pool

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
    with _announced():
        yield


def _announced() -> AbstractContextManager[None]:
    """Have links lead here while the server runs, unless only RANKDASH_URL can say how it is reached."""
    try:
        store = Settings.from_environment()
    except StoreError:  # told where something is to be saved
        return nullcontext()
    if st.get_option("server.sslCertFile"):
        return nullcontext()
    path = str(st.get_option("server.baseUrlPath")).strip("/")
    address = server_address(st.get_option("server.address"), int(st.get_option("server.port")))
    return announced(store, f"{address}/{path}".rstrip("/"))


def _end_in_time() -> None:
    """Have the first signal to end begin the time that is left; what the server does on a signal it still does."""
    if threading.current_thread() is threading.main_thread():
        for number in _SIGNALS:
            before = signal.getsignal(number)
            if callable(before):
                signal.signal(number, _Ending(before))


class _Ending:
    """Handles a signal as before, and sees to it that the process is gone GRACE seconds later."""

    _begun = threading.Event()

    def __init__(self, before: object) -> None:
        self._before = before

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Handle the signal."""
        if not self._begun.is_set():
            self._begun.set()
            threading.Thread(target=_end, args=(number,), name="rankdash-end", daemon=True).start()
        self._before(number, frame)  # type: ignore[operator]


def _end(number: int) -> None:
    time.sleep(GRACE)
    _tell(style.CUT_OFF.format(seconds=GRACE))
    apart.end(busy=True)
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


def _names_all(value: Collection[str]) -> bool:
    return bool(value) and not any("*" in name for name in value)


#: Each option with what is accepted, in the order in which the server reports them.
PROMISED: Mapping[str, Accepted] = MappingProxyType(
    {
        "server.address": lambda value: value in _LOCAL,
        "server.allowedHosts": _names_all,
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
