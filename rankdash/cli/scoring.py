"""`rankdash score`, and the comparison that `rankdash compare --scored` makes of what it wrote."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rankdash import Comparison, ComparisonError, PerQuery, Policy, VotesAlone
from rankdash.case import compared
from rankdash.cli.decisions import ArgumentError, decided
from rankdash.cli.inputs import further_measures, given_case, given_policy, given_scored, read_files
from rankdash.cli.streaming import streamed_rankings
from rankdash.cli.telling import DONE, progress, tell

if TYPE_CHECKING:
    from rankdash.comparison import InputMistake

#: What says which lists are compared: it was decided when they were scored.
_DECIDED = {
    "a": "A",
    "b": "B",
    "judgments": "--judgments",
    "edits": "--edits",
    "order": "--order",
    "scores": "--scores",
    "groups": "--groups",
}
#: The inputs that were read when they were scored, and those that may stand beside them.
_SCORED, _BESIDE = ("a", "b", "models", "judgments"), ("votes", "queries")


def score_(options: argparse.Namespace) -> int:
    """Score the queries of two runs, and write them as a folder."""
    from rankdash.scored.folder import check_free, save

    if options.remote is not None and options.engine != "spark":
        raise ArgumentError("--remote is for --engine spark.")
    check_free(options.out)
    policy = given_policy(options)
    if options.engine == "spark":
        return _by_spark(options, policy)
    scored = _here(options, policy)
    progress("")
    _tell(scored.inputs.wrong if scored.inputs is not None else ())
    progress("writing")
    save(scored, options.out, _files(options))
    progress("")
    return DONE


def _files(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Return where the lists and judgments were read, and how: to show the two lists of a query later."""
    if options.scores is not None or options.groups is not None:
        return {}  # a LETOR file is read together with others
    order, both = {"order": options.order}, options.b is not None
    named = {"a": options.a, "b": options.b if both else options.a, "judgments": options.judgments}
    files: dict[str, dict[str, Any]] = {}
    for role, path in named.items():
        kind = "judgments" if role == "judgments" else "run" if both else "models"
        how = decided(options, "models" if kind == "models" else role) | (order if role != "judgments" else {})
        files |= {role: {"path": path, "kind": kind, "how": how}} if path is not None else {}
    if not both and options.judgments is None:
        files["judgments"] = {**files["a"], "kind": "graded"}
    return files


def _tell(wrong: Iterable[InputMistake] | None) -> None:
    """Report what is wrong between the inputs. ComparisonError where no result would be meaningful."""
    problems = tuple(wrong or ())
    if any(problem.fatal for problem in problems):
        raise ComparisonError("\n".join(problem.sentence for problem in problems))
    tell(problem.sentence for problem in problems)


def _here(options: argparse.Namespace, policy: Policy) -> PerQuery:
    """Return the queries of files, scored in this process."""
    from rankdash.drivers.in_memory import scored_in_memory, scored_of
    from rankdash.reading.pieces import WholeNeededError

    measures = tuple(further_measures(options))
    streamed = streamed_rankings(options, policy, digests=True)
    if streamed is not None:
        progress("scoring")
        with suppress(WholeNeededError):
            return scored_of(streamed[0], policy, measures)
    case = given_case(options)
    if case.runs is None:
        raise ComparisonError("Name the lists of A and B.")
    progress("scoring")
    return scored_in_memory(*case.runs, case.judgments, policy, measures)


def _by_spark(options: argparse.Namespace, policy: Policy) -> int:
    """Score files where Spark reads them, bucket by bucket."""
    from rankdash.drivers import spark
    from rankdash.drivers.spec import Spec
    from rankdash.scored.folder import writing

    if options.b is None:
        raise ArgumentError("--engine spark takes a file for each model: name A and B.")
    if any(decided(options, side) for side in ("a", "b")):
        raise ArgumentError("--engine spark takes no decisions about A and B: name the columns in the files.")
    progress("starting Spark")
    with spark.session(options.remote) as session:
        here = options.remote is None
        frames = {side: spark.read(session, getattr(options, side), here=here) for side in ("a", "b")}
        names = spark.names_of(options.a, options.b)
        judgments = None
        if options.judgments is not None and os.path.exists(options.judgments):
            judgments = read_files(options, ("judgments",))["judgments"]
            frames["judgments"] = spark.sent(session, judgments)
        elif options.judgments is not None:
            frames["judgments"] = spark.read(session, options.judgments, judgments=True, here=here)
        spec = Spec(policy, tuple(further_measures(options)))
        orders = (spark.order_of(options.a, options.order), spark.order_of(options.b, options.order))
        scoring = spark.Scoring.of(frames, spec, orders, options.buckets)
        with writing(options.out) as writer:
            writer.order = "ids"  # where the judgments are not numbered
            for done, block in enumerate(scoring, 1):
                writer.write(block)
                progress(f"scoring, {done} of at most {options.buckets} buckets")
            files = {side: os.path.basename(getattr(options, side)) for side in ("a", "b")}
            writer.inputs = scoring.inputs(names, files, None if judgments is None else judgments.source)
            progress("")
            _tell(writer.inputs.wrong)
    return DONE


def scored_comparison(options: argparse.Namespace) -> Comparison | VotesAlone:
    """Return the comparison of scored queries, under the policy that is named or that they were scored for."""
    from rankdash.scored.folder import opened

    named = vars(options) | {"order": None if options.order == "auto" else options.order}
    twice = [name for option, name in _DECIDED.items() if named[option] is not None]
    about = [{option for kind in kinds for option in decided(options, kind)} for kinds in (_SCORED, _BESIDE)]
    twice += [f"--{option}" for option in sorted(about[0] - about[1])]
    if twice:
        raise ArgumentError(f"--scored: the lists are scored already, leave {twice[0]} out.")
    progress("reading")
    scored = opened(options.scored)
    policy = given_policy(options, None if scored.inputs is None else scored.inputs.policy)
    _check_measures(options, scored)
    case = given_scored(options, scored)
    progress("comparing")
    return compared(case, policy, experts=options.experts)


def _check_measures(options: argparse.Namespace, scored: PerQuery) -> None:
    """Raise ComparisonError for a measure that was not scored."""
    scope = scored.scope
    lacking = scope.lacking(further_measures(options))
    if lacking is not None:
        there = ", ".join(measure.name for measure in (*scope.measures, *scope.alike))
        raise ComparisonError(
            f"{lacking} was not scored. Scored: {there}. Ask for it with rankdash score ... -m {lacking}."
        )
