"""The database of saved comparisons: its schema, migrations and transactions."""

from rankdash.store.database.connections import Database

__all__ = ["Database"]
