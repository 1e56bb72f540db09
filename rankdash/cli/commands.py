"""The commands and what each of them takes: one row per command, one per option."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from rankdash import PRESETS, __version__
from rankdash.cli.telling import BAD_INPUT, INPUTS, ArgumentError, tell
from rankdash.report.exports import EXPORTS
from rankdash.strings import did_you_mean, nearest, whole_text
from rankdash.tables import MISSING_WEIGHTS


@dataclass(frozen=True)
class Option:
    """One argument of a command: its names, its keywords for argparse, and whether it decides what a file leaves
    open.
    """

    names: tuple[str, ...]
    how: Mapping[str, Any]
    decides: bool = False


@dataclass(frozen=True)
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
    """A parser that tells what is wrong in one line, without the usage of everything."""

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Return the value of an option; ``--option=--`` is refused, of which argparse makes an empty list."""
        if action.option_strings and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings)}: -- is no value")
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        """Tell what is wrong, and where to read what is right; exit."""
        tell([f"{message[:1].upper()}{message[1:]}. {self.prog} --help says what it takes."])
        self.exit(BAD_INPUT)


def parser() -> argparse.ArgumentParser:
    """Return the parser; what it returns of a command line names its row of COMMANDS as ``command``."""
    whole = _Parser(
        prog="rankdash",
        description="Should model B replace model A?",
        epilog="Without a command the dashboard is opened. rankdash COMMAND --help says what a command takes.",
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
                deciding = own.add_argument_group("what a file leaves open", _DECIDING)
            (deciding if deciding and option.decides else own).add_argument(*option.names, **option.how)
    return whole


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Return what a command line says, its command among it. ArgumentError for what no command takes."""
    if halved := [word for word in arguments if whole_text(word) != word]:
        raise ArgumentError(f"{halved[0]!r} is not UTF-8: rename the file, or write it in UTF-8.")
    options, strange = parser().parse_known_args(routed(arguments))
    if strange:
        raise ArgumentError(_strange(options, strange[0]))
    return options


_TWO_RUNS = " Name all runs one after the other. Only compare takes several candidates, and evaluate several runs."


def _strange(options: argparse.Namespace, word: str) -> str:
    """Return that a command does not take a word, and what was probably meant."""
    command: Command = options.command
    if word.startswith("-"):
        names = [name for option in command.options for name in option.names if name.startswith("--")]
        meant = did_you_mean(nearest(word.partition("=")[0], names))
        return f"{word!r} is no option of rankdash {command.name}.{meant} rankdash {command.name} --help lists them."
    as_judgments = "judgments" in options and options.judgments is None
    meant = did_you_mean(f"--judgments {word}") if as_judgments else _TWO_RUNS if "b" in options else ""
    return (
        f"rankdash {command.name} does not take {word!r} here.{meant} rankdash {command.name} --help says what it does."
    )


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
        instead = did_you_mean(f"rankdash {meant}") if meant else " rankdash --help lists the commands."
        raise ArgumentError(f"{first!r} is no command and no file.{instead}")
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
_DECIDING = f"each may begin with the input that it is for ({', '.join(INPUTS)}) and a colon"
_OF_A = "the lists of A, the baseline, or one file with both models"
_AGAIN: Mapping[str, Any] = {"action": "append", "default": []}
_SEVERAL: Mapping[str, Any] = {"nargs": "+", "action": "extend", "default": []}
_NUMBER: Mapping[str, Any] = {"metavar": "N", "type": _whole, "default": 1}
_SERVER = (
    _option("--port", metavar="N", type=_port, help="where it listens; 8501 otherwise, or the next that is free"),
    _option("--host", metavar="ADDRESS", help="the interface it listens on; localhost otherwise, 0.0.0.0 is every one"),
    _option(
        "--allowed-host", dest="names", metavar="NAME", help="a name by which others open it; repeatable", **_AGAIN
    ),
    _option("--headless", action="store_true", help="open no browser"),
)
_JUDGMENTS = _option("--judgments", "-q", metavar="Q", help="TREC qrels, CSV, TSV, …; left out where runs hold grades")
_ORDERS: Mapping[str, Any] = {"choices": ("auto", "score", "rank", "position"), "default": "auto"}
_ORDER = _option("--order", help="what orders the lists; auto: TREC runs by score, tables by rank if any", **_ORDERS)
_VERBOSE = _option("--verbose", "-v", action="store_true", help="also what was understood of each file")
#: What says how lists are scored.
_LISTS = (
    _JUDGMENTS,
    _preset("how measures are computed"),
    _option("--policy", "-p", metavar="FILE.toml", help="what a launch needs; the defaults otherwise"),
    _ORDER,
    _VERBOSE,
)
_NAMED: Mapping[str, Any] = {"dest": "measures", "metavar": "M", **_SEVERAL}
_MEASURES = _option("--measure", "-m", help="also this measure: nDCG@5, map, P.5,10, …", **_NAMED)
_SECOND = _option("b", metavar="B", nargs="?", help="the candidate; left out where A holds both models")
_MORE = _option("more", metavar="C", nargs="*", help="more candidates, up to 20 in all; A is compared with each")
#: What says which tables are compared with those of A, and how.
_TABLES = (
    _SECOND,
    *_LISTS,
    _option("--votes", metavar="V", help="side-by-side human judgments: query, vote, and who voted"),
    _option("--queries", metavar="T", help="texts, weights and segments of the queries"),
    _option(
        "--missing-weight",
        choices=MISSING_WEIGHTS,
        type=float,
        help="what a judged query weighs that has no weight there: 0, it does not count, or 1, the number; has to be "
        "said where more than 5%% lack one, otherwise 0",
    ),
)
#: What else a verdict is made of.
_COMPARED = (
    _MEASURES,
    _option("--experts", action="store_true", help="also permutation, bootstrap, Wilcoxon and sign test"),
    _option("--looks", help="with how many states of the data this verdict was looked at, with this one", **_NUMBER),
    _option("--candidates", help="how many models were compared with this A on these judgments, with B", **_NUMBER),
)
_NAME = _option("--name", metavar="NAME", default="", help="what the comparison is called")
#: What is printed and written of a comparison.
_OUTPUTS = (
    _option("--json", metavar="FILE", help="everything as JSON; - is standard output"),
    _option("--per-query", metavar="FILE", help="per-query values, as .csv or .parquet"),
    _option("--out", "-o", dest="outputs", metavar="FILE", help="file in the form of its ending; repeatable", **_AGAIN),
    _option("--gate", action="store_true", help="exit with the verdict"),
    _option("--github", metavar="NAME", help="in GitHub Actions: summary, warnings, and one comment of this gate"),
    _option("--save", action="store_true", help="save it too, and name its link in what is written"),
    _option("--quiet", action="store_true", help="print problems, and nothing else"),
)
_DECISIONS = (
    _decision("--columns", metavar="MEANING=HEADING", help="the column of a meaning, as relevance=gain", **_SEVERAL),
    _decision("--grades", metavar="WORD=GRADE", help="the grade of a word, as Exact=3 Irrelevant=0", **_SEVERAL),
    _decision("--encoding", help="of a text: gb18030, shift_jis, judgments:latin-1, …", **_SEVERAL),
    _decision("--sheet", help="the sheet of a workbook, by name or number from 1", **_SEVERAL),
    _decision("--member", help="the file of an archive", **_SEVERAL),
    _decision("--header", metavar="ROW", help="the row of the headings, from 1", **_SEVERAL),
    _decision(
        "--pair",
        metavar="A,B",
        help="which two models, A first: of a file with both, else of the votes; a name with a comma in quotes",
        **_AGAIN,
    ),
    _decision("--scores", metavar=("A", "B"), nargs=2, help="the scores of both models, for one LETOR file"),
    _decision("--groups", metavar="FILE", help="the sizes of the queries of a LETOR file without qid"),
)


def _first(about: str) -> Option:
    """Return the argument A that may be left out."""
    return _option("a", metavar="A", nargs="?", help=about)


#: Single runs with their judgments, the measures of these runs, and how they are read.
_RUNS = (_option("runs", metavar="RUN", nargs="*", help="the lists of a model"), _JUDGMENTS)
_MEASURED = _option(
    "--measure",
    "-m",
    help="this one (nDCG@10, ndcg_cut.10, P.5,10, mrr@10, …), or official, those that trec_eval prints, without gm_map "
    "and iprec_at_recall; can be given several times; behind the runs",
    **_NAMED,
)
#: The forms in which values of runs are written.
_FORMS = ("text", "trec_eval", "json", "csv")
_READING = (_ORDER, _VERBOSE, *_DECISIONS[:6])
_SAVED = "or the id (or its beginning) or link of a saved comparison"
_ALL = (
    Command(
        "serve",
        "serve.open_dashboard",
        "open the dashboard",
        "Open the dashboard with the demo comparison, for this machine alone, until Ctrl+C. It has no sign-in and no "
        "encryption: before you open it to others, put a proxy that has both in front.",
        _SERVER,
    ),
    Command(
        "open",
        "saved.open_",
        "open the dashboard with files, or with a saved comparison",
        "Open the dashboard with the comparison of the files of A and B, which is saved, or with a saved comparison. "
        "`rankdash A B -q Q` does it too.",
        (_first(f"{_OF_A}, {_SAVED}"), *_TABLES, _NAME, *_DECISIONS, *_SERVER),
        usage="A B -q Q",
    ),
    Command(
        "save",
        "saved.save",
        "save a comparison, and print the link to it",
        "Save the comparison of the files of A and B, with its verdict, and print the link to it below RANKDASH_URL; "
        "where that is not set, its id. It is kept in the folder RANKDASH_HOME (~/.rankdash otherwise), or in the "
        "database of RANKDASH_DATABASE_URL.",
        (_first(f"{_OF_A}; left out with --votes alone"), *_TABLES, _NAME, *_DECISIONS),
        usage="A B -q Q",
    ),
    Command(
        "list",
        "saved.list_",
        "list the saved comparisons",
        "List the saved comparisons, the last changed first: id, name, models, measure, verdict, decision and tags.",
        (
            _option("words", metavar="WORD", nargs="*", help="only those with all of these in names, models and tags"),
            _option("--most", metavar="N", type=_whole, default=20, help="how many at most; 20 otherwise"),
        ),
    ),
    Command(
        "clean",
        "saved.clean",
        "remove files that no saved comparison has",
        "Remove files that no saved comparison has, as a program leaves them that was killed while it saved. Where the "
        "database and the files belong to different stores nothing is removed.",
    ),
    Command(
        "upgrade",
        "saved.upgrade",
        "bring the store of an older rankdash up to this one",
        "Bring the store of an older rankdash up to this one. A database of SQLite is copied beside itself before; one "
        "of PostgreSQL has to be copied by you. No other command does this on its way.",
        (_option("--copied", action="store_true", help="the database was copied (PostgreSQL)"),),
    ),
    Command(
        "compare",
        "comparing.compare_",
        "compare two ranked lists per query, and give a verdict",
        "Compare the ranked lists of model A with those of model B. Without an output option a short table and the "
        "verdict are printed. With --gate the exit status is the verdict: 0 launch, 3 worse (harm is proven), "
        "4 too small, 5 not proven (possible harm and no gain in sight, too), 6 not comparable. Of several "
        "candidates it is the verdict on the best.",
        (
            _first(f"{_OF_A}, or queries that `rankdash score` has scored; left out with --votes alone"),
            *(_SECOND, _MORE, *_TABLES[1:], *_COMPARED, *_OUTPUTS, _NAME, *_DECISIONS),
        ),
        usage="A B [C ...] -q Q",
    ),
    Command(
        "report",
        "comparing.report_",
        "write a verdict as HTML, or in another form",
        "Write the verdict on A and B, or on a saved comparison with its decision, in the form that the ending of the "
        "file or --format says.",
        (
            _first(f"{_OF_A}, {_SAVED}"),
            *(*_TABLES, *_COMPARED),
            _option("--out", "-o", metavar="FILE", required=True, help="the file; - is standard output"),
            _option("--format", "-f", choices=tuple(EXPORTS), help="its form; otherwise its ending says it"),
            *(_NAME, *_DECISIONS),
        ),
        {"gate": False, "github": None, "quiet": True, "per_query": None},
        usage="A B -q Q -o FILE",
    ),
    Command(
        "evaluate",
        "measures.evaluate_",
        "print the measures of one run or several",
        "Print the means of measures over the judged queries, for one run or several: as a table, as trec_eval prints "
        "them, as JSON or CSV. Without -m they are nDCG@10, AP, RR, P@10, R@100 and Judged@10. Measures are named as "
        "in trec_eval, ranx, PyTerrier and ir_measures. There is no verdict: rankdash compare.",
        (
            *(*_RUNS, _MEASURED),
            _option("--per-query", action="store_true", help="also the value of each query"),
            _option("--format", "-f", choices=_FORMS, help="otherwise the ending of --out says it, or it is text"),
            _option("--out", "-o", metavar="FILE", help="write it into this file; - is standard output"),
            _preset("how measures are computed; standard otherwise, with --format trec_eval trec_eval-9"),
            *_READING,
        ),
        usage="RUN [RUN ...] -q Q",
    ),
    Command(
        "explain",
        "measures.explain_",
        "print how one number comes about, rank by rank",
        "Print the calculation of measures for one query of a run, or of several, so that it can be redone by hand: "
        "grades, gains and discounts of the list and of the ideal one, the sum, and what it is divided by; of nDCG@10 "
        "where no measure is named.",
        (
            *_RUNS,
            _option("--query", dest="query_id", metavar="ID", required=True, help="the query, by its id"),
            *(_MEASURED, _preset("standard otherwise"), *_READING),
        ),
        usage="RUN [RUN ...] -q Q --query ID",
    ),
    Command(
        "score",
        "comparing.score_",
        "score the queries of two ranked lists, for compare",
        "Score the queries of A and B, and write every number about each of them as one Parquet file, of which "
        "`rankdash compare FILE` gives the verdict, without the lists.",
        (
            _option("a", metavar="A", help=_OF_A),
            _SECOND,
            _option("--out", "-o", metavar="FILE", required=True, help="the Parquet file; an earlier one is replaced"),
            *(*_LISTS, _MEASURES, *_DECISIONS),
        ),
        {"votes": None, "queries": None, "missing_weight": None},
        usage="A B -q Q --out FILE",
    ),
    Command(
        "measures",
        "measures.measures_",
        "print measures and conventions, with their definitions",
        options=(_option("names", metavar="NAME", nargs="*", help="only this one: nDCG, map, trec_eval-9, …"),),
    ),
)
#: The commands by name, in the order of a list of them.
COMMANDS: Mapping[str, Command] = {command.name: command for command in _ALL}
