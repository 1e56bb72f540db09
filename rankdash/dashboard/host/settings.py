"""The settings of Streamlit that SECURITY.md counts on, and what is weaker where they say something else.

``rankdash serve`` passes them itself, so that neither the environment nor the settings of a user change them. Whoever
starts ``streamlit run app.py`` is told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any

from rankdash.style import serving as words

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
        words.WEAKENED[name].format(name=name, value=_shown(value))
        for name, value in values.items()
        if not PROMISED[name](value)
    ]


def _shown(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return "every interface" if value in (None, "", "0.0.0.0", "::") else str(value)
