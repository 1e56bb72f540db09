"""`rankdash compare`: the comparison of files in blocks where they can be, else in memory, its verdict and its outputs.

Each form of output is imported where it was asked for.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import TYPE_CHECKING

from rankdash import Comparison, ComparisonError, Verdict, VotesAlone, compare, compare_votes, decide
from rankdash.cli.inputs import Given, asked_measures, given_edits, given_policy, given_tables, voted, with_edits
from rankdash.cli.streaming import streamed
from rankdash.cli.telling import BAD_INPUT, DONE, progress, tell, write
from rankdash.policy import Policy
from rankdash.report.mistakes import mistakes_of
from rankdash.report.notes import notes_of
from rankdash.report.population import query_lines

if TYPE_CHECKING:
    from rankdash.edits import Edit


def compare_(options: argparse.Namespace) -> int:
    """Compare two runs, or queries that were scored before, and write what was asked for."""
    if options.scored is not None:
        from rankdash.cli import scoring

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
        return _finish(options, alone, decide(alone, options.looks, options.candidates))
    edits = given_edits(options)
    return _judged(options, _compared(options, given, policy, edits), edits)


def _judged(options: argparse.Namespace, comparison: Comparison, edits: tuple[Edit, ...] = ()) -> int:
    """The verdict, what is wrong between the files, and every output."""
    verdict = decide(comparison, options.looks, options.candidates)
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
    tell(notes_of(comparison))  # after the output, which may turn out to need whole lists
    return verdict.exit_code if options.gate else DONE


def _compared(options: argparse.Namespace, given: Given, policy: Policy, edits: tuple[Edit, ...]) -> Comparison:
    """The comparison of the lists that were given, with the edits in them, and the votes that count on them."""
    stands = voted(given, edits, options, policy)
    return compare(
        *with_edits(given, edits, options, policy),
        policy=policy,
        measures=asked_measures(options),
        queries=given.queries,
        votes=None if stands is None else stands.votes,
        experts=options.experts,
    )


def _write(
    options: argparse.Namespace, comparison: Comparison | VotesAlone, verdict: Verdict, edits: tuple[Edit, ...]
) -> None:
    """Every output that was asked for; where none was, the short table. Otherwise what there is to tell about the
    queries is told beside it.
    """
    if options.per_query is not None:
        if isinstance(comparison, VotesAlone):
            raise ComparisonError("--per-query needs the lists of A and B; there are only votes.")
        from rankdash.report.tables import per_query_csv, per_query_parquet

        edited = {edit.query_id for edit in edits}
        parquet = options.per_query.lower().endswith((".parquet", ".pq"))
        write(options.per_query, (per_query_parquet if parquet else per_query_csv)(comparison, edited))
    if options.json is not None:
        from rankdash.report.json import to_json

        text = to_json(comparison, verdict, edits)
        sys.stdout.write(text) if options.json == "-" else write(options.json, text.encode())
    if options.json is None and options.per_query is None:
        from rankdash.report.text import to_text

        sys.stdout.write(to_text(comparison, verdict, edits))
    else:
        tell(query_lines(comparison))
