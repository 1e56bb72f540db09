"""What alembic runs: the revisions that are missing, on the connection that ``connections.Database`` gives it."""

from alembic import context

from rankdash.store.database.schema import METADATA

if hasattr(context, "config"):  # else this was imported, and is not run by alembic
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=METADATA,
        render_as_batch=True,  # SQLite changes columns by making the table anew
    )
    with context.begin_transaction():
        context.run_migrations()
