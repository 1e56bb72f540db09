"""Results, revisions and decisions say which case they are of, and decisions outlast their comparison.

What was saved before has no digest of its case: each old revision is a case of its own, and so are the results and
decisions that name it. A decision takes its names and digests from the revision that it was made on. Looks are known by
their lists, not by names.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_TIME, _ID = sa.String(32), sa.String(64)
_DECISION = sa.table(
    "decision", *map(sa.column, ("id", "comparison", "revision", "at", "by", "choice", "reason", "verdict"))
)
_ABOUT = ("name", "model_a", "model_b", "case", "baseline", "candidate", "judgments", "votes")
_REVISION = sa.table("revision", *map(sa.column, ("comparison", "number", "case", "state")))
_RESULT = sa.table("result", *map(sa.column, ("id", "revision", "case", "outcome", "screen", "tag", "json")))
_INPUT = sa.table("input", *map(sa.column, ("id", "role", "content")))
_LOOK = sa.table("look", *map(sa.column, ("id", "lineage", "content", "a", "b", "judgments", "at")))


def upgrade() -> None:
    """Makes the columns, and tables without what tied them to their comparison."""
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
    """Every result says which revision's case it is of, and has the words of its page as columns."""
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
    """What stands for the digest of an old revision's case: no other revision of its comparison has it."""
    return sa.literal("revision ", sa.Text).concat(sa.cast(number, sa.Text))


def _decisions() -> None:
    made = _new(
        "decision",
        _text("id", _ID, primary_key=True),
        _text("comparison", _ID),
        _text("revision", sa.Integer),
        _text("at", _TIME),
        _text("by", sa.Text),
        _text("choice", sa.String(16)),
        _text("reason", sa.Text),
        _text("verdict", sa.JSON),
        *(_text(name, sa.Text) for name in ("name", "model_a", "model_b")),
        _text("case", _ID, server_default=""),
        *(_text(name, _ID, nullable=True) for name in _ABOUT[4:]),
    )
    connection = op.get_bind()
    texts = [column for column in _DECISION.columns if column.name != "verdict"]
    asked = sa.select(*texts, sa.cast(_DECISION.c.verdict, sa.Text).label("verdict"))
    for row in connection.execute(asked).mappings().all():
        verdict = _read(row["verdict"])
        screen = "Launch" if verdict.get("outcome") == "LAUNCH" else "No launch"
        verdict |= {"screen": screen, "tag": verdict.get("json", {}).get("tag", "")}
        connection.execute(sa.insert(made), {**row, "verdict": verdict, **_about(connection, row)})
    _in_place("decision")
    op.create_index("ix_decision_newest", "decision", ["comparison", "at"])


def _about(connection: sa.Connection, row: Any) -> dict[str, Any]:
    """What a decision was about, by the revision that it names."""
    of_row = (_REVISION.c.comparison == row["comparison"], _REVISION.c.number == row["revision"])
    state = _read(connection.scalar(sa.select(sa.cast(_REVISION.c.state, sa.Text)).where(*of_row)))
    names = {"name": "", "a": "", "b": "", **state.get("names", {})}
    inputs = sa.select(_INPUT.c.role, _INPUT.c.content).where(_INPUT.c.id.in_(state.get("inputs", {}).values()))
    content = {row.role: row.content for row in connection.execute(inputs)}
    lists = [] if "scored" in content else [content.get("a"), content.get("b")]
    models = [names["a"], names["b"]]
    if state.get("swapped"):
        lists, models = lists[::-1], models[::-1]
    told = (names["name"], *models, f"revision {row['revision']}", *(lists or [None, None]))
    return dict(zip(_ABOUT, (*map(_storable, told), content.get("judgments"), content.get("votes")), strict=True))


def _read(text: str | None) -> dict[str, Any]:
    """What JSON of a row says; nothing where it makes no sense."""
    with suppress(ValueError):
        found = json.loads(text or "{}")
        return found if isinstance(found, dict) else {}
    return {}


def _storable(text: str | None) -> str | None:
    """A text as ``schema.Words`` writes it."""
    unstorable = dict.fromkeys([0, *range(0xD800, 0xE000)], "\ufffd")
    return None if text is None else text.translate(unstorable)


def _outcomes() -> None:
    numbers = [_text(name, sa.Double, nullable=True) for name in ("delta", "lower", "upper")]
    days = [_text(name, _TIME, nullable=True) for name in ("began", "ended")]
    keys = [_text("id", _ID, primary_key=True), _text("comparison", _ID), _text("at", _TIME)]
    words = {name: _text(name, sa.Text) for name in ("by", "metric", "kind", "note")}
    _new("outcome", *keys, words["by"], words["metric"], *numbers, words["kind"], *days, words["note"])
    _copied("outcome", "id comparison at by metric delta lower upper kind began ended note".split())
    op.create_index("ix_outcome_newest", "outcome", ["comparison", "at"])


def _seen() -> None:
    keys = [_text(name, _ID, primary_key=True) for name in ("browser", "comparison")]
    _new("seen", *keys, _text("at", _TIME))
    _copied("seen", ["browser", "comparison", "at"])


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
    """A table beside the one whose place it takes: no database forgets a foreign key of a table in the same words."""
    return op.create_table(f"{name}_new", *columns)


def _copied(name: str, columns: list[str]) -> None:
    """All rows of a table in its new one, which takes its place."""
    old, new = (sa.table(table, *map(sa.column, columns)) for table in (name, f"{name}_new"))
    op.execute(sa.insert(new).from_select(columns, sa.select(old)))
    _in_place(name)


def _in_place(name: str) -> None:
    op.drop_table(name)
    op.rename_table(f"{name}_new", name)
