"""Migrations of the evidence store: run by `voxint.store.schema`, never by a command of Alembic."""
