"""`rankdash compare`: the comparison of files in blocks where they can be, else in memory, its verdict and its outputs.

Each form of output is imported where it was asked for.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import TYPE_CHECKING

from rankdash import Comparison, ComparisonError, Verdict, VotesAlone, decide
from rankdash.case import compared
from rankdash.cli.inputs import asked_measures, given_case, given_policy, with_edits
from rankdash.cli.streaming import streamed
from rankdash.cli.telling import BAD_INPUT, DONE, progress, tell, write
from rankdash.policy import Policy
from rankdash.report.exports import exported
from rankdash.report.mistakes import mistakes_of
from rankdash.report.notes import notes_of
from rankdash.report.population import query_lines
from rankdash.report.sections.reported import Reported

if TYPE_CHECKING:
    from rankdash.edits import Edit


def compare_(options: argparse.Namespace) -> int:
    """Compare two runs, or queries that were scored before, and write what was asked for."""
    if options.scored is not None:
        from rankdash.cli import scoring

        return _judged(options, scoring.scored_comparison(options))
    policy = given_policy(options)
    status = streamed(options, policy, partial(_judged, options))
    return _in_memory(options, policy) if status is None else status


def _in_memory(options: argparse.Namespace, policy: Policy) -> int:
    case = given_case(options)
    progress("comparing")
    case = with_edits(case, options, policy)
    comparison = compared(case, policy, measures=asked_measures(options), experts=options.experts)
    return _judged(options, comparison, case.edits)


def _judged(options: argparse.Namespace, comparison: Comparison | VotesAlone, edits: tuple[Edit, ...] = ()) -> int:
    """Tell what is wrong between the files and write every output. Return the exit status."""
    verdict = decide(comparison, options.looks, options.candidates)
    wrong = () if isinstance(comparison, VotesAlone) else mistakes_of(comparison)
    progress("")
    tell(one.sentence for one in wrong)
    if any(one.fatal for one in wrong) and not options.gate:
        return BAD_INPUT
    _write(options, comparison, verdict, edits)
    tell(notes_of(comparison))  # after the output, which may turn out to need whole lists
    return verdict.exit_code if options.gate else DONE


def _write(
    options: argparse.Namespace, comparison: Comparison | VotesAlone, verdict: Verdict, edits: tuple[Edit, ...]
) -> None:
    """Write every output that was asked for; where none was, the short table. Otherwise what there is to tell about
    the queries is told beside it.
    """
    reported = Reported(comparison, verdict, edits)
    if options.per_query is not None:
        if isinstance(comparison, VotesAlone):
            raise ComparisonError("--per-query needs the lists of A and B; there are only votes.")
        is_parquet = options.per_query.lower().endswith((".parquet", ".pq"))
        write(options.per_query, exported(reported, "parquet" if is_parquet else "csv"))
    if options.json is not None:
        text = exported(reported, "json")
        sys.stdout.write(text.decode()) if options.json == "-" else write(options.json, text)
    if options.json is None and options.per_query is None:
        from rankdash.report.text import to_text

        sys.stdout.write(to_text(comparison, verdict, edits))
    else:
        tell(query_lines(comparison))
