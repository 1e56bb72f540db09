"""`rankdash compare A B C ...`: several candidates against one baseline, and the outputs that were named."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rankdash import Candidates, Comparison, Policy, Run, Verdict, decide, read_run
from rankdash.candidates import Pairs, candidates_of, check_count, names_of_files, one_of
from rankdash.case import Case, compared
from rankdash.cli import DONE, ArgumentError, progress, warn, write
from rankdash.cli.inputs import decided, given_policy, read_each, read_files
from rankdash.cli.saved import opened_store, tell_saved
from rankdash.intake import name_queries, without_seen
from rankdash.mistakes import check_roles
from rankdash.report.candidates import WRITERS, exported, to_text
from rankdash.report.notes import meaningful
from rankdash.report.text import warnings
from rankdash.scoring import compare_scored, inline_judgments, join_each
from rankdash.scoring.blocks import LARGE, rank_files
from rankdash.tables import Models, own_names

#: Options for a single pair, and their defaults.
_OF_A_PAIR: dict[str, Any] = dict.fromkeys(("votes", "github", "scores", "groups"))
_OF_A_PAIR |= {"pair": [], "looks": 1, "candidates": 1}
Tables = Mapping[str, Any]


def compare_candidates(options: argparse.Namespace, outputs: list[tuple[str, str]], models: Models | None) -> int:
    """Compare A with every other run, or those of one file, and write the outputs that were named."""
    for name, usual in _OF_A_PAIR.items():
        if getattr(options, name) != usual and not (models and name == "pair"):
            raise ArgumentError(f"--{name.replace('_', '-')} is for a single candidate. Remove it.")
    for path, form in outputs:
        if form not in WRITERS:
            raise ArgumentError(f"{path}: several candidates are written as {', '.join(WRITERS)}.")
    paths = [options.a] * len(models.runs) if models else [options.a, options.b, *options.more]
    policy = given_policy(options)
    check_count(len(paths) - 1)
    options.link = ""
    tables = read_files(options, ("judgments", "queries", "items", "seen"))
    if models:
        tables = {"judgments": models.judgments, **tables, "runs": models.runs}
    in_files = None if options.save or models else _in_files(options, paths, policy, tables)
    pair = in_files or _in_memory(options, paths, policy, tables)
    with progress("comparing"):
        more = (partial(_saved, options, policy),) if options.save else ()
        found = candidates_of(len(paths) - 1, pair, *more)
    warn([*found.set_aside, *_warnings(found, verbose=options.verbose)], verbose=options.verbose)
    return _written(options, outputs, found)


def _saved(
    options: argparse.Namespace, policy: Policy, comparisons: Sequence[Comparison], aside: tuple[str, ...]
) -> list[Verdict]:
    """Save the comparisons as one group, say how it is opened, and return the verdicts that its link shows."""
    with opened_store() as store:
        from rankdash.store import State, content_of, new_id, state_of

        contents = [content_of(one) for one in comparisons]
        states = [state_of(content, State(options.name, policy=policy, set_aside=aside)) for content in contents]
        saved = store.create_seen(*zip(contents, states, comparisons, strict=True), group=new_id())
        pairs = zip(comparisons, saved, strict=True)
        verdicts = [decide(one, store.looks(its), store.candidates(its, *saved)) for one, its in pairs]
    options.link = tell_saved(options, saved[0].id)
    return verdicts


def _warnings(found: Candidates, *, verbose: bool) -> list[str]:
    """Return what can change a number or a verdict: what concerns all candidates once, the rest under its candidate."""
    pairs = zip(found, found.verdicts, strict=True)
    each = {one.inputs.b.name: warnings(one, verdict, brief=True, verbose=verbose) for one, verdict in pairs}
    common = [line for line in next(iter(each.values())) if all(line in lines for lines in each.values())]
    return common + [f"{name}: {line}" for name, lines in each.items() for line in lines if line not in common]


def _written(options: argparse.Namespace, outputs: list[tuple[str, str]], found: Candidates) -> int:
    """Write every output, and return the exit status; the verdict on the best candidate is printed last."""
    for path, form in outputs:
        content = exported(found, form, options.link, options.name)
        if path == "-":
            sys.stdout.buffer.write(content)
            sys.stdout.flush()
        else:
            write(path, content)
    if not options.quiet and all(path != "-" for path, _ in outputs):
        sys.stdout.write(to_text(found))
    return found.verdict.exit_code if options.gate else DONE


def _in_files(options: argparse.Namespace, paths: list[str], policy: Policy, tables: Tables) -> Pairs | None:
    """Return how two large files are compared, each put in order once; None where they are read whole."""
    beside: dict[str, Any] = {name: tables.get(name) for name in ("items", "queries")}
    judgments = tables.get("judgments")
    size = sum(os.path.getsize(path) for path in paths if os.path.isfile(path))
    if judgments is None or "seen" in tables or size <= LARGE:
        return None
    how = [_how(options, at) for at in range(len(paths))]
    with progress("scoring"):
        files = rank_files(paths, judgments, policy, options.measures, how=how, **beside)
    if files is None:
        return None
    named = replace(files, runs=tuple(_named(files.runs, paths)))
    scored = {(0, at): named.scored(0, at) for at in range(1, len(paths))}
    if None in scored.values():
        return None

    def pair(a: int, b: int) -> Comparison:
        table = scored[a, b] if (a, b) in scored else named.scored(a, b)
        assert table is not None  # as it was of the same files
        found = compare_scored(table, policy, **beside, experts=options.experts)
        return meaningful(found if a else one_of(len(paths) - 1, found))

    return pair


def _in_memory(options: argparse.Namespace, paths: list[str], policy: Policy, tables: Tables) -> Pairs:
    """Return how two runs are compared that are read whole, each put in order once."""
    judgments, queries, items = map(tables.get, ("judgments", "queries", "items"))
    read = dict(enumerate(tables.get("runs", ())))
    if not read:
        read_each({at: partial(read_run, path, **_how(options, at)) for at, path in enumerate(paths)}, read)
    named = (name_queries(run, queries) for run in read.values())
    runs = _named([without_seen(run, tables.get("seen")) for run in named], paths)
    check_roles({run.name: run for run in runs}, judgments)
    judgments = judgments or inline_judgments(*runs)
    rankings = join_each(runs, judgments, depth=2 * policy.cutoff, items=items, queries=queries)
    more: dict[str, Any] = {"measures": options.measures, "experts": options.experts}

    def pair(a: int, b: int) -> Comparison:
        case, joined = Case((runs[a], runs[b]), judgments, queries, items=items), rankings(a, b)
        found = compared(case, policy, **more, rankings=lambda *_: joined)
        return meaningful(found if a else one_of(len(paths) - 1, found))

    return pair


def _how(options: argparse.Namespace, at: int) -> dict[str, Any]:
    """Return how a run is read: every candidate as B."""
    return {"order": options.order, **decided(options, "b" if at else "a", at)}


def _named(runs: Any, paths: list[str]) -> list[Run]:
    """Return runs under names that differ. ComparisonError where a file is given twice."""
    return [run.renamed(name) for run, name in zip(runs, names_of_files(own_names(runs), paths), strict=True)]
