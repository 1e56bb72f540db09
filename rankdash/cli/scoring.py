"""`rankdash score`, and the comparison that `rankdash compare --scored` makes of what it wrote."""

from __future__ import annotations

import argparse
from pathlib import Path

from rankdash import Comparison, ComparisonError, VotesAlone
from rankdash.case import compared
from rankdash.cli.decisions import ArgumentError
from rankdash.cli.inputs import further_measures, given_case, given_policy, given_scored
from rankdash.cli.telling import DONE, check_ending, progress, tell
from rankdash.scoring.score import scored_in_memory
from rankdash.scoring.table import load, save

#: What says which lists are compared: it was decided when they were scored.
_DECIDED = {"a": "A", "b": "B", "judgments": "--judgments", "edits": "--edits"}


def score_(options: argparse.Namespace) -> int:
    """Score the queries of two runs, and write them as one Parquet file."""
    check_ending(options.out, "--out", (".parquet", ".pq"))
    policy = given_policy(options)
    case = given_case(options)
    if case.runs is None:
        raise ComparisonError("Name the lists of A and B.")
    progress("scoring")
    scored = scored_in_memory(*case.runs, case.judgments, policy, tuple(further_measures(options)))
    progress("")
    wrong = () if scored.inputs is None else scored.inputs.wrong or ()
    if any(mistake.fatal for mistake in wrong):
        raise ComparisonError("\n".join(mistake.sentence for mistake in wrong))
    tell(mistake.sentence for mistake in wrong)
    save(scored, Path(options.out))
    return DONE


def scored_comparison(options: argparse.Namespace) -> Comparison | VotesAlone:
    """Return the comparison of scored queries, under the policy that is named or that they were scored for."""
    for option, name in _DECIDED.items():
        if getattr(options, option) is not None:
            raise ArgumentError(f"--scored: the lists are scored already, leave {name} out.")
    progress("reading")
    scored = load(Path(options.scored))
    policy = given_policy(options, None if scored.inputs is None else scored.inputs.policy)
    lacking = scored.scope.lacking(further_measures(options))
    if lacking is not None:
        there = ", ".join(measure.name for measure in (*scored.scope.measures, *scored.scope.alike))
        raise ComparisonError(f"{lacking} was not scored. Scored: {there}. rankdash score -m {lacking} scores it.")
    progress("comparing")
    return compared(given_scored(options, scored), policy, experts=options.experts)
