"""The command line: ``rankdash compare A B --judgments Q``, ``rankdash measures``, and ``rankdash``, the dashboard."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial

from rankdash import (
    DEFINITIONS,
    PRESETS,
    Comparison,
    ComparisonError,
    Verdict,
    VotesAlone,
    compare,
    compare_votes,
    decide,
    needed,
)
from rankdash.cli import saved, scoring
from rankdash.cli.arguments import parser, routed
from rankdash.cli.dashboard import open_dashboard
from rankdash.cli.inputs import Given, asked_measures, given_edits, given_policy, given_tables, with_edits
from rankdash.cli.streaming import streamed
from rankdash.cli.telling import BAD_INPUT, DONE, INTERRUPTED, MISTAKES, progress, tell, words, write
from rankdash.edits import Edit
from rankdash.policy import Policy
from rankdash.report.json import to_json
from rankdash.report.mistakes import mistakes_of
from rankdash.report.tables import per_query_csv, per_query_parquet
from rankdash.report.text import measures_text, to_text


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
        lacking = needed.of_error(error)
        if lacking is None:
            raise
        tell([lacking])
        return BAD_INPUT
    return status


def _measures(options: argparse.Namespace) -> int:
    sys.stdout.write(measures_text(DEFINITIONS, PRESETS))
    return DONE


def _compare(options: argparse.Namespace) -> int:
    if options.scored is not None:
        return _judged(options, scoring.compared(options))
    policy = given_policy(options)
    status = streamed(options, policy, partial(_judged, options))
    return _in_memory(options, policy) if status is None else status


def _in_memory(options: argparse.Namespace, policy: Policy) -> int:
    given = given_tables(options)
    progress("comparing")
    if given.alone is not None:
        alone = compare_votes(given.alone, policy)
        if options.edits is not None:
            raise ComparisonError("--edits needs the lists of A and B; there are only votes.")
        return _finish(options, alone, decide(alone, options.looks))
    edits = given_edits(options)
    return _judged(options, _compared(options, given, policy, edits), edits)


def _judged(options: argparse.Namespace, comparison: Comparison, edits: tuple[Edit, ...] = ()) -> int:
    """The verdict, what is wrong between the files, and every output."""
    verdict = decide(comparison, options.looks)
    wrong = mistakes_of(comparison)
    progress("")
    tell(one.sentence for one in wrong)
    refused = any(one.fatal for one in wrong) and not options.gate
    return BAD_INPUT if refused else _finish(options, comparison, verdict, edits)


def _finish(
    options: argparse.Namespace, comparison: Comparison | VotesAlone, verdict: Verdict, edits: tuple[Edit, ...] = ()
) -> int:
    progress("")
    _write(options, comparison, verdict, edits)
    return verdict.exit_code if options.gate else DONE


def _compared(options: argparse.Namespace, given: Given, policy: Policy, edits: tuple[Edit, ...]) -> Comparison:
    """The comparison of the lists that were given, with the edits in them."""
    tables = with_edits(given, edits, options, policy)
    return compare(
        tables.a,
        tables.b,
        tables.judgments,
        policy=policy,
        measures=asked_measures(options),
        queries=given.queries,
        votes=given.votes,
        experts=options.experts,
    )


def _write(
    options: argparse.Namespace, comparison: Comparison | VotesAlone, verdict: Verdict, edits: tuple[Edit, ...]
) -> None:
    """Every output that was asked for; where none was, the short table."""
    if options.per_query is not None:
        if isinstance(comparison, VotesAlone):
            raise ComparisonError("--per-query needs the lists of A and B; there are only votes.")
        edited = {edit.query_id for edit in edits}
        parquet = options.per_query.lower().endswith((".parquet", ".pq"))
        write(options.per_query, (per_query_parquet if parquet else per_query_csv)(comparison, edited))
    if options.json == "-":
        sys.stdout.write(to_json(comparison, verdict, edits))
    elif options.json is not None:
        write(options.json, to_json(comparison, verdict, edits).encode())
    if options.json is None and options.per_query is None:
        sys.stdout.write(to_text(comparison, verdict, edits))


_COMMANDS = {
    "serve": open_dashboard,
    "open": saved.open_,
    "save": saved.save,
    "list": saved.list_,
    "compare": _compare,
    "score": scoring.score_,
    "measures": _measures,
}


if __name__ == "__main__":
    sys.exit(main())
