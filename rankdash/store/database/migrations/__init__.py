"""How the schema came to be, one revision of alembic after the other. A revision that was released never changes."""
