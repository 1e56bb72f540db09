"""The files named on the command line, and what is decided about them -> tables and a policy; the problems of
all files come together.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rankdash import reading
from rankdash.case import Case
from rankdash.cli import INPUTS, MISTAKES, ArgumentError, progress, words
from rankdash.mistakes import check_roles
from rankdash.policy import Policy, PolicyError, beginning
from rankdash.scoring import ComparisonError
from rankdash.tables import Items, Judgments, Models, Run, Votes, distinct_names, with_distinct_names

#: The inputs that a meaning of a column belongs to, where none is named.
_OF_MEANING: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("rank", "score", "title", "model"), ("a", "b", "models")),
    **dict.fromkeys(("relevance", "iteration", "subtopic"), ("judgments",)),
    **dict.fromkeys(("vote", "rater", "left"), ("votes",)),
    **dict.fromkeys(("text", "weight", "cluster"), ("queries",)),
    **dict.fromkeys(("category", "date", "vector", "users"), ("items",)),
}


def given_case(options: argparse.Namespace) -> Case:
    """Return every table that was named, without edits. ComparisonError with the problems of all files."""
    if options.a is None and options.votes is None:
        behind = taken_for_measures(options) if "measures" in options else ""
        raise ComparisonError(f"Name the lists of A and B, or votes with --votes.{behind}")
    read = read_files(options, INPUTS)
    seen = read.pop("seen", None)
    of_both: Case | None = read.pop("models", None)
    if of_both is not None:
        read.setdefault("judgments", of_both.judgments)
        read |= {"a": of_both.a, "b": of_both.b}
    if "queries" in read or seen is not None:
        from rankdash.intake import name_queries, without_seen

        for side in {"a", "b"} & read.keys():
            read[side] = without_seen(name_queries(read[side], read.get("queries")), seen)
    if of_both is not None:
        return Case.of(read)
    case = Case.of(read).with_distinct_names(_paths(options))
    if case.runs is not None:
        check_roles({"A": case.a, "B": case.b}, case.judgments)
    return case


def given_policy(options: argparse.Namespace, otherwise: Policy | None = None) -> Policy:
    """Return the policy that was named, ``otherwise`` or the defaults where none was, under the convention and from the
    grade that were named.
    """
    policy = otherwise or Policy() if options.policy is None else _policy_file(options.policy)
    policy = policy if options.convention is None else policy.changed(convention=options.convention)
    return policy.relevant_from(options.min_grade)


def _policy_file(path: str) -> Policy:
    """Return the policy of a TOML file; its problems begin with the name of the file."""
    try:
        with open(path, "rb") as file:
            return Policy.from_toml(beginning(file))
    except UnicodeDecodeError:
        raise PolicyError([f"{path}: this is not UTF-8. A policy is a TOML file in UTF-8."]) from None
    except PolicyError as error:
        raise PolicyError([f"{path}: {problem}" for problem in error.problems]) from None


def read_files(
    options: argparse.Namespace, kinds: Container[str], names: tuple[str, str] | None = None
) -> dict[str, Any]:
    """Return the tables of some kinds that the options name, by kind. ComparisonError with the problems of all files.

    ``names`` are the names of the runs for votes, where the runs are not read here.
    """
    tables = dict[Any, Any]()
    steps: dict[str, Callable[[], Any]] = {
        kind: partial(read, **decided(options, kind)) for kind, read in _named(options).items() if kind in kinds
    }
    if options.votes is not None and "votes" in kinds:
        steps["votes"] = lambda: _votes(options, _names(options, tables) or names)
    read_each(steps, tables)
    return tables


def read_each(steps: Mapping[Any, Callable[[], Any]], tables: dict[Any, Any]) -> None:
    """Put what each step reads among the tables, under its key. ComparisonError with the problems of all files."""
    wrong = list[str]()
    with progress("reading", len(steps)) as count:
        for kind, step in steps.items():
            count()
            try:
                tables[kind] = step()
            except MISTAKES as error:
                is_open = kind == "votes" and wrong and _asks_for_pair(error)  # the runs may answer it
                wrong += [] if is_open else words(error)
    if wrong:
        raise ComparisonError("\n".join(dict.fromkeys(wrong)))  # a file may be named twice


def _named(options: argparse.Namespace) -> dict[str, Callable[..., Any]]:
    """Return how the files are read that were named, votes aside, by what they are."""
    order, named = {"order": options.order}, dict[str, Callable[..., Any]]()
    if _are_scores(options):
        named["models"] = partial(_two_models, options, options.judgments, (options.a, options.b), **order)
    elif options.b is not None:
        named |= {side: partial(reading.read_run, getattr(options, side), **order) for side in ("a", "b")}
    elif options.a is not None:
        named["models"] = partial(_two_models, options, options.a, options.scores, **order)
    if options.judgments is not None and not _are_scores(options):
        named["judgments"] = partial(reading.read_judgments, options.judgments)
    if options.seen is not None:
        named["seen"] = partial(reading.read_interactions, options.seen)
    if options.queries is not None:
        named["queries"] = lambda **how: reading.read_queries(options.queries, **how).weighing(options.missing_weight)
    elif options.missing_weight is not None:
        raise ArgumentError("--missing-weight needs a table of weights. Name it with --queries.")
    return named | items_step(options)


def items_step(options: argparse.Namespace) -> dict[str, Callable[..., Items]]:
    """Return how the items are read, if they were named. ArgumentError for a time without items."""
    if options.items is None and options.at is not None:
        raise ArgumentError("--at needs the dates of the documents. Name their table with --items.")
    return {} if options.items is None else {"items": partial(_given_items, options.items, options.at)}


def _given_items(path: str, at: str | None, **how: Any) -> Items:
    """Return the items of a file, with the time of the queries. ArgumentError for an invalid time."""
    items = reading.read_items(path, **how)
    try:
        return items if at is None else items.asked_at(at)
    except ValueError as error:
        raise ArgumentError(f"--at: {error}") from None


def _are_scores(options: argparse.Namespace) -> bool:
    """Return whether A and B are the scores of two models, and the judgments the LETOR file that they are for."""
    from rankdash.reading.letor import begins_as_letor

    if None in (options.a, options.b, options.judgments) or not begins_as_letor(options.judgments):
        return False
    from rankdash.reading import LIMITS, Options
    from rankdash.reading.recognition import NUMBERS, understand

    return all(understand(path, LIMITS, Options()).format == NUMBERS for path in (options.a, options.b))


def several_models(options: argparse.Namespace) -> Models | None:
    """Return A and more than one candidate in one file, and its grades; None where it is read as a pair."""
    if options.a is None or options.b is not None or options.scores or len(named_models(options, "models")) == 2:
        return None
    models = _models(options, options.a, None, order=options.order, **decided(options, "models"))
    return models if len(models.runs) > 2 else None


def _two_models(options: argparse.Namespace, path: str, scores: Sequence[str] | None, **how: Any) -> Case:
    """Return the runs of A and B in a file with several models, or with two files of scores, and its grades."""
    models = _models(options, path, scores, **how)
    if len(models.runs) > 2:
        raise ArgumentError(
            f"{path} holds {len(models.runs)} models. Only compare takes several. Name two with --pair A,B."
        )
    return Case((models.runs[0], models.runs[1]), models.judgments)


def _models(options: argparse.Namespace, path: str, scores: Sequence[str] | None, **how: Any) -> Models:
    """Return the models of a file, or with two files of scores, that are compared, A first, and their grades."""
    from rankdash.intake import models_of

    if scores is not None:
        names = distinct_names((Path(scores[0]).stem, Path(scores[1]).stem), (scores[0], scores[1]))
        how["scores"] = dict(zip(names, scores, strict=True))
    if options.groups is not None:
        how["groups"] = options.groups
    models, named = reading.read_models(path, **how), named_models(options, "models")
    if scores is not None and not named:
        return models  # the scores of A come first
    return replace(models, runs=models_of(models, named))


def _votes(options: argparse.Namespace, names: tuple[str, str] | None) -> Votes:
    a, b = named_models(options, "votes") or ("", "")
    return reading.read_votes(options.votes, pair=(a, b) if a else None, models=names, **decided(options, "votes"))


def _paths(options: argparse.Namespace) -> tuple[str, str]:
    """Return the paths of the lists of A and B, "" where they have no file of their own."""
    return options.a or "", options.b or ""


def _names(options: argparse.Namespace, tables: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the names of the two runs; None unless both were read."""
    runs = tables["models"].runs if "models" in tables else [tables[side] for side in ("a", "b") if side in tables]
    if len(runs) != 2:
        return None
    a, b = with_distinct_names(runs[0], runs[1], _paths(options))
    return a.name, b.name


def _asks_for_pair(error: Exception) -> bool:
    return isinstance(error, reading.ReadError) and any(choice.option == "pair" for choice in error.choices)


# --- decisions about a file -----------------------------------------------------------------------------------------


def decided(options: argparse.Namespace, kind: str, run: int | None = None) -> dict[str, Any]:
    """Return the decisions about one input, as the readers take them. ArgumentError where one is not understood.

    Of as many sheets, or the like, as there are runs, each ``run`` has its own, in order.
    """
    run = {"a": 0, "b": 1}.get(kind, -1) if run is None else run
    runs = 2 + len(getattr(options, "more", ())) if "b" in options else 1
    how: dict[str, Any] = {}
    for option in ("encoding", "sheet", "member"):
        named = [_target(text) for text in getattr(options, option)]
        values = [value for target, value in named if target is None]
        if len(values) not in (0, 1, runs):
            raise ArgumentError(f"--{option} has {len(values)} values for {runs} runs. Give one, or one for each run.")
        own = values if len(values) == 1 else values[run : run + 1] if run >= 0 else []
        for value in (*own, *(value for target, value in named if target == kind)):
            how[option] = int(value) if option == "sheet" and value.isdecimal() else value
    columns = dict(_pairs(options, "columns", kind))
    grades = {word: _number(grade) for word, grade in _pairs(options, "grades", kind)}
    return how | ({"columns": columns} if columns else {}) | ({"grades": grades} if grades else {})


def of_lists(options: argparse.Namespace) -> list[str]:
    """Return the options that were given and are about lists or judgments."""
    lists = ("a", "b", "models", "judgments")
    own = {option for kind in lists for option in decided(options, kind)} & {"columns", "grades"}
    for option in ("encoding", "sheet", "member"):
        own |= {option for text in getattr(options, option) if _target(text)[0] in lists}
    return [f"--{option}" for option in (*sorted(own), *(["order"] if options.order != "auto" else []))]


def taken_for_measures(options: argparse.Namespace) -> str:
    """Return what to do where files may have been read as measures, after a space; "" where none were named."""
    return " Everything after -m is read as a measure. Put the files before it." if options.measures else ""


def check_judged(runs: Mapping[str, Run], judgments: Judgments | None) -> None:
    """Raise ArgumentError where nothing judges the runs, by their paths: no file of judgments, and no grades in one."""
    if judgments is not None or any("relevance" in run.table.column_names for run in runs.values()):
        return
    lists = " or ".join(runs)
    raise ArgumentError(f'There are no judgments. Name them with -q FILE, or add a column "relevance" to {lists}.')


def named_models(options: argparse.Namespace, kind: str) -> tuple[str, ...]:
    """Return the names that ``--pair`` gives to A and B in the votes, or to A and the candidates in one file.

    Names without an input apply to the file with all models; without such a file, to the votes.
    ArgumentError for a number of names other than two for votes, and for an invalid option.
    """
    from rankdash.reading.votes import names_in, pair_of

    meant = "models" if options.a is not None and options.b is None else "votes"
    result: tuple[str, ...] = ()
    for text in options.pair:
        target, names = _target(text)
        if target not in (None, "models", "votes"):
            target, names = None, text
        if (target or meant) == kind:
            try:
                result = (names_in(names) if kind == "models" else ()) or pair_of(names)
            except ValueError as error:
                raise ArgumentError(f"--pair: {error}") from None
    return result


def _pairs(options: argparse.Namespace, option: str, kind: str) -> list[tuple[str, str]]:
    """Return the pairs of an option that are meant for one input."""
    result = []
    for text in getattr(options, option):
        target, pair = _target(text)
        left, equal, right = pair.rpartition("=") if option == "grades" else pair.partition("=")
        if not (left and equal and (right or option == "columns")):
            example = "relevance=gain" if option == "columns" else "Exact=3"
            raise ArgumentError(f"--{option} {text}: write it like {example}.")
        meant = _OF_MEANING.get("relevance" if option == "grades" else left, INPUTS)
        if meant == ("judgments",) and options.judgments is None:
            meant = ("a", "b", "models")
        if kind == target or (target is None and kind in meant):
            result.append((left, right))
    return result


def _target(text: str) -> tuple[str | None, str]:
    """Return the input that a decision names, and the decision."""
    target, colon, rest = text.partition(":")
    return (target, rest) if colon and target in INPUTS else (None, text)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ArgumentError(f"--grades: {text!r} is not a number.")
    return number
