"""Results, revisions and decisions say which case they are of, and decisions outlast their comparison.

What was saved before has no digest of its case: each old revision is a case of its own, and so are the results and
decisions that name it. A decision takes its names and digests from the revision that it was made on. Looks are told
apart by their lists, not by names.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_TIME, _ID = sa.String(32), sa.String(64)
_ABOUT = ("name", "model_a", "model_b", "case", "baseline", "candidate", "judgments", "votes")
_REVISION = sa.table("revision", *map(sa.column, ("comparison", "number", "at", "case", "state")))
_RESULT = sa.table("result", *map(sa.column, ("id", "revision", "case", "outcome", "screen", "tag", "json")))
_INPUT = sa.table("input", *map(sa.column, ("id", "role", "content")))
_LOOK = sa.table("look", *map(sa.column, ("id", "lineage", "content", "a", "b", "judgments", "at")))


def upgrade() -> None:
    """Make the columns, and tables without what tied them to their comparison."""
    for table in ("revision", "result"):
        op.add_column(table, _text("case", _ID, server_default=""))
    op.execute(sa.update(_REVISION).values(case=_old(_REVISION.c.number)))
    _results()
    op.drop_index("ix_result_newest", "result")
    op.create_index("ix_result_case", "result", ["comparison", "case"])
    op.drop_column("comparison", "result")
    op.add_column("comparison", _text("deleted_clock", sa.Text, nullable=True))
    _decisions()
    _outcomes()
    _seen()
    _looks()


def _results() -> None:
    """Give every result the case of its revision, and the words of its page as columns."""
    for name in ("screen", "tag"):
        op.add_column("result", _text(name, sa.Text, server_default=""))
    screen = sa.case((_RESULT.c.outcome == "LAUNCH", "Launch"), else_="No launch")
    op.execute(sa.update(_RESULT).values(case=_old(_RESULT.c.revision), screen=screen))
    connection = op.get_bind()
    for id, said in connection.execute(sa.select(_RESULT.c.id, sa.cast(_RESULT.c.json, sa.Text))).all():
        tag = _storable(str(_read(said).get("tag", "")))
        connection.execute(sa.update(_RESULT).where(_RESULT.c.id == id).values(tag=tag))


def _text(name: str, kind: Any, *, nullable: bool = False, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=nullable, **options)


def _old(number: sa.ColumnElement[Any]) -> sa.ColumnElement[str]:
    """Return what stands for the digest of an old revision's case: no other revision of its comparison has it."""
    return sa.literal("revision ", sa.Text).concat(sa.cast(number, sa.Text))


def _decisions() -> None:
    texts = {"by": sa.Text, "choice": sa.String(16), "reason": sa.Text}
    made = _new(
        "decision",
        *_entry(),
        _text("revision", sa.Integer),
        *(_text(name, kind) for name, kind in texts.items()),
        _text("verdict", sa.JSON),
        *_subject(),
    )
    names = ["id", "comparison", "at", "revision", *texts, "verdict"]
    for row in _rows("decision", names):
        verdict = _read(row["verdict"])
        screen = "Launch" if verdict.get("outcome") == "LAUNCH" else "No launch"
        verdict |= {"screen": screen, "tag": verdict.get("json", {}).get("tag", "")}
        about = _about(row["comparison"], row["revision"])
        op.get_bind().execute(sa.insert(made), {**row, "verdict": verdict, **about})
    _in_place("decision")
    op.create_index("ix_decision_newest", "decision", ["comparison", "at"])


def _outcomes() -> None:
    texts, numbers, days = ("by", "metric", "kind", "note"), ("delta", "lower", "upper"), ("began", "ended")
    made = _new(
        "outcome",
        *_entry(),
        *(_text(name, sa.Text) for name in texts),
        *(_text(name, sa.Double, nullable=True) for name in numbers),
        *(_text(name, _TIME, nullable=True) for name in days),
        *_subject(),
    )
    for row in _rows("outcome", ["id", "comparison", "at", *texts, *numbers, *days]):
        until = (_REVISION.c.comparison == row["comparison"], _REVISION.c.at <= row["at"])
        number = op.get_bind().scalar(sa.select(sa.func.max(_REVISION.c.number)).where(*until)) or 1
        op.get_bind().execute(sa.insert(made), {**row, **_about(row["comparison"], number)})
    _in_place("outcome")
    op.create_index("ix_outcome_newest", "outcome", ["comparison", "at"])


def _entry() -> list[sa.Column[Any]]:
    return [_text("id", _ID, primary_key=True), _text("comparison", _ID), _text("at", _TIME)]


def _subject() -> list[sa.Column[Any]]:
    names = [_text(name, sa.Text) for name in _ABOUT[:3]]
    return [*names, _text("case", _ID, server_default=""), *(_text(name, _ID, nullable=True) for name in _ABOUT[4:])]


def _rows(table: str, names: list[str]) -> list[Any]:
    """Return all rows of a table, JSON as text."""
    columns = [
        sa.cast(sa.column(name), sa.Text).label(name) if name == "verdict" else sa.column(name) for name in names
    ]
    return list(op.get_bind().execute(sa.select(*columns).select_from(sa.table(table))).mappings())


def _about(comparison: str, number: int) -> dict[str, Any]:
    """Return what an entry is about: what the revision of then says."""
    connection, of_row = op.get_bind(), (_REVISION.c.comparison == comparison, _REVISION.c.number == number)
    state = _read(connection.scalar(sa.select(sa.cast(_REVISION.c.state, sa.Text)).where(*of_row)))
    names = {"name": "", "a": "", "b": "", **state.get("names", {})}
    inputs = sa.select(_INPUT.c.role, _INPUT.c.content).where(_INPUT.c.id.in_(state.get("inputs", {}).values()))
    content = {row.role: row.content for row in connection.execute(inputs)}
    a, b = ("b", "a") if state.get("swapped") else ("a", "b")
    lists = [None, None] if "scored" in content else [content.get(a), content.get(b)]
    texts = [_storable(text) for text in (names["name"], names[a], names[b])]
    digests = (*lists, content.get("judgments"), content.get("votes"))
    return dict(zip(_ABOUT, (*texts, f"revision {number}", *digests), strict=True))


def _read(text: str | None) -> dict[str, Any]:
    """Return what JSON of a row says; nothing where it makes no sense."""
    with suppress(ValueError):
        values = json.loads(text or "{}")
        return values if isinstance(values, dict) else {}
    return {}


def _storable(text: str) -> str:
    """Return a text as ``schema.StoredText`` writes it."""
    return re.sub("[\0\ud800-\udfff]", "\ufffd", text)


def _seen() -> None:
    names = ["browser", "comparison", "at"]
    made = _new("seen", *(_text(name, _ID, primary_key=True) for name in names[:2]), _text("at", _TIME))
    op.execute(sa.insert(made).from_select(names, sa.select(sa.table("seen", *map(sa.column, names)))))
    _in_place("seen")


def _looks() -> None:
    keys = [_text("id", _ID, primary_key=True), _text("lineage", _ID), _text("content", _ID)]
    lists = [_text(name, _ID, nullable=True) for name in ("a", "b", "judgments")]
    unique = sa.UniqueConstraint("lineage", "content")
    made = _new("look", *keys, *lists, _text("at", _TIME), unique)
    first = sa.select(sa.func.min(_LOOK.c.id)).group_by(_LOOK.c.lineage, _LOOK.c.content)
    names = [column.name for column in _LOOK.columns]
    op.execute(sa.insert(made).from_select(names, sa.select(_LOOK).where(_LOOK.c.id.in_(first))))
    _in_place("look")
    op.create_index("ix_look_a", "look", ["a"])


def _new(name: str, *columns: Any) -> sa.Table:
    """Make a table beside that whose place it takes: each database drops a foreign key in other words."""
    return op.create_table(f"{name}_new", *columns)


def _in_place(name: str) -> None:
    op.drop_table(name)
    op.rename_table(f"{name}_new", name)
