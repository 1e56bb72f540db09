"""Per-query values beside a comparison: which file holds them, and what they are made of."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table."""
    of_comparison = sa.ForeignKey("comparison.id", ondelete="CASCADE")
    op.create_table(
        "scored",
        sa.Column("comparison", sa.String(64), of_comparison, primary_key=True, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("blob", sa.String(64), sa.ForeignKey("blob.sha256"), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
    for column in ("key", "blob"):
        op.create_index(f"ix_scored_{column}", "scored", [column])
