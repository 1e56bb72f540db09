"""What the server says on the terminal."""

from __future__ import annotations

from collections.abc import Mapping

_INSTEAD = "Start `rankdash serve`, which sets it, or take the setting out of ~/.streamlit and the environment."
#: By the option of Streamlit that is not as SECURITY.md says.
WEAKENED: Mapping[str, str] = {
    "server.address": (
        "The server listens on {value}: whoever reaches the port can use it, without sign-in and encryption "
        "(SECURITY.md)."
    ),
    "server.allowedHosts": (
        "The server answers under any name ({name} is {value!r}): a page of another site that leads its own name here "
        "can use it. Name the hosts that people type."
    ),
    "server.enableCORS": f"Pages of other sites can use the server: {{name}} is off. {_INSTEAD}",
    "server.corsAllowedOrigins": f"Pages of other sites can use the server: {{name}} is {{value}}. {_INSTEAD}",
    "server.enableXsrfProtection": f"Pages of other sites can send files: {{name}} is off. {_INSTEAD}",
    "server.xsrfCookieSameSite": f"Pages of other sites can show the dashboard: {{name}} is {{value}}. {_INSTEAD}",
    "server.enableAgentApi": f"Programs can read every page without a browser: {{name}} is on. {_INSTEAD}",
    "server.enableStaticServing": f"Files in the folder static beside app.py are served: {{name}} is on. {_INSTEAD}",
    "global.developmentMode": f"Pages of other sites can use the server: {{name}} is on. {_INSTEAD}",
    "browser.gatherUsageStats": f"Streamlit sends usage statistics: {{name}} is on. {_INSTEAD}",
    "client.allowedOrigins": f"Pages of other sites can send it messages: {{name}} is {{value}}. {_INSTEAD}",
    "client.showErrorDetails": f"Errors show parts of files on the page: {{name}} is {{value}}. {_INSTEAD}",
}
CUT_OFF = "The server was told to end {seconds:g} seconds ago: what had not come to its end was cut off."
