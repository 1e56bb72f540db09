"""What is decided on the command line about files, where their content leaves it open."""

from __future__ import annotations

import argparse
import math
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rankdash import Judgments, ReadError, Run
from rankdash.orientation import pair_of
from rankdash.reading import recognised

#: Between two grades: the comma behind a number, where a word and its grade follow.
_GRADES = re.compile(r"(?<=\d),(?=[^,=]+=)")


class ArgumentError(ValueError):
    """A decision about a file that is not written as it must be."""


#: Options of trec_eval that are typed from habit, and what does the same here.
OF_TREC_EVAL: Mapping[str, str] = MappingProxyType(
    {
        "-l": "here a measure names the grade from which a document is relevant, as in -m 'AP(rel=2)'.",
        "-M": "here a measure names its cutoff. AP@1000, RR@1000 and nDCG(ideal_cut='none')@1000 are what -M 1000 "
        "makes of map, recip_rank and ndcg.",
        "-J": "here a measure leaves out unjudged documents, as in -m \"AP(unjudged='condensed')\".",
        "-n": "--per-query --format csv prints the values of each query, and no means.",
        "-a": "-m official prints the measures that trec_eval prints by default.",
        "-N": "no measure here reads how many documents there are. Leave it out.",
        "-D": "Leave it out.",
        "-R": "the format of the judgments is recognised. Leave it out.",
        "-T": "the format of the run is recognised. Leave it out.",
    }
)
#: Options of trec_eval without a value that take one here, and what does the same here.
WITHOUT_VALUE: Mapping[str, str] = MappingProxyType(
    {
        "-q": "-q names the judgments; the values of each query that trec_eval -q prints are --per-query.",
        "-c": "-c names a convention; missing queries count 0, as trec_eval -c has it, with -c trec_eval-10, or as "
        "version 9, which rounds scores to float32, has it with -c trec_eval-9 -m \"AP(missing_query='zero')\".",
        "-o": "-o names the file that is written; the lines of trec_eval are --format trec_eval.",
    }
)
#: Options of other tools, and what is meant where a command has it.
OF_OTHERS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("--qrels", "--qrel", "--ground-truth"), "--judgments"),
        **dict.fromkeys(("--metric", "--metrics"), "--measure"),
        **dict.fromkeys(("--alpha", "--threshold", "--margin", "--min-delta", "--config"), "--policy"),
        **dict.fromkeys(("--json", "--csv"), "--format"),
    }
)
#: The inputs that a decision can be for, and those that a meaning of a column belongs to where none is named.
INPUTS = ("a", "b", "models", "judgments", "votes", "queries")
_OF_MEANING: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "rank": ("a", "b", "models"),
        "score": ("a", "b", "models"),
        "title": ("a", "b", "models"),
        "model": ("a", "b", "models"),
        "relevance": ("judgments",),
        "iteration": ("judgments",),
        "vote": ("votes",),
        "rater": ("votes",),
        "left": ("votes",),
        "text": ("queries",),
        "weight": ("queries",),
        "cluster": ("queries",),
    }
)


def decided(options: argparse.Namespace, kind: str) -> dict[str, Any]:
    """Return the decisions about one input, as the readers take them. ArgumentError where one is not understood."""
    how: dict[str, Any] = {}
    for option in ("encoding", "sheet", "member", "header"):
        for text in getattr(options, option):
            target, value = _target(text)
            if option == "header" and not (value.isdecimal() and int(value)):
                raise ArgumentError(f"--header {text}: write the number of a row, from 1.")
            if target in (None, kind):
                how[option] = int(value) if option in ("sheet", "header") and value.isdecimal() else value
    columns = dict(_pairs(options, "columns", kind))
    grades = {word: _number(grade) for word, grade in _pairs(options, "grades", kind)}
    return how | ({"columns": columns} if columns else {}) | ({"grades": grades} if grades else {})


def for_lists_alone(options: argparse.Namespace, kind: str, error: Exception) -> list[str]:
    """Return how to name a column for the lists alone, where it was named for every file and another input lacks it."""
    lists = ("a",) if "runs" in options else ("models",) if options.b is None else ("a", "b")
    problems = error.problems if isinstance(error, ReadError) else ()
    lacking = {
        problem.choice.key for problem in problems if problem.code == "bad_option" and problem.choice is not None
    }
    pairs = [pair for pair in options.columns if _target(pair)[0] is None and pair.partition("=")[0] in lacking]
    written = [" ".join(f"{side}:{pair}" for side in lists if side != kind) for pair in pairs]
    return [
        f"--columns {pair} is for every file: where the lists alone have this column, write --columns {names}."
        for pair, names in zip(pairs, written, strict=True)
        if names
    ]


def judgments_behind_q(options: argparse.Namespace, path: str | None, error: Exception) -> list[str]:
    """Return the command line to type where a path in the place of a run, which is not read as one, holds judgments."""
    behind = options.judgments
    if not isinstance(error, ReadError) or path is None or holds(path) != "judgments":
        return []
    if behind is None:
        return [command_with_judgments(options, path)]
    if holds(behind) != "run":
        return []
    exchanged = {path: behind, behind: path, f"--judgments={behind}": f"--judgments={path}"}
    return [_behind_q(path, [exchanged.get(word, word) for word in options.arguments])]


def command_with_judgments(options: argparse.Namespace, path: str) -> str:
    """Return the sentence with the command line that has a path behind -q; A, B or RUN stands for a missing run."""
    command, *rest = options.arguments
    at = rest.index(path)
    if "runs" in options:
        left = [run for run in options.runs if run != path]
        missing = [] if left else ["RUN"]
    else:
        left = [run for run in (options.a, options.b, options.strange) if run not in (None, path)]
        both = len(left) == 1 and holds(left[0]) == "models"
        missing = [] if both else ["A", "B"][len(left) :]
    del rest[at]
    last = max((rest.index(run) + 1 for run in left), default=at)
    return _behind_q(path, [command, "-q", path, *rest[:last], *missing, *rest[last:]])


def _behind_q(path: str, arguments: Sequence[str]) -> str:
    return f"{path}: judgments go behind -q: rankdash {shlex.join(arguments)}"


def holds(path: str) -> str:
    """Return the kind of table that a file probably holds; "" where it is none, or there is no such file."""
    try:
        return recognised(path).kind
    except (ReadError, OSError):
        return ""


def taken_for_measures(options: argparse.Namespace) -> str:
    """Return what to do where files may have been taken for measures, after a space; "" where none were named."""
    return " What follows -m is taken for a measure: put the files before it." if options.measures else ""


def check_judged(runs: Mapping[str, Run], judgments: Judgments | None) -> None:
    """Raise ArgumentError where nothing judges the runs, by their paths: no file of judgments, and no grades in one."""
    if judgments is not None or any("relevance" in run.table.column_names for run in runs.values()):
        return
    lists = " or ".join(runs)
    held = next((path for path, run in runs.items() if run.source.holds_judgments), None)
    do = "Name them with -q FILE." if held is None else f"{held} holds some beside its lists: -q {held} reads them."
    raise ArgumentError(f'There are no judgments: neither a file of them nor a column "relevance" in {lists}. {do}')


def named_pair(options: argparse.Namespace, kind: str) -> tuple[str, str] | None:
    """Return the names of A and B in one input, the votes or a file with both models; None where nobody gave them.

    A pair without the name of an input is for the file with both models, or for the votes where there is none.
    ArgumentError for what is no pair.
    """
    meant = "models" if options.a is not None and options.b is None else "votes"
    result = None
    for text in options.pair:
        target, names = _target(text)
        if target not in (None, "models", "votes"):
            target, names = None, text
        if (target or meant) == kind:
            try:
                result = pair_of(names)
            except ValueError as error:
                raise ArgumentError(f"--pair: {error}") from None
    return result


def _pairs(options: argparse.Namespace, option: str, kind: str) -> list[tuple[str, str]]:
    """Return the pairs of an option that are meant for one input."""
    result = []
    for text in _separated(option, getattr(options, option)):
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


def _separated(option: str, texts: Sequence[str]) -> list[str]:
    """Return each pair by itself: grades may stand between commas too, words may hold commas and equal signs."""
    return [part for text in texts for part in (_GRADES.split(text) if option == "grades" else [text])]


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


def letor(options: argparse.Namespace) -> dict[str, Any]:
    """Return the score files of both models, by the names that they give them, and the group sizes of a LETOR file."""
    how: dict[str, Any] = {}
    if options.scores is not None:
        how["scores"] = {Path(path).stem: path for path in options.scores}
    if options.groups is not None:
        how["groups"] = options.groups
    return how
