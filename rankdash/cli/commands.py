"""The commands and what each of them takes: one row per command, one per option."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from rankdash import PRESETS, __version__
from rankdash.cli import BAD_INPUT, INPUTS, ArgumentError, tell
from rankdash.notes import whole_text
from rankdash.records import field, frozen
from rankdash.report import EXPORTS
from rankdash.strings import did_you_mean, nearest
from rankdash.tables import MISSING_WEIGHTS


@frozen
class Option:
    """One argument of a command: its names, its keywords for argparse, and whether it decides what a file leaves
    open.
    """

    names: tuple[str, ...]
    how: Mapping[str, Any]
    decides: bool = False


@frozen
class Command:
    """One command: ``runs`` is the module and the function of ``rankdash/cli/`` that run it, ``about`` what it is in a
    list of commands, ``usage`` what is typed behind its name. ``absent`` are values of options that it does not have.
    """

    name: str
    runs: str
    about: str
    description: str | None = None
    options: tuple[Option, ...] = ()
    absent: Mapping[str, Any] = field(default_factory=dict)
    usage: str = ""


class _Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line, without the usage."""

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Return the value of an option; ``--option=--`` is refused, of which argparse makes an empty list."""
        if action.option_strings and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings)}: -- is no value")
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        """Print the error and the command that shows the usage, and exit."""
        tell([f"{message[:1].upper()}{message[1:]}. See {self.prog} --help."])
        self.exit(BAD_INPUT)


def parser() -> argparse.ArgumentParser:
    """Return the parser; what it returns of a command line names its row of COMMANDS as ``command``."""
    whole = _Parser(
        prog="rankdash",
        description="Should model B replace model A?",
        epilog="Without a command, rankdash opens the dashboard. For a command, see rankdash COMMAND --help.",
    )
    whole.add_argument("--version", action="version", version=f"rankdash {__version__}")
    each = whole.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS.values():
        usage = f"rankdash {command.name} {command.usage} [OPTION ...]" if command.usage else None
        own = each.add_parser(command.name, help=command.about, description=command.description, usage=usage)
        own.set_defaults(command=command, **command.absent)
        deciding = None
        for option in command.options:
            if option.decides and deciding is None:
                deciding = own.add_argument_group("how to read a file", _DECIDING)
            (deciding if deciding and option.decides else own).add_argument(*option.names, **option.how)
    return whole


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Return what a command line says, its command among it. ArgumentError for what no command takes."""
    if halved := [word for word in arguments if whole_text(word) != word]:
        raise ArgumentError(f"{halved[0]!r} is not UTF-8. Rename the file, or write the name in UTF-8.")
    options, strange = parser().parse_known_args(routed(arguments))
    if strange:
        raise ArgumentError(_strange(options, strange[0]))
    return options


_TWO_RUNS = " Name runs one after the other. Only compare takes several candidates."


def _strange(options: argparse.Namespace, word: str) -> str:
    """Return that a command does not take a word, and what was probably meant."""
    command: Command = options.command
    if word.startswith("-"):
        names = [name for option in command.options for name in option.names if name.startswith("--")]
        meant = did_you_mean(nearest(word.partition("=")[0], names))
        return f"{word!r} is not an option of rankdash {command.name}.{meant} See rankdash {command.name} --help."
    as_judgments = "judgments" in options and options.judgments is None
    meant = did_you_mean(f"--judgments {word}") if as_judgments else _TWO_RUNS if "b" in options else ""
    return f"rankdash {command.name} does not take {word!r} here.{meant} See rankdash {command.name} --help."


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
    if meant is not None or (not os.path.lexists(first) and _WORD.fullmatch(first)):
        instead = did_you_mean(f"rankdash {meant}") if meant else " See rankdash --help."
        raise ArgumentError(f"{first!r} is neither a command nor a file.{instead}")
    return ["open", *arguments]


def _port(text: str) -> int:
    """Return a port. ArgumentTypeError for what is none."""
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port, a whole number from 1 to 65535")
    return int(text)


def _whole(text: str) -> int:
    """Return a whole number from 1. ArgumentTypeError for what is none."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def _option(*names: str, **how: Any) -> Option:
    return Option(names, how)


def _decision(*names: str, **how: Any) -> Option:
    return Option(names, how, decides=True)


def _preset(about: str) -> Option:
    return _option("--convention", "-c", metavar="PRESET", help=f"{about}: {', '.join(PRESETS)}")


#: What is neither an id nor a link nor a name of a file with an ending.
_WORD = re.compile(r"(?![0-9a-f]+\Z)[A-Za-z][A-Za-z_-]*")
_DECIDING = f"For a single input, write its name first: judgments:latin-1. Inputs: {', '.join(INPUTS)}."
_OF_A = "lists of the baseline, or one file with all models"
_AGAIN: Mapping[str, Any] = {"action": "append", "default": []}
_SEVERAL: Mapping[str, Any] = {"nargs": "+", "action": "extend", "default": []}
_NUMBER: Mapping[str, Any] = {"metavar": "N", "type": _whole, "default": 1}
_SERVER = (
    _option("--port", metavar="N", type=_port, help="port to listen on (default: 8501, or the next free one)"),
    _option("--host", metavar="ADDRESS", help="interface to listen on (default: localhost; all: 0.0.0.0)"),
    _option(
        "--allowed-host",
        dest="names",
        metavar="NAME",
        help="host name under which others open it; repeatable",
        **_AGAIN,
    ),
    _option("--headless", action="store_true", help="do not open a browser"),
)
_JUDGMENTS = _option(
    "--judgments", "-q", metavar="Q", help="judgments: TREC qrels, CSV, TSV, … (optional if runs have grades)"
)
_ORDERS: Mapping[str, Any] = {"choices": ("auto", "score", "rank", "position"), "default": "auto"}
_ORDER = _option("--order", help="order of the lists; auto: TREC runs by score, tables by rank if any", **_ORDERS)
_VERBOSE = _option("--verbose", "-v", action="store_true", help="print all warnings, and how each file was read")
_OF_USERS = (
    _option("--min-grade", metavar="GRADE", type=float, help="lowest grade of a relevant document: 4 of 5 stars"),
    _option("--seen", metavar="S", help="table of users and items that they have seen; these leave their lists"),
)
#: What says how lists are scored.
_LISTS = (
    _JUDGMENTS,
    _preset("how to compute measures"),
    _option("--policy", "-p", metavar="FILE.toml", help="what a launch needs (default: the built-in policy)"),
    *_OF_USERS,
    _ORDER,
    _VERBOSE,
)
_ITEMS = (
    _option("--items", metavar="I", help="titles, categories, dates, vectors or users of the documents"),
    _option("--at", metavar="DATE", help="when the queries were asked, as in 2026-11-01, for measures of time"),
)
_NAMED: Mapping[str, Any] = {"dest": "measures", "metavar": "M", **_SEVERAL}
_MEASURES = _option("--measure", "-m", help="also compute these: nDCG@5, map, P.5,10, …", **_NAMED)
_SECOND = _option("b", metavar="B", nargs="?", help="lists of the candidate (none if A has both models)")
_MORE = _option("more", metavar="C", nargs="*", help="more candidates, up to 20 in all")
#: Options for the tables that are compared with A, and how.
_TABLES = (
    _SECOND,
    *_LISTS,
    _option("--votes", metavar="V", help="side-by-side votes: query, vote, rater"),
    _option("--queries", metavar="T", help="texts, weights and segments of the queries"),
    *_ITEMS,
    _option(
        "--missing-weight",
        choices=MISSING_WEIGHTS,
        type=float,
        help="weight of a judged query that lacks one: 0 (default) ignores it; required if more than 5%% lack one",
    ),
)
#: What else a verdict is made of.
_COMPARED = (
    _MEASURES,
    _option("--experts", action="store_true", help="also run permutation, bootstrap, Wilcoxon and sign tests"),
    _option("--looks", help="how many versions of the data you tried, this one included", **_NUMBER),
    _option("--candidates", help="how many models you compared with A on these judgments, B included", **_NUMBER),
)
_QUIET = _option("--quiet", action="store_true", help="print only problems and requested output")
_NAME = _option("--name", metavar="NAME", default="", help="name of the comparison")
#: What is printed and written of a comparison.
_OUTPUTS = (
    _option("--json", metavar="FILE", help="write everything as JSON (-: standard output)"),
    _option(
        "--out",
        "-o",
        dest="outputs",
        metavar="FILE",
        help="write a report, or values per query as .csv or .parquet; repeatable",
        **_AGAIN,
    ),
    _option("--gate", action="store_true", help="set the exit status by the verdict"),
    _option("--github", metavar="NAME", help="in GitHub Actions: summary, warnings, one comment under this name"),
    _option("--save", action="store_true", help="also save the comparison, with its link in the outputs"),
    _QUIET,
)
_DECISIONS = (
    _decision("--columns", metavar="MEANING=HEADING", help="column with a meaning: relevance=gain", **_SEVERAL),
    _decision("--grades", metavar="WORD=GRADE", help="grade of a word: Exact=3 Irrelevant=0", **_SEVERAL),
    _decision("--encoding", help="encoding of a text file: gb18030, shift_jis, …", **_SEVERAL),
    _decision("--sheet", help="sheet of a workbook, by name or number; or one for each run", **_SEVERAL),
    _decision("--member", help="file in an archive; or one for each run", **_SEVERAL),
    _decision(
        "--pair",
        metavar="A,B",
        help="names of the models, A first; A alone: compare all others with it; quote a name that has a comma",
        **_AGAIN,
    ),
    _decision("--scores", metavar=("A", "B"), nargs=2, help="scores of both models, for one LETOR file"),
    _decision("--groups", metavar="FILE", help="lines per query, for a LETOR file without qid"),
)


def _first(about: str) -> Option:
    """Return the argument A that may be left out."""
    return _option("a", metavar="A", nargs="?", help=about)


#: Single runs with their judgments, the measures of these runs, and how they are read.
_RUNS = (_option("runs", metavar="RUN", nargs="*", help="lists of a model"), _JUDGMENTS)
_MEASURED = _option(
    "--measure",
    "-m",
    help="measures: nDCG@10, ndcg_cut.10, P.5,10, mrr@10, …; official: what trec_eval prints, except gm_map and "
    "iprec_at_recall; write it after the runs",
    **_NAMED,
)
#: The forms in which values of runs are written.
_FORMS = ("text", "trec_eval", "json", "csv")
_READING = (*_OF_USERS, _ORDER, _VERBOSE, *_DECISIONS[:6])
_SAVED = "or the id or link of a saved comparison"
_ALL = (
    Command(
        "serve",
        "serve.open_dashboard",
        "open the dashboard",
        "Open the dashboard with the demo comparison until Ctrl+C. Only this machine can reach it. It has no sign-in "
        "and no encryption. Before you open it to others, put a proxy with both in front.",
        _SERVER,
    ),
    Command(
        "open",
        "saved.open_",
        "open the dashboard with files, or with a saved comparison",
        "Save the comparison of two files and open the dashboard on it, or open a saved comparison. The short form is "
        "`rankdash A B -q Q`.",
        (_first(f"{_OF_A}, {_SAVED}"), *_TABLES, _NAME, *_DECISIONS, *_SERVER),
        usage="A B -q Q",
    ),
    Command(
        "save",
        "saved.save",
        "save a comparison, and print the link to it",
        "Save the comparison of two files with its verdict, and print its link. Without RANKDASH_URL, print its id. "
        "The store is the folder RANKDASH_HOME (default: ~/.rankdash) or the database RANKDASH_DATABASE_URL.",
        (_first(f"{_OF_A}; optional with --votes"), *_TABLES, _NAME, _QUIET, *_DECISIONS),
        usage="A B -q Q",
    ),
    Command(
        "list",
        "saved.list_",
        "list the saved comparisons",
        "List the saved comparisons, the last changed first.",
        (
            _option(
                "words", metavar="WORD", nargs="*", help="show only those that say all these words, in a decision too"
            ),
            _option("--most", metavar="N", type=_whole, default=20, help="list at most N (default: 20)"),
        ),
    ),
    Command(
        "clean",
        "saved.clean",
        "remove files that no saved comparison uses",
        "Remove files that no saved comparison uses. A program that was killed while saving leaves such files. If the "
        "database and the files belong to different stores, nothing is removed.",
    ),
    Command(
        "upgrade",
        "saved.upgrade",
        "upgrade the store of an older rankdash",
        "Upgrade the store of an older rankdash. A SQLite database is copied first. Copy a PostgreSQL database "
        "yourself. No other command upgrades a store.",
        (_option("--copied", action="store_true", help="you copied the database (PostgreSQL)"),),
    ),
    Command(
        "compare",
        "comparing.compare_",
        "compare two or more models and give a verdict",
        "Compare the ranked lists of A and B, or of A and several candidates. Without an output option, print a short "
        "table and the verdict. With --gate the exit status is the verdict on the best candidate: 0 launch, 3 worse, "
        "4 gain too small, 5 not proven, 6 not comparable. Of several candidates, --save saves one comparison each, "
        "and the dashboard shows them together; --out FILE.csv writes one table with a column candidate.",
        (
            _first(f"{_OF_A}, or a file of `rankdash score`; optional with --votes"),
            *(_SECOND, _MORE, *_TABLES[1:], *_COMPARED, *_OUTPUTS, _NAME, *_DECISIONS),
        ),
        usage="A B [C ...] -q Q",
    ),
    Command(
        "report",
        "comparing.report_",
        "write a report",
        "Write the report on A and B, or on a saved comparison. --format or the ending of the file sets its format.",
        (
            _first(f"{_OF_A}, {_SAVED}"),
            *(*_TABLES, *_COMPARED),
            _option("--out", "-o", metavar="FILE", required=True, help="file to write (-: standard output)"),
            _option("--format", "-f", choices=tuple(EXPORTS), help="format (default: by the ending)"),
            *(_NAME, *_DECISIONS),
        ),
        {"gate": False, "github": None, "quiet": True},
        usage="A B -q Q -o FILE",
    ),
    Command(
        "evaluate",
        "measures.evaluate_",
        "print the measures of one or several runs",
        "Print the means of measures over the judged queries. Without -m these are nDCG@10, AP, RR, P@10, R@100 and "
        "Judged@10. The names of trec_eval, ranx, PyTerrier and ir_measures work. For a verdict, use rankdash compare.",
        (
            *(*_RUNS, _MEASURED),
            _option("--per-query", action="store_true", help="also print the value of each query"),
            _option("--format", "-f", choices=_FORMS, default="text", help="format (default: text)"),
            _preset("how to compute measures (default: standard; with --format trec_eval: trec_eval-9)"),
            *(*_ITEMS, *_READING),
        ),
        usage="RUN [RUN ...] -q Q",
    ),
    Command(
        "explain",
        "measures.explain_",
        "print how a number is computed, rank by rank",
        "Print how measures of one query are computed, rank by rank: grades, gains and discounts of the list and the "
        "ideal list, and the sum. Without -m the measure is nDCG@10.",
        (
            *_RUNS,
            _option("--query", dest="query_id", metavar="ID", required=True, help="id of the query"),
            *(_MEASURED, _preset("how to compute measures (default: standard)"), *_ITEMS, *_READING),
        ),
        usage="RUN [RUN ...] -q Q --query ID",
    ),
    Command(
        "score",
        "comparing.score_",
        "score the queries of two models, for compare",
        "Score the queries of A and B and write the numbers of each query to a Parquet file. `rankdash compare FILE` "
        "gives the verdict without the lists.",
        (
            _option("a", metavar="A", help=_OF_A),
            _SECOND,
            _option("--out", "-o", metavar="FILE", required=True, help="Parquet file to write"),
            *(*_LISTS, *_ITEMS, _MEASURES, *_DECISIONS),
        ),
        {"votes": None, "queries": None, "missing_weight": None},
        usage="A B -q Q --out FILE",
    ),
    Command(
        "measures",
        "measures.measures_",
        "print measures and conventions, with their definitions",
        options=(_option("names", metavar="NAME", nargs="*", help="show only these: nDCG, map, trec_eval-9, …"),),
    ),
)
#: The commands by name, in the order of a list of them.
COMMANDS: Mapping[str, Command] = {command.name: command for command in _ALL}
