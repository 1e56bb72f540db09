"""The command line: ``rankdash compare A B --judgments Q``, ``rankdash measures``, and ``rankdash``, the dashboard."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from rankdash import installation
from rankdash.cli.commands import Command, parser, routed
from rankdash.cli.telling import BAD_INPUT, INTERRUPTED, MISTAKES, progress, tell, words


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line. The exit status is 0 done, 2 bad usage or bad input, 130 interrupted; with --gate that of the
    verdict.

    Problems go to stderr, one line each, without a traceback.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    given = sys.argv[1:] if arguments is None else arguments
    try:
        options = parser().parse_args(routed(given))
    except MISTAKES as error:
        tell(words(error))
        return BAD_INPUT
    if getattr(options, "github", None) is None:
        return _status(options)
    from rankdash.cli.github import without_commands

    with without_commands(options):
        return _status(options)


def _status(options: argparse.Namespace) -> int:
    """Return the exit status of a command; what goes wrong is told."""
    try:
        return _run(options.command, options)
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


def _run(command: Command, options: argparse.Namespace) -> int:
    """Run a command of a module that nothing has imported before: a comparison of small files takes no longer than
    its imports.
    """
    home, _, name = command.runs.partition(".")
    status: int = getattr(import_module(f"rankdash.cli.{home}"), name)(options)
    return status


if __name__ == "__main__":
    sys.exit(main())
