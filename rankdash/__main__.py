"""The command line: ``rankdash compare A B --judgments Q``, ``rankdash measures``, and ``rankdash``, the dashboard."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module

from rankdash import installation
from rankdash.cli.arguments import Command, parser, routed
from rankdash.cli.telling import BAD_INPUT, INTERRUPTED, MISTAKES, progress, tell, words


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0 done, 2 bad usage or bad input, 130 interrupted; with --gate that of the verdict.

    Problems go to stderr, one line each, without a traceback.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    given = sys.argv[1:] if arguments is None else arguments
    try:
        options = parser(_COMMANDS).parse_args(routed(given))
        status: int = options.command(options)
    except MISTAKES as error:
        progress("")
        tell(words(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        progress("")
        tell(["Interrupted: no file was written in part."])
        return INTERRUPTED
    except ModuleNotFoundError as error:
        lacking = installation.of_error(error)
        if lacking is None:
            raise
        tell([lacking])
        return BAD_INPUT
    return status


def _run(home: str, name: str, options: argparse.Namespace) -> int:
    """Run a command of a module that nothing has imported before: a comparison of small files takes no longer than
    its imports.
    """
    command: Command = getattr(import_module(f"rankdash.cli.{home}"), name)
    return command(options)


_COMMANDS: Mapping[str, Command] = {
    "serve": partial(_run, "dashboard", "open_dashboard"),
    "open": partial(_run, "saved", "open_"),
    "save": partial(_run, "saved", "save"),
    "list": partial(_run, "saved", "list_"),
    "compare": partial(_run, "comparing", "compare_"),
    "score": partial(_run, "scoring", "score_"),
    "measures": partial(_run, "measures", "measures_"),
}


if __name__ == "__main__":
    sys.exit(main())
