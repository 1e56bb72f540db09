"""What the command line takes: the parser, and the decisions about files that their content leaves open."""

from __future__ import annotations

import argparse
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rankdash import PRESETS, __version__
from rankdash.orientation import pair_of
from rankdash.strings.nearest import did_you_mean, nearest
from rankdash.tables import MISSING_WEIGHTS

Command = Callable[[argparse.Namespace], int]


#: Between two grades: the comma behind a number, where a word and its grade follow.
_GRADES = re.compile(r"(?<=\d),(?=[^,=]+=)")


class ArgumentError(ValueError):
    """A decision about a file that is not written as it must be."""


#: The inputs that a decision can be for, and those that a meaning of a column belongs to where none is named.
INPUTS = ("a", "b", "models", "judgments", "votes", "queries")
_OF_MEANING: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "rank": ("a", "b", "models"),
        "score": ("a", "b", "models"),
        "title": ("a", "b", "models"),
        "model": ("models",),
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


#: The commands, and what each is in a list of them.
COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "serve": "open the dashboard with the demo comparison, for this machine alone",
        "open": "open the dashboard with files, or with a saved comparison; `rankdash A B -q Q` does it too",
        "save": "save a comparison, and print the link to it",
        "list": "list the saved comparisons, or those with some words in their names and tags",
        "compare": "compare two ranked lists per query, and give a verdict",
        "score": "score the queries of two ranked lists, for `compare --scored`",
        "measures": "every measure and convention, with its definition",
    }
)


def parser(commands: Mapping[str, Command]) -> argparse.ArgumentParser:
    """Return the parser; each command of COMMANDS calls what stands for it here."""
    whole = argparse.ArgumentParser(
        prog="rankdash",
        description="Should model B replace model A?",
        epilog="Without a command the dashboard is opened. What a command takes: rankdash COMMAND --help",
    )
    whole.add_argument("--version", action="version", version=f"rankdash {__version__}")
    each = whole.add_subparsers(required=True, metavar="COMMAND")
    for name, about in COMMANDS.items():
        one = each.add_parser(name, help=about)
        one.set_defaults(command=commands[name])
        if name in _TAKES:
            _TAKES[name](one)
    return whole


def routed(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with their command in front: `serve` where there are none, `open` where files come first.

    ArgumentError for a command that is misspelled.
    """
    if not arguments:
        return ["serve"]
    first = arguments[0]
    if first in (*COMMANDS, "-h", "--help", "--version"):
        return list(arguments)
    meant = None if first.startswith("-") or os.path.lexists(first) else nearest(first, COMMANDS)
    if meant is not None:
        raise ArgumentError(f"{first!r} is no command and no file.{did_you_mean(f'rankdash {meant}')}")
    return ["open", *arguments]


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Open the dashboard with the demo comparison. It answers this machine alone, until it is stopped with Ctrl+C. "
        "It has no sign-in and no encryption: before you open it to others, put a proxy that has both in front."
    )
    _add_server(parser)


def _add_server(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--port", metavar="N", type=_port, help="where it listens; 8501 otherwise, or the next that is free")
    add("--host", metavar="ADDRESS", help="the interface that it listens on; localhost otherwise, 0.0.0.0 is every one")
    add(
        "--allowed-host",
        dest="names",
        metavar="NAME",
        action="append",
        default=[],
        help="a name under which others may open it; can be given several times",
    )
    add("--headless", action="store_true", help="open no browser")


def _add_open(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Open the dashboard with the comparison of the files of A and B, which is saved, or with a saved comparison by "
        "its id or link (rankdash list prints them). The dashboard is that of `rankdash serve`."
    )
    _add_saving(parser, "the baseline, or one file with both models, or the id or link of a saved comparison")
    _add_server(parser)


def _add_save(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Save the comparison of the files of A and B, with its verdict, and print the link to it. It is kept in the "
        "folder that RANKDASH_HOME names (~/.rankdash otherwise), or in the database of RANKDASH_DATABASE_URL."
    )
    _add_saving(parser, "the baseline, or one file with both models; left out with --votes alone")


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "List the saved comparisons, the last changed first: id, name, models, measure, verdict, decision and tags."
    )
    add = parser.add_argument
    add("words", metavar="WORD", nargs="*", help="only those that have all of these in their names, models and tags")
    add("--most", metavar="N", type=_whole, default=20, help="how many at most; 20 otherwise")
    add("--archived", action="store_true", help="the archived ones")


def _add_saving(parser: argparse.ArgumentParser, about_a: str) -> None:
    _add_tables(parser, about_a)
    parser.add_argument("--name", metavar="NAME", default="", help="what the comparison is called")
    _add_decisions(parser)


def _port(text: str) -> int:
    """Return a port. ArgumentTypeError for what is none."""
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port, a whole number from 1 to 65535")
    return int(text)


def _add_compare(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Compare the ranked lists of model A with those of model B. Without an output option a short table and the "
        "verdict are printed. With --gate the exit status is the verdict: 0 launch, 3 worse (harm is proven), "
        "4 too small, 5 not proven (possible harm and no gain in sight, too), 6 not comparable."
    )
    _add_tables(parser, "the baseline, or one file with both models; left out with --votes alone")
    add = parser.add_argument
    add("--scored", metavar="DIR", help="queries that `rankdash score` has scored, in place of A, B and judgments")
    _add_measures(parser)
    add("--experts", action="store_true", help="also permutation, bootstrap, Wilcoxon and sign test")
    add(
        "--looks",
        metavar="N",
        type=_whole,
        default=1,
        help="with how many states of the data this verdict was looked at, this one included",
    )
    add(
        "--candidates",
        metavar="N",
        type=_whole,
        default=1,
        help="how many models were compared with this A on these judgments, this B included",
    )
    add("--json", metavar="FILE", help="everything as JSON; - is standard output")
    add("--per-query", metavar="FILE", help="per-query values, as .csv or .parquet")
    add("--gate", action="store_true", help="exit with the verdict")
    _add_decisions(parser)


def _add_score(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Score the queries of A and B, and write every number about each of them as a folder of Parquet files, which "
        "can be moved. `rankdash compare --scored DIR` gives the verdict, without the lists."
    )
    parser.add_argument("a", metavar="A", help="the baseline, or one file with both models")
    parser.add_argument("b", metavar="B", nargs="?", help="the candidate; left out where A holds both models")
    add = parser.add_argument
    add("--out", "-o", metavar="DIR", required=True, help="the folder; an earlier one is replaced")
    add("--engine", choices=("memory", "spark"), default="memory", help="where: here, or by Spark Connect")
    add("--remote", metavar="sc://HOST:PORT", help="the Spark; otherwise one is started in this process (Sail)")
    add("--buckets", metavar="N", type=_whole, default=64, help="spark: how many parts; each has to fit into a worker")
    _add_lists(parser)
    _add_measures(parser)
    parser.set_defaults(votes=None, queries=None, missing_weight=None, edits=None, votes_hold=False)
    _add_decisions(parser)


def _add_measures(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--measure", "-m", dest="measures", metavar="M", action="append", nargs="+", default=[], help="also this one")


def _add_lists(parser: argparse.ArgumentParser) -> None:
    """What says how lists are scored."""
    add = parser.add_argument
    add("--judgments", "-q", metavar="Q", help="TREC qrels, CSV, TSV or Parquet; left out where the runs hold grades")
    add("--convention", "-c", metavar="PRESET", help=f"how measures are computed: {', '.join(PRESETS)}")
    add("--policy", "-p", metavar="FILE.toml", help="what a launch needs; the defaults otherwise")
    add("--order", choices=("auto", "score", "rank", "position"), default="auto", help="what orders the lists")


def _add_tables(parser: argparse.ArgumentParser, about_a: str) -> None:
    """What says which tables are compared, and how."""
    add = parser.add_argument
    add("a", metavar="A", nargs="?", help=about_a)
    add("b", metavar="B", nargs="?", help="the candidate; left out where A holds both models")
    _add_lists(parser)
    add("--votes", metavar="V", help="side-by-side human judgments: query, vote, and who voted")
    add("--queries", metavar="T", help="texts, weights and segments of the queries")
    add(
        "--missing-weight",
        choices=MISSING_WEIGHTS,
        type=_zero_or_one,
        help="what a judged query weighs that has no weight there: 0, it does not count, or 1, the number; has to be "
        "said where more than 5%% lack one, otherwise 0",
    )
    add("--edits", metavar="FILE.csv", help="edits as the Edit page saves them, made on these files")
    add("--votes-hold", action="store_true", help="count votes on lists that --edits changes in their first documents")


def _zero_or_one(text: str) -> float:
    """Return 0 or 1, however it is written. ArgumentTypeError for anything else."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not 0 or 1") from None


def _whole(text: str) -> int:
    """Return a whole number from 1. ArgumentTypeError for what is none."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def _add_decisions(parser: argparse.ArgumentParser) -> None:
    decisions = parser.add_argument_group(
        "what a file leaves open", f"each may begin with the input that it is for ({', '.join(INPUTS)}) and a colon"
    )
    decide = decisions.add_argument
    decide("--columns", metavar="MEANING=HEADING", nargs="+", action="extend", default=[], help="relevance=gain")
    decide("--grades", metavar="WORD=GRADE", nargs="+", action="extend", default=[], help="Exact=3 Irrelevant=0")
    decide("--encoding", nargs="+", action="extend", default=[], help="gb18030, shift_jis, judgments:latin-1, …")
    decide("--sheet", nargs="+", action="extend", default=[], help="of a workbook, by name or number from 1")
    decide("--member", nargs="+", action="extend", default=[], help="of an archive")
    decide("--header", metavar="ROW", nargs="+", action="extend", default=[], help="where the headings stand, from 1")
    decide(
        "--pair",
        metavar="A,B",
        action="append",
        default=[],
        help="which two models, A first: of a file with both, else of the votes; a name with a comma in quotes",
    )
    decide("--scores", metavar=("A", "B"), nargs=2, help="the scores of both models, for one LETOR file")
    decide("--groups", metavar="FILE", help="the sizes of the queries of a LETOR file without qid")


#: The arguments of the commands; a command that is not listed has none.
_TAKES: Mapping[str, Callable[[argparse.ArgumentParser], None]] = MappingProxyType(
    {
        "serve": _add_serve,
        "open": _add_open,
        "save": _add_save,
        "list": _add_list,
        "compare": _add_compare,
        "score": _add_score,
    }
)


def decided(options: argparse.Namespace, kind: str) -> dict[str, Any]:
    """Return the decisions about one input, as the readers take them. ArgumentError for one that is not understood."""
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
    for text in _one_by_one(option, getattr(options, option)):
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


def _one_by_one(option: str, texts: Sequence[str]) -> list[str]:
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
