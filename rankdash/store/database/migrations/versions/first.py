"""The first schema: comparisons, revisions, steps, inputs, results, looks, decisions, outcomes, tags."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_TIME = sa.String(32)
_ID = sa.String(64)


def _column(name: str, kind: Any, *more: Any, nullable: bool = False, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, *more, nullable=nullable, **options)


def _comparison(primary_key: bool = False) -> sa.Column[Any]:
    key = sa.ForeignKey("comparison.id", ondelete="CASCADE")
    return sa.Column("comparison", _ID, key, primary_key=primary_key, nullable=False)


def upgrade() -> None:
    """Make every table."""
    _comparisons()
    _tables()
    _history()
    _results()
    _decisions()
    for table, *columns in (
        ("comparison", "lineage", "changed", "deleted"),
        ("input", "comparison", "blob", "content"),
        ("step", "comparison"),
        ("look", "names", "pair"),
    ):
        for column in columns:
            op.create_index(f"ix_{table}_{column}", table, [column])
    for table in ("result", "decision", "outcome"):
        op.create_index(f"ix_{table}_newest", table, ["comparison", "at"])


def _comparisons() -> None:
    op.create_table(
        "comparison",
        _column("id", _ID, primary_key=True),
        _column("lineage", _ID),
        _column("head", sa.Integer),
        _column("created", _TIME),
        _column("changed", _TIME),
        _column("archived", sa.Boolean),
        _column("deleted", _TIME, nullable=True),
        _column("browser", sa.Text),
        _column("name", sa.Text),
        _column("model_a", sa.Text),
        _column("model_b", sa.Text),
        _column("words", sa.Text),
        _column("result", _ID, nullable=True),
        _column("decision", _ID, nullable=True),
    )
    op.create_table(
        "tag", _comparison(primary_key=True), _column("words", sa.Text, primary_key=True), _column("tag", sa.Text)
    )
    op.create_table(
        "seen",
        _column("browser", _ID, primary_key=True),
        _comparison(primary_key=True),
        _column("at", _TIME),
    )


def _tables() -> None:
    op.create_table(
        "blob",
        _column("sha256", _ID, primary_key=True),
        _column("bytes", sa.BigInteger),
        _column("created", _TIME),
    )
    op.create_table(
        "input",
        _column("id", _ID, primary_key=True),
        _comparison(),
        _column("role", sa.String(16)),
        _column("blob", _ID, sa.ForeignKey("blob.sha256")),
        _column("content", _ID),
        _column("source_name", sa.Text),
        _column("source_sha256", sa.Text),
        _column("description", sa.JSON),
    )


def _history() -> None:
    op.create_table(
        "step",
        _column("id", _ID, primary_key=True),
        _comparison(),
        _column("previous", _ID, nullable=True),
        _column("body", sa.JSON),
    )
    op.create_table(
        "revision",
        _comparison(primary_key=True),
        _column("number", sa.Integer, primary_key=True, autoincrement=False),
        _column("at", _TIME),
        _column("browser", sa.Text),
        _column("what", sa.Text),
        _column("state", sa.JSON),
    )


def _results() -> None:
    op.create_table(
        "result",
        _column("id", _ID, primary_key=True),
        _comparison(),
        _column("revision", sa.Integer),
        _column("at", _TIME),
        _column("engine", sa.String(64)),
        _column("policy_version", sa.Integer),
        _column("outcome", sa.String(32)),
        _column("measure", sa.Text, nullable=True),
        _column("delta", sa.Double, nullable=True),
        _column("lower", sa.Double, nullable=True),
        _column("upper", sa.Double, nullable=True),
        _column("n", sa.Integer, nullable=True),
        _column("looks", sa.Integer),
        _column("content", _ID),
        _column("json", sa.JSON),
    )
    op.create_table(
        "look",
        _column("id", _ID, primary_key=True),
        _column("lineage", _ID),
        _column("names", _ID),
        _column("content", _ID),
        _column("a", _ID, nullable=True),
        _column("b", _ID, nullable=True),
        _column("judgments", _ID, nullable=True),
        _column("at", _TIME),
        _column("pair", _ID),
        sa.UniqueConstraint("lineage", "names", "content"),
    )


def _decisions() -> None:
    op.create_table(
        "decision",
        _column("id", _ID, primary_key=True),
        _comparison(),
        _column("revision", sa.Integer),
        _column("at", _TIME),
        _column("by", sa.Text),
        _column("choice", sa.String(16)),
        _column("reason", sa.Text),
        _column("verdict", sa.JSON),
    )
    op.create_table(
        "outcome",
        _column("id", _ID, primary_key=True),
        _comparison(),
        _column("at", _TIME),
        _column("by", sa.Text),
        _column("metric", sa.Text),
        _column("delta", sa.Double, nullable=True),
        _column("lower", sa.Double, nullable=True),
        _column("upper", sa.Double, nullable=True),
        _column("kind", sa.Text),
        _column("began", sa.String(32), nullable=True),
        _column("ended", sa.String(32), nullable=True),
        _column("note", sa.Text),
    )
