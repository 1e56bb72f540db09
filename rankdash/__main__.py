"""The command line: ``rankdash compare A B --judgments Q``, ``rankdash measures``, and ``rankdash``, the dashboard."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module

from rankdash import installation
from rankdash.cli import BAD_INPUT, INTERRUPTED, MISTAKES, tell, words
from rankdash.cli.commands import Command, parsed


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
        options = parsed(given)
    except MISTAKES as error:
        tell(words(error))
        return BAD_INPUT
    if getattr(options, "github", None) is None:
        return _status(options)
    return _on_github(options)


def run() -> None:
    """Run the command line of this process, and end it. The collector rests while modules are loaded and at the end:
    what they hold lives as long as the process.
    """
    gc.disable()
    status = main()
    gc.freeze()
    sys.exit(status)


def _on_github(options: argparse.Namespace) -> int:
    """Return the exit status of a gate. GitHub ignores commands in the text that is printed meanwhile; annotations
    are printed after it.
    """
    from rankdash.report.ci import WorkflowJob, commands_stopped

    options.job, options.annotations = WorkflowJob.from_environment(os.environ), []
    with commands_stopped(sys.stderr) if options.job else nullcontext():
        status = _status(options)
    # Where the mark is: what comes by two pipes has no order.
    sys.stderr.writelines(f"{line}\n" for line in options.annotations)
    sys.stderr.flush()
    return status


def _status(options: argparse.Namespace) -> int:
    """Return the exit status of a command; print what goes wrong."""
    try:
        return _run(options.command, options)
    except MISTAKES as error:
        tell(words(error))
        return BAD_INPUT
    except MemoryError:
        tell(["There is not enough memory. Use smaller files or close other programs."])
        return BAD_INPUT
    except KeyboardInterrupt:
        tell(["Interrupted. No file is incomplete."])
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
    runs = getattr(import_module(f"rankdash.cli.{home}"), name)
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
    status: int = runs(options)
    return status


if __name__ == "__main__":
    run()
