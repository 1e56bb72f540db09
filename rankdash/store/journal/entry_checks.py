"""What every record of a comparison needs: that the comparison is there, rows that are written once, typed words that
are checked.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from rankdash.store import words
from rankdash.store.database.schema import COMPARISON, now
from rankdash.store.errors import StoreError
from rankdash.strings.normalforms import normalized

LONGEST_NAME, LONGEST_TEXT = 200, 10_000


class DecisionError(StoreError):
    """An entry that cannot be written as it is: one sentence per line."""


def check_there(connection: sa.Connection, id: str) -> None:
    """Raise StoreError where a comparison does not exist or was deleted."""
    row = connection.execute(sa.select(COMPARISON.c.deleted).where(COMPARISON.c.id == id)).one_or_none()
    if row is None:
        raise StoreError(words.UNKNOWN.format(id=id))
    if row.deleted is not None:
        raise StoreError(words.DELETED.format(id=id, when=""))


def folded(*texts: str) -> str:
    """Return texts in the form in which they are searched, each on a line, without differences of case and of width."""
    return "\n".join(normalized("NFKC", text).casefold() for text in texts)


def says_something(text: str) -> bool:
    """Return whether there is anything in a text that a person can see."""
    return any(unicodedata.category(letter)[0] not in "CZ" for letter in text)


def after_the_last(connection: sa.Connection, table: sa.Table, id: str) -> datetime:
    """Return this moment; a little after the last entry where the clock was set back, for the newest entry is in
    force.
    """
    last = connection.scalar(sa.select(sa.func.max(table.c.at)).where(table.c.comparison == id))
    return now() if last is None else max(now(), last + timedelta(microseconds=1))


def refuse(problems: Iterable[str]) -> None:
    """Raise DecisionError where there are problems."""
    if sentences := "\n".join(problems):
        raise DecisionError(sentences)


def stripped(entry: Any) -> dict[str, Any]:
    """Return the fields of an entry, texts without the blanks around them."""
    return {name: value.strip() if isinstance(value, str) else value for name, value in vars(entry).items()}


def choice_problems(what: str, choice: str, allowed: Mapping[str, str]) -> list[str]:
    """Return what is wrong with a word that was chosen among some."""
    return [] if choice in allowed else [f"{choice[:40]!r} is no {what}. It is one of {', '.join(allowed)}."]


def name_problems(what: str, name: str) -> list[str]:
    """Return what is wrong with a name that was typed."""
    return length_problems(what, name, LONGEST_NAME) if says_something(name) else [f"{what} is missing."]


def length_problems(what: str, text: str, longest: int) -> list[str]:
    """Return whether a text that was typed is too long."""
    return [f"{what} has {len(text):,} letters; at most {longest:,} are kept."] if len(text) > longest else []
