"""Runs the steps on the connection that `store.migrate` hands over; the Alembic command line is not used."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, transactional_ddl=True)
context.run_migrations()
