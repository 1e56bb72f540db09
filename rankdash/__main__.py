"""The command line: ``rankdash compare A B --judgments Q``, ``rankdash measures``, and ``rankdash``, the dashboard."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rankdash import (
    DEFINITIONS,
    PRESETS,
    Comparison,
    ComparisonError,
    ConventionError,
    Judgments,
    MeasureError,
    Models,
    Policy,
    PolicyError,
    Queries,
    ReadError,
    Run,
    Verdict,
    Votes,
    VotesAlone,
    compare,
    compare_votes,
    decide,
    needed,
    read_judgments,
    read_models,
    read_queries,
    read_run,
    read_votes,
)
from rankdash.cli.arguments import ArgumentError, decided, letor, parser
from rankdash.cli.serve import EVERYWHERE, ServeError, serve
from rankdash.edits import Edit, Edited, apply, misfits
from rankdash.report.edits_file import EditsError, read_edits
from rankdash.report.json import to_json
from rankdash.report.mistakes import mistakes_of
from rankdash.report.tables import per_query_csv, per_query_parquet
from rankdash.report.text import measures_text, to_text

#: What a user can have got wrong. Anything else is our mistake, and is allowed to show itself.
MISTAKES = (
    ArgumentError,
    ServeError,
    ReadError,
    MeasureError,
    ConventionError,
    PolicyError,
    ComparisonError,
    EditsError,
    OSError,
)
DONE, BAD_INPUT = 0, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0 done, 2 bad usage or bad input; with --gate that of the verdict.

    Problems go to stderr, one line each, without a traceback.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    given = sys.argv[1:] if arguments is None else arguments
    options = parser(_compare, _measures, _serve).parse_args(given or ["serve"])
    try:
        status: int = options.command(options)
    except MISTAKES as error:
        _tell(_words(error))
        return BAD_INPUT
    except ModuleNotFoundError as error:
        lacking = needed.PACKAGES.get((error.name or "").split(".")[0])
        if lacking is None:
            raise
        _tell([needed.sentence([lacking])])
        return BAD_INPUT
    return status


def _measures(options: argparse.Namespace) -> int:
    sys.stdout.write(measures_text(DEFINITIONS, PRESETS))
    return DONE


def _serve(options: argparse.Namespace) -> int:
    lacking = needed.missing()
    if lacking:
        _tell([needed.sentence(lacking)])
        return BAD_INPUT
    if options.host in EVERYWHERE and not options.names:
        _tell(["No other machine can use it yet: name what people type in front of the port with --allowed-host."])
    serve(options.port, options.host, options.names, options.headless)
    return DONE


def _compare(options: argparse.Namespace) -> int:
    policy = _policy(options)
    given = _inputs(options)
    _progress("comparing")
    if given.runs is None and given.models is None and given.votes is not None:
        alone = compare_votes(given.votes, policy)
        if options.edits is not None:
            raise ComparisonError("--edits needs the lists of A and B; there are only votes.")
        return _finish(options, alone, decide(alone, options.looks))
    edits = _edits(options)
    comparison = _compared(options, given, policy, edits)
    verdict = decide(comparison, options.looks)
    wrong = mistakes_of(comparison)
    _progress("")
    _tell([one.sentence for one in wrong])
    refused = any(one.fatal for one in wrong) and not options.gate
    return BAD_INPUT if refused else _finish(options, comparison, verdict, edits)


def _finish(
    options: argparse.Namespace, comparison: Comparison | VotesAlone, verdict: Verdict, edits: tuple[Edit, ...] = ()
) -> int:
    _progress("")
    _write(options, comparison, verdict, edits)
    return verdict.exit_code if options.gate else DONE


@dataclass(frozen=True)
class _Given:
    """The tables that were named; a file with both models stands in ``models``."""

    runs: tuple[Run, Run] | None = None
    models: Models | None = None
    judgments: Judgments | None = None
    votes: Votes | None = None
    queries: Queries | None = None


def _edits(options: argparse.Namespace) -> tuple[Edit, ...]:
    """The edits of the file that was named, none where there is none."""
    return () if options.edits is None else read_edits(Path(options.edits).read_bytes(), options.edits)


def _edited(
    edits: tuple[Edit, ...], a: Run, b: Run, judgments: Judgments | None, options: argparse.Namespace, policy: Policy
) -> Edited:
    """The tables with the edits in them. ComparisonError where edits were made on other tables."""
    wrong = misfits(edits, a, b, judgments, policy.scoring)
    if wrong:
        raise ComparisonError("\n".join(f"{options.edits}: {line}" for line in wrong))
    return apply(edits, a, b, judgments, policy.scoring)


def _compared(options: argparse.Namespace, given: _Given, policy: Policy, edits: tuple[Edit, ...]) -> Comparison:
    """The comparison of the lists that were given, with the edits in them."""
    runs, judgments = given.runs, given.judgments
    if given.models is not None:
        found = given.models.runs
        if len(found) != 2:
            names = ", ".join(run.name for run in found)
            raise ComparisonError(f"{options.a}: a comparison takes two models, not {len(found)} ({names}).")
        runs, judgments = (found[0], found[1]), judgments or given.models.judgments
    assert runs is not None
    tables = _edited(edits, *runs, judgments, options, policy)
    return compare(
        tables.a,
        tables.b,
        tables.judgments,
        policy=policy,
        measures=[name for names in options.measures for name in names],
        queries=given.queries,
        votes=given.votes,
        experts=options.experts,
    )


def _policy(options: argparse.Namespace) -> Policy:
    policy = Policy() if options.policy is None else _policy_file(options.policy)
    _tell([f"{options.policy}: {note}" for note in policy.notes])
    return policy if options.convention is None else policy.changed(convention=options.convention)


def _policy_file(path: str) -> Policy:
    """The policy of a TOML file; its problems are told with the name of the file."""
    try:
        return Policy.from_toml(Path(path).read_bytes().decode("utf-8"))
    except UnicodeDecodeError:
        raise PolicyError([f"{path}: a policy is TOML in UTF-8."]) from None
    except PolicyError as error:
        raise PolicyError([f"{path}: {problem}" for problem in error.problems]) from None


def _inputs(options: argparse.Namespace) -> _Given:
    """Every table that was named; the problems of all files are told together."""
    if options.a is None and options.votes is None:
        raise ComparisonError("Name the lists of A and B, or votes with --votes.")
    pair = None if options.pair is None else tuple(options.pair.split(",", 1))
    order = {"order": options.order}
    named: dict[str, Callable[..., Any]] = {}
    if options.b is not None:
        named |= {"a": partial(read_run, options.a, **order), "b": partial(read_run, options.b, **order)}
    elif options.a is not None:
        named["models"] = partial(read_models, options.a, **order, **letor(options))
    if options.judgments is not None:
        named["judgments"] = partial(read_judgments, options.judgments)
    if options.votes is not None:
        named["votes"] = partial(read_votes, options.votes, pair=pair)
    if options.queries is not None:
        named["queries"] = partial(read_queries, options.queries)
    steps = {kind: partial(read, **decided(options, kind)) for kind, read in named.items()}
    read = dict(zip(steps, _all_of("reading", *steps.values()), strict=True))
    runs = (read.pop("a"), read.pop("b")) if "a" in read else None
    return _Given(runs=runs, **read)


def _all_of(doing: str, *steps: Callable[[], Any]) -> list[Any]:
    """What the steps return. Where some fail over their input, all are tried and all problems are raised."""
    done, wrong = [], []
    for number, step in enumerate(steps, start=1):
        _progress(f"{doing} {number} of {len(steps)}")
        try:
            done.append(step())
        except MISTAKES as error:
            wrong += _words(error)
    if wrong:
        raise ComparisonError("\n".join(wrong))
    return done


def _write(
    options: argparse.Namespace, comparison: Comparison | VotesAlone, verdict: Verdict, edits: tuple[Edit, ...]
) -> None:
    """Every output that was asked for; where none was, the short table."""
    if options.per_query is not None:
        if isinstance(comparison, VotesAlone):
            raise ComparisonError("--per-query needs the lists of A and B; there are only votes.")
        edited = {edit.query_id for edit in edits}
        parquet = options.per_query.lower().endswith((".parquet", ".pq"))
        Path(options.per_query).write_bytes((per_query_parquet if parquet else per_query_csv)(comparison, edited))
    if options.json == "-":
        sys.stdout.write(to_json(comparison, verdict, edits))
    elif options.json is not None:
        Path(options.json).write_text(to_json(comparison, verdict, edits), "utf-8")
    if options.json is None and options.per_query is None:
        sys.stdout.write(to_text(comparison, verdict, edits))


def _words(error: Exception) -> list[str]:
    """An error as lines for people."""
    if isinstance(error, OSError):
        return [f"{error.filename}: {error.strerror or error}." if error.filename else str(error)]
    return str(error).splitlines()


def _tell(lines: Sequence[str]) -> None:
    for line in lines:
        print(line, file=sys.stderr)


def _progress(doing: str) -> None:
    """What is going on, on a terminal; nothing in a pipe."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{doing + ' …' if doing else ''}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
