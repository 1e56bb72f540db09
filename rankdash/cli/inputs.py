"""The files named on the command line -> tables, a policy and edits; the problems of all files come together."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankdash import (
    ComparisonError,
    PerQuery,
    Policy,
    PolicyError,
    Queries,
    ReadError,
    Votes,
    read_judgments,
    read_models,
    read_queries,
    read_run,
    read_votes,
)
from rankdash.case import Case, case_of_scored, votes_standing
from rankdash.cli.decisions import (
    INPUTS,
    ArgumentError,
    check_judged,
    decided,
    for_lists_alone,
    judgments_behind_q,
    letor,
    named_pair,
    taken_for_measures,
)
from rankdash.cli.telling import MISTAKES, progress, tell, words
from rankdash.intake import two_models
from rankdash.mistakes import check_roles
from rankdash.policy.toml import beginning
from rankdash.tables import told_apart

if TYPE_CHECKING:
    from rankdash.edits import Edit


def given_case(options: argparse.Namespace) -> Case:
    """Return every table that was named, without edits. ComparisonError with the problems of all files."""
    if options.a is None and options.votes is None:
        behind = taken_for_measures(options) if "measures" in options else ""
        raise ComparisonError(f"Name the lists of A and B, or votes with --votes.{behind}")
    read = read_files(options, INPUTS)
    of_both: Case | None = read.pop("models", None)
    if of_both is not None:
        read.setdefault("judgments", of_both.judgments)
        return Case(of_both.runs, **read)
    case = Case.of(read).with_distinct_names(_paths(options))
    if case.runs is not None:
        check_roles({"A": case.a, "B": case.b}, case.judgments)
        check_judged({options.a: case.a, options.b: case.b}, case.judgments)
    return case


def given_scored(options: argparse.Namespace, scored: PerQuery) -> Case:
    """Return scored queries with the tables that were named beside them: votes and queries."""
    case = case_of_scored(scored)
    names = None if scored.inputs is None else (case.a.name, case.b.name)
    return replace(case, **read_files(options, ("votes", "queries"), names))


def given_policy(options: argparse.Namespace, otherwise: Policy | None = None) -> Policy:
    """Return the policy that was named, ``otherwise`` or the defaults where none was, under the convention that was
    named.
    """
    policy = otherwise or Policy() if options.policy is None else _policy_file(options.policy)
    tell(f"{options.policy}: {note}" for note in policy.notes)
    return policy if options.convention is None else policy.changed(convention=options.convention)


def further_measures(options: argparse.Namespace) -> list[str]:
    """Return the further measures that were named."""
    return [name for names in options.measures for name in names]


def given_edits(options: argparse.Namespace) -> tuple[Edit, ...]:
    """Return the edits of the file that was named, none where there is none."""
    if options.edits is None:
        return ()
    from rankdash.report.tables import EditsError, read_edits

    try:
        return read_edits(Path(options.edits).read_bytes(), options.edits)
    except EditsError as error:
        raise ComparisonError(str(error)) from None


def with_edits(case: Case, options: argparse.Namespace, policy: Policy) -> Case:
    """Return a case with the edits that were named on top of it, with --votes-hold on votes that they would set aside.

    ComparisonError where edits were made on other tables, or there are only votes.
    """
    edits = given_edits(options)
    if not edits:
        return case
    if case.runs is None:
        raise ComparisonError("--edits needs the lists of A and B; there are only votes.")
    from rankdash.edits import misfits

    wrong = misfits(edits, *case.runs, case.judgments, policy.scoring)
    if wrong:
        raise ComparisonError("\n".join(f"{options.edits}: {line}" for line in wrong))
    edited = replace(case, edits=edits)
    stands = votes_standing(edited, policy)
    if options.votes_hold and stands is not None:
        return replace(edited, held=stands.open)
    if case.votes is not None and stands is not None and stands.open:
        tell([f"{case.votes.source.name}: --votes-hold counts the votes that are set aside."])
    return edited


def _policy_file(path: str) -> Policy:
    """Return the policy of a TOML file; its problems begin with the name of the file."""
    try:
        with open(path, "rb") as file:
            return Policy.from_toml(beginning(file))
    except UnicodeDecodeError:
        raise PolicyError([f"{path}: a policy is TOML in UTF-8."]) from None
    except PolicyError as error:
        raise PolicyError([f"{path}: {problem}" for problem in error.problems]) from None


def read_files(
    options: argparse.Namespace, kinds: Container[str], names: tuple[str, str] | None = None
) -> dict[str, Any]:
    """Return the tables of some kinds that were named, by what they are. ComparisonError with the problems of all.

    ``names`` are those of the runs, where these are not read here: votes may name them.
    """
    if options.votes_hold and (options.edits is None or options.votes is None):
        raise ArgumentError("--votes-hold is for --edits, and the votes beside them.")
    tables, wrong, steps = dict[str, Any](), list[str](), dict[str, Callable[[], Any]]()
    for kind, read in _named(options).items():
        if kind in kinds:
            steps[kind] = partial(read, **decided(options, kind))
    if options.votes is not None and "votes" in kinds:
        steps["votes"] = lambda: _votes(options, _names(options, tables) or names)
    for number, (kind, step) in enumerate(steps.items(), start=1):
        progress(f"reading {number} of {len(steps)}")
        try:
            tables[kind] = step()
        except MISTAKES as error:
            is_open = kind == "votes" and wrong and _asks_for_pair(error)  # the runs may answer it, once they are read
            path = getattr(options, "a" if kind == "models" else kind) if kind in ("a", "b", "models") else None
            ways = (*for_lists_alone(options, kind, error), *judgments_behind_q(options, path, error))
            wrong += [] if is_open else [*words(error), *ways]
    if wrong:
        raise ComparisonError("\n".join(wrong))
    return tables


def _named(options: argparse.Namespace) -> dict[str, Callable[..., Any]]:
    """Return how the files are read that were named, votes aside, by what they are."""
    order, named = {"order": options.order}, dict[str, Callable[..., Any]]()
    if options.b is not None:
        named |= {side: partial(read_run, getattr(options, side), **order) for side in ("a", "b")}
    elif options.a is not None:
        named["models"] = partial(_two_models, options, **order, **letor(options))
    if options.judgments is not None:
        named["judgments"] = partial(read_judgments, options.judgments)
    if options.queries is not None:
        named["queries"] = partial(_weighed_queries, options.queries, options.missing_weight)
    elif options.missing_weight is not None:
        raise ArgumentError("--missing-weight is about a table of weights: name it with --queries.")
    return named


def _weighed_queries(path: str, missing_weight: float | None, **how: Any) -> Queries:
    return read_queries(path, **how).weighing(missing_weight)


def _two_models(options: argparse.Namespace, **how: Any) -> Case:
    """Return the runs of A and B in a file with several models, and the grades beside them."""
    models = read_models(options.a, **how)
    pair = named_pair(options, "models")
    if options.scores is not None and pair is None and len(models.runs) == 2:
        return Case((models.runs[0], models.runs[1]), models.judgments)  # --scores names that of A first
    return Case(two_models(models, pair), models.judgments)


def _votes(options: argparse.Namespace, names: tuple[str, str] | None) -> Votes:
    return read_votes(options.votes, pair=named_pair(options, "votes"), models=names, **decided(options, "votes"))


def _paths(options: argparse.Namespace) -> tuple[str, str]:
    """Return the paths of the lists of A and B, "" where they have no file of their own."""
    return options.a or "", options.b or ""


def _names(options: argparse.Namespace, tables: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the names of the two runs; None unless both were read."""
    runs = tables["models"].runs if "models" in tables else [tables[side] for side in ("a", "b") if side in tables]
    if len(runs) != 2:
        return None
    a, b = told_apart(runs[0], runs[1], _paths(options))
    return a.name, b.name


def _asks_for_pair(error: Exception) -> bool:
    return isinstance(error, ReadError) and any(choice.option == "pair" for choice in error.choices)
