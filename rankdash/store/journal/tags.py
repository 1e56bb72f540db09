"""Tags: short words that people give comparisons; the same word in other letters is the same tag."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from rankdash.store.database.schema import TAG, insert_once
from rankdash.store.errors import StoreError
from rankdash.store.journal.entry_checks import check_there, folded, says_something

LONGEST = 100
#: Bytes of a tag as it is searched: a letter without its width can take 18 of them, and keys have a limit.
_MOST_BYTES = 1_000
EMPTY = "A tag needs a letter, a digit or a sign that can be seen."
TOO_LONG = f"A tag has at most {LONGEST} letters; this one has {{n:,}}."


def add(connection: sa.Connection, id: str, text: str) -> bool:
    """Give a comparison a tag. Return whether it is new. StoreError for a tag that cannot be seen or is too
    long.
    """
    tag = " ".join(text.split())
    if not says_something(tag):
        raise StoreError(EMPTY)
    if len(tag) > LONGEST or len(folded(tag).encode("utf-8", "replace")) > _MOST_BYTES:
        raise StoreError(TOO_LONG.format(n=len(tag)))
    check_there(connection, id)
    return insert_once(connection, TAG, {"comparison": id, "tag": tag, "words": folded(tag)})


def remove(connection: sa.Connection, id: str, text: str) -> bool:
    """Take a tag away, however its letters are written. Return whether it was there."""
    check_there(connection, id)
    gone = sa.delete(TAG).where(TAG.c.comparison == id, TAG.c.words == folded(" ".join(text.split())))
    return connection.execute(gone).rowcount > 0


def of(connection: sa.Connection, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the tags of some comparisons in the order of their letters, by id."""
    tagged: dict[str, list[str]] = {id: [] for id in ids}
    query = sa.select(TAG.c.comparison, TAG.c.tag).where(TAG.c.comparison.in_(tagged)).order_by(TAG.c.words)
    for id, tag in connection.execute(query):
        tagged[id].append(tag)
    return {id: tuple(sorted(tags, key=folded)) for id, tags in tagged.items()}


def used(connection: sa.Connection) -> tuple[str, ...]:
    """Return every tag that a comparison has, each once, in the order of its letters."""
    query = sa.select(sa.func.min(TAG.c.tag)).group_by(TAG.c.words)
    return tuple(sorted(connection.scalars(query), key=folded))
