"""What was named on the command line -> tables, a policy and edits; the problems of all files are told together."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Container
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankdash import (
    ComparisonError,
    Judgments,
    Models,
    Policy,
    PolicyError,
    Queries,
    Run,
    Votes,
    read_judgments,
    read_models,
    read_queries,
    read_run,
    read_votes,
)
from rankdash.cli.arguments import INPUTS, ArgumentError, decided, letor
from rankdash.cli.telling import MISTAKES, progress, tell, words

if TYPE_CHECKING:
    from rankdash.edits import Edit


@dataclass(frozen=True)
class Given:
    """The tables that were named. ``runs`` is None where there are votes alone."""

    runs: tuple[Run, Run] | None = None
    judgments: Judgments | None = None
    votes: Votes | None = None
    queries: Queries | None = None

    @property
    def alone(self) -> Votes | None:
        """The votes, where there is nothing else to compare."""
        return self.votes if self.runs is None else None


def given_tables(options: argparse.Namespace) -> Given:
    """Return every table that was named. ComparisonError with the problems of all files."""
    if options.a is None and options.votes is None:
        raise ComparisonError("Name the lists of A and B, or votes with --votes.")
    read = read_files(options, INPUTS)
    runs = (read.pop("a"), read.pop("b")) if "a" in read else None
    models: Models | None = read.pop("models", None)
    found = Given(runs=runs, **read)
    if models is None:
        return found
    if len(models.runs) != 2:
        names = ", ".join(run.name for run in models.runs)
        raise ComparisonError(f"{options.a}: a comparison takes two models, not {len(models.runs)} ({names}).")
    return replace(found, runs=(models.runs[0], models.runs[1]), judgments=found.judgments or models.judgments)


def given_beside(options: argparse.Namespace) -> Given:
    """Return the tables that were named beside scored queries: votes and queries."""
    return Given(**read_files(options, ("votes", "queries")))


def given_policy(options: argparse.Namespace, otherwise: Policy | None = None) -> Policy:
    """Return the policy that was named, ``otherwise`` or the defaults where none was, under the convention that was
    named.
    """
    policy = otherwise or Policy() if options.policy is None else _policy_file(options.policy)
    tell(f"{options.policy}: {note}" for note in policy.notes)
    return policy if options.convention is None else policy.changed(convention=options.convention)


def asked_measures(options: argparse.Namespace) -> list[str]:
    """Return the further measures that were named."""
    return [name for names in options.measures for name in names]


def given_edits(options: argparse.Namespace) -> tuple[Edit, ...]:
    """Return the edits of the file that was named, none where there is none."""
    if options.edits is None:
        return ()
    from rankdash.report.edits_file import EditsError, read_edits

    try:
        return read_edits(Path(options.edits).read_bytes(), options.edits)
    except EditsError as error:
        raise ComparisonError(str(error)) from None


def with_edits(
    given: Given, edits: tuple[Edit, ...], options: argparse.Namespace, policy: Policy
) -> tuple[Run, Run, Judgments | None]:
    """Return A, B and the judgments with the edits in them. ComparisonError where edits were made on other tables."""
    assert given.runs is not None
    tables = (*given.runs, given.judgments)
    if not edits:
        return tables
    from rankdash.edits import apply, misfits

    wrong = misfits(edits, *tables, policy.scoring)
    if wrong:
        raise ComparisonError("\n".join(f"{options.edits}: {line}" for line in wrong))
    edited = apply(edits, *tables, policy.scoring)
    return edited.a, edited.b, edited.judgments


def _policy_file(path: str) -> Policy:
    """Return the policy of a TOML file; its problems are told with the name of the file."""
    try:
        return Policy.from_toml(Path(path).read_bytes().decode("utf-8"))
    except UnicodeDecodeError:
        raise PolicyError([f"{path}: a policy is TOML in UTF-8."]) from None
    except PolicyError as error:
        raise PolicyError([f"{path}: {problem}" for problem in error.problems]) from None


def read_files(options: argparse.Namespace, kinds: Container[str]) -> dict[str, Any]:
    """Return the tables of some kinds that were named, by what they are. ComparisonError with the problems of all."""
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
        named["queries"] = partial(_weighed_queries, options.queries, options.missing_weight)
    elif options.missing_weight is not None:
        raise ArgumentError("--missing-weight is about a table of weights: name it with --queries.")
    steps = {kind: partial(read, **decided(options, kind)) for kind, read in named.items() if kind in kinds}
    return dict(zip(steps, _all_of("reading", *steps.values()), strict=True))


def _weighed_queries(path: str, missing_weight: float | None, **how: Any) -> Queries:
    return read_queries(path, **how).weighing(missing_weight)


def _all_of(doing: str, *steps: Callable[[], Any]) -> list[Any]:
    """Return what the steps return. Where some fail over their input, all are tried and all problems are raised."""
    done, wrong = [], []
    for number, step in enumerate(steps, start=1):
        progress(f"{doing} {number} of {len(steps)}")
        try:
            done.append(step())
        except MISTAKES as error:
            wrong += words(error)
    if wrong:
        raise ComparisonError("\n".join(wrong))
    return done
