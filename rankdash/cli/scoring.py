"""`rankdash score`, and the comparison that `rankdash compare --scored` makes of what it wrote."""

from __future__ import annotations

import argparse

from rankdash import Comparison, ComparisonError, PerQuery, Policy, compare_scored, parse_measure, score, write_scored
from rankdash.cli.arguments import ArgumentError
from rankdash.cli.inputs import given_beside, given_policy, given_tables
from rankdash.cli.telling import BAD_INPUT, DONE, progress, tell
from rankdash.drivers.folder import check_free, opened

#: What says which lists are compared: it was decided when they were scored.
_DECIDED = {"a": "A", "b": "B", "judgments": "--judgments", "edits": "--edits"}


def score_(options: argparse.Namespace) -> int:
    """Score the queries of two runs, and write them as a folder."""
    check_free(options.out)
    policy = given_policy(options)
    scored = _scored(options, policy)
    wrong = () if scored.inputs is None else scored.inputs.wrong or ()
    progress("")
    tell(one.sentence for one in wrong)
    if any(one.fatal for one in wrong):
        return BAD_INPUT
    progress("writing")
    write_scored(scored, options.out)
    progress("")
    return DONE


def _scored(options: argparse.Namespace, policy: Policy) -> PerQuery:
    measures = [name for names in options.measures for name in names]
    given = given_tables(options)
    if given.runs is None:
        raise ComparisonError("Name the lists of A and B.")
    progress("scoring")
    return score(*given.runs, given.judgments, policy=policy, measures=measures)


def compared(options: argparse.Namespace) -> Comparison:
    """Return the comparison of scored queries, under the policy that is named or that they were scored for."""
    twice = [name for option, name in _DECIDED.items() if getattr(options, option) is not None]
    if twice:
        raise ArgumentError(f"--scored: the lists are scored already, leave {twice[0]} out.")
    progress("reading")
    scored = opened(options.scored)
    policy = given_policy(options, None if scored.inputs is None else scored.inputs.policy)
    _check_measures(options, scored)
    given = given_beside(options)
    progress("comparing")
    return compare_scored(scored, policy, queries=given.queries, votes=given.votes, experts=options.experts)


def _check_measures(options: argparse.Namespace, scored: PerQuery) -> None:
    """Raise ComparisonError for a measure that was not scored."""
    asked = scored.asked
    for name in (name for names in options.measures for name in names):
        if parse_measure(name, asked.convention) not in (*asked.measures, *asked.alike):
            there = ", ".join(measure.name for measure in (*asked.measures, *asked.alike))
            raise ComparisonError(
                f"{name} was not scored. Scored: {there}. Ask for it with rankdash score ... -m {name}."
            )
