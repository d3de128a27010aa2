"""The steps by which a database is brought up to date, run by Alembic when `store.Store` opens an older one."""
