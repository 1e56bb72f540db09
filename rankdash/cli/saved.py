"""Saved comparisons at a shell: ``save``, ``list``, ``clean`` and ``upgrade``, and the dashboard opened on one of them.

Whatever needs the packages of the store is imported where it is called, for no other command needs them.
"""

from __future__ import annotations

import argparse
import os.path
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from rankdash import ComparisonError, decide
from rankdash.cli import BAD_INPUT, DONE, SavingError, print_mistakes, progress, tell, warn
from rankdash.cli.inputs import check_judged, given_case, given_policy
from rankdash.cli.serve import check_port, open_dashboard
from rankdash.report.saved import listed_text
from rankdash.report.text import warnings
from rankdash.strings import base_address, comparison_link, showable
from rankdash.wording import count

if TYPE_CHECKING:
    from rankdash.store import Store

#: Options that say something about files, and nothing about a saved comparison.
_ABOUT_FILES = "b judgments votes queries missing_weight items at policy convention min_grade seen name pair".split()

_MEGABYTE = 1_000_000
#: The sentences beside an id that has no link, and on an address that no link can begin with.
OPENED_WITH = "Open it with `rankdash open {id}`. For a link, set RANKDASH_URL to the address of your dashboard."
_NO_ADDRESS = "RANKDASH_URL is not an address: {url}. Write it like https://rank.example/team."


def save(options: argparse.Namespace) -> int:
    """Save a comparison with its verdict, and print the link to it, or its id where there is nothing to link to."""
    id = saved_id(options)
    if id is None:
        return BAD_INPUT
    link = link_to(id)
    if not link and not options.quiet:
        tell([OPENED_WITH.format(id=id)])
    sys.stdout.write(f"{link or id}\n")
    return DONE


def list_(options: argparse.Namespace) -> int:
    """Print a table of the saved comparisons."""
    with opened_store() as store:
        from rankdash.store import Search

        words = " ".join(options.words)
        listed = store.listed(Search(words, most=options.most))
    sys.stdout.write(listed_text(listed, words))
    return DONE


def clean(_: argparse.Namespace) -> int:
    """Remove the files that no saved comparison has, and print how many these were."""
    with opened_store() as store:
        files, size = store.clean()
    sys.stdout.write(f"{count(files, 'file', 'files')} removed, {size / _MEGABYTE:,.1f} MB.\n")
    return DONE


def upgrade(options: argparse.Namespace) -> int:
    """Bring an older store up to this version, and print where its database is."""
    from rankdash.store import Settings, Store, StoreError

    try:
        where = Store.upgrade(Settings.from_environment(), copied=options.copied)
    except StoreError as error:
        raise SavingError(str(error)) from None
    sys.stdout.write(f"{where} is up to date.\n")
    return DONE


def open_(options: argparse.Namespace) -> int:
    """Open the dashboard on a saved comparison, or on the comparison of some files, which is saved first."""
    if options.port is not None:
        check_port(options.port, options.host)  # before anything is saved
    id = named_id(options)
    if id is None:
        id = saved_id(options)
    else:
        with opened_store() as store:
            store.head(id)  # whether there is one
    return BAD_INPUT if id is None else open_dashboard(options, id)


def link_to(id: str) -> str:
    """Return the link to a saved comparison below RANKDASH_URL; "" where there is none. A RANKDASH_URL that is no
    address is reported.
    """
    base = base_address()
    link = comparison_link(base, id)
    if base and not link:
        tell([_NO_ADDRESS.format(url=showable(base))])
    return link


def tell_saved(options: argparse.Namespace, id: str) -> str:
    """Say how what was saved is opened, and return the link to it; "" where there is none."""
    link = link_to(id)
    if not options.quiet:
        tell([f"Saved: {link or OPENED_WITH.format(id=id)}"])
    return link


def named_id(options: argparse.Namespace) -> str | None:
    """Return the id of a saved comparison where one is named and not a file. SavingError for what
    is neither, ComparisonError where nothing is named.
    """
    if options.a is None and options.votes is None:
        raise ComparisonError("Name the lists of A and B, or the id or link of a saved comparison (rankdash list).")
    if options.a is None or os.path.lexists(options.a) or any(getattr(options, name) for name in _ABOUT_FILES):
        return None
    try:
        linked = parse_qs(urlsplit(options.a).query).get("comparison")
    except ValueError:
        linked = None
    if not linked and not options.a.isalnum():
        named = showable(options.a) if "@" in options.a or "://" in options.a else options.a[:200]
        raise SavingError(f"{named!r} is neither a file nor the id or link of a saved comparison (rankdash list).")
    return linked[0] if linked else str(options.a)


def saved_id(options: argparse.Namespace, *, silent: bool = False) -> str | None:
    """Save a comparison of files with its verdict as it is now, and return its id; None where its files are refused.
    Write warnings unless ``silent``.
    """
    policy, content = given_policy(options), given_case(options)
    if content.runs is not None:
        check_judged({options.a: content.a, options.b: content.b}, content.judgments)
    with opened_store() as store:
        from rankdash.store import State, comparison_of, state_of

        with progress("comparing"):
            state = state_of(content, State(options.name, policy=policy))
            comparison = comparison_of(content, state)
        if print_mistakes(comparison, silent=silent):
            return None
        if not silent:
            brief = warnings(comparison, decide(comparison), brief=True, verbose=options.verbose)
            warn(brief, verbose=options.verbose)
        with progress("saving"):
            return store.create_seen((content, state, comparison))[0].id


@contextmanager
def opened_store() -> Iterator[Store]:
    """Yield the store that the environment names. SavingError for whatever goes wrong with it."""
    from rankdash.store import Settings, Store, StoreError

    try:
        store = Store.open(Settings.from_environment())
        tell([store.refusal] if store.refusal else [])
        yield store
    except StoreError as error:
        raise SavingError(str(error)) from None
