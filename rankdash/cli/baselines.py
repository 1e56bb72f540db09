"""Baselines at a shell: ``rankdash baseline set NAME RUN``, ``list``, ``remove``, and lists named ``baseline:NAME``."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace

from rankdash import Judgments, Run, installation, read_judgments, read_run
from rankdash.baselines import Baseline, BaselineError, Shelf
from rankdash.cli.decisions import BASELINE, ArgumentError, decided
from rankdash.cli.telling import DONE, SavingError, progress, tell
from rankdash.wording import count, literal

#: The environment variable that names the folder or URL, where --baselines does not.
SETTING = "RANKDASH_BASELINES"


def baseline_(options: argparse.Namespace) -> int:
    """Set, list or remove baselines. ArgumentError for names too many or too few."""
    takes, act = _ACTIONS[options.action]
    given = tuple(name for name in ("name", "a") if getattr(options, name) is not None)
    if given != takes:
        raise ArgumentError(f"rankdash baseline {options.action} takes {_TAKEN[takes]}.")
    try:
        act(options)
    except BaselineError as error:
        raise SavingError(str(error)) from None
    return DONE


def named_baseline(options: argparse.Namespace, side: str) -> Baseline:
    """Return the baseline that is named in place of the lists of A or B. SavingError where it cannot be read.

    ArgumentError for a decision about how it is read: it was read when it was set.
    """
    if decided(options, side):
        raise ArgumentError(
            f"{getattr(options, side)} was read when it was set: leave out what is decided about {side}."
        )
    return kept_baseline(options, getattr(options, side))


def kept_baseline(options: argparse.Namespace, named: str) -> Baseline:
    """Return the baseline that is ``named``, baseline:NAME. SavingError where it cannot be read."""
    try:
        return shelf(options).take(named.removeprefix(BASELINE))
    except BaselineError as error:
        raise SavingError(str(error)) from None


def shelf(options: argparse.Namespace) -> Shelf:
    """Return where baselines are kept: the folder that is named, that of the environment, or the store's files."""
    place = options.baselines or os.environ.get(SETTING, "").strip()
    if place:
        return Shelf.at(place)
    try:
        from rankdash.store import Settings, StoreError
    except ModuleNotFoundError as error:
        lacking = installation.of_error(error)
        if lacking is None:
            raise
        raise SavingError(f"{lacking} A folder for baselines needs nothing: --baselines DIR, or {SETTING}.") from None
    try:
        settings = Settings.from_environment()
    except StoreError as error:
        raise SavingError(str(error)) from None
    if not settings.on:
        raise SavingError(f"Nothing is saved here (RANKDASH_STORE is off): name a folder, --baselines or {SETTING}.")
    files = Shelf.at(settings.files or str(settings.home / "files"))
    return replace(files, root=f"{files.root}/baselines", where=f"{files.where}/baselines", is_private=True)


def _set(options: argparse.Namespace) -> None:
    progress("reading")
    run = read_run(options.a, order=options.order, **decided(options, "a"))
    judgments = None if options.judgments is None else _judgments(options)
    progress("")
    kept = Baseline.of(options.name, run, judgments)
    shelf(options).keep(kept)
    tell(run.source.notes)
    sys.stdout.write(f"Baseline {kept.name}: {_lists(run)}\n")


def _judgments(options: argparse.Namespace) -> Judgments:
    return read_judgments(options.judgments, **decided(options, "judgments"))


def _list(options: argparse.Namespace) -> None:
    place = shelf(options)
    for name in place.names():
        baseline = place.take(name)
        judged_by = "" if baseline.judged_by is None else f", beside {literal(baseline.judged_by.name)}"
        sys.stdout.write(f"{name}  {baseline.kept:%Y-%m-%d %H:%M}  {_lists(baseline.run)}{judged_by}\n")


def _remove(options: argparse.Namespace) -> None:
    shelf(options).remove(options.name)


def _lists(run: Run) -> str:
    source = f", from {literal(run.source.name)}" if run.source.name else ""
    return f"{literal(run.name)}, {count(len(run.table), 'row', 'rows')}{source}"


#: What each action takes, and what does it; what it takes in words.
_ACTIONS = {"set": (("name", "a"), _set), "list": ((), _list), "remove": (("name",), _remove)}
_TAKEN = {("name", "a"): "a name and lists: NAME RUN", (): "no name", ("name",): "a name: NAME"}
