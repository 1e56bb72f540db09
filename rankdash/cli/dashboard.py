"""The dashboard as the command line opens it: with the demo, or on a saved comparison."""

from __future__ import annotations

import argparse

from rankdash import installation
from rankdash.cli.serve import EVERYWHERE, serve
from rankdash.cli.telling import BAD_INPUT, DONE, tell


def open_dashboard(options: argparse.Namespace, comparison: str | None = None) -> int:
    """Run the dashboard until it is stopped; the exit status. What is missing for it is told.

    ``comparison`` is the id of a saved comparison that is shown first; None: the demo.
    """
    lacking = installation.missing()
    if lacking:
        tell([installation.sentence(lacking)])
        return BAD_INPUT
    if options.host in EVERYWHERE and not options.names:
        tell(["No other machine can use it yet: name what people type in front of the port with --allowed-host."])
    serve(options.port, options.host, options.names, options.headless, comparison)
    return DONE
