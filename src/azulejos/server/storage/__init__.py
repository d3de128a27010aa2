"""Where tables last: a SQLite file or a PostgreSQL server."""
