"""Databases as older versions left them: the schema of then, made by the migrations of then, with rows as of then."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from rankdash.store import Store
from rankdash.store.database import schema

MIGRATIONS = Path(schema.__file__).parent / "migrations"
#: What rows had that is gone.
_GONE: Mapping[str, Mapping[str, Any]] = {"look": {"names": "names", "pair": "pair"}}


def left_by(version: str, store: Store, url: str) -> None:
    """Writes everything of a store into an empty database, as a version with that schema would have left it: no row
    says of which case it is, no decision what it was about, no table under which rules it was read.
    """
    engine = sa.create_engine(url)
    with store.database.reading() as source, engine.begin() as target:
        config = Config(attributes={"connection": target})
        config.set_main_option("script_location", str(MIGRATIONS))
        config.set_main_option("path_separator", "os")
        command.upgrade(config, version)
        now, then = sa.MetaData(), sa.MetaData()
        now.reflect(source), then.reflect(target)
        for table in then.sorted_tables:
            rows = (
                [] if table.name == "alembic_version" else source.execute(sa.select(now.tables[table.name])).mappings()
            )
            for row in rows:
                more = {**_GONE.get(table.name, {}), **_old(table.name, row)}
                target.execute(
                    sa.insert(table), {column.name: {**row, **more}.get(column.name) for column in table.columns}
                )
        newest = "UPDATE comparison SET result = (SELECT r.id FROM result r WHERE r.comparison = comparison.id "
        target.execute(sa.text(f"{newest}ORDER BY r.revision DESC, r.at DESC LIMIT 1)"))
    engine.dispose()


def _old(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    if table != "input":
        return {}
    return {"description": {name: value for name, value in row["description"].items() if name != "rules"}}
