"""The evidence store: runs, enrollment, proposals and rulings in one database, SQLite or PostgreSQL.

Only this package and the exporters import SQLAlchemy; it comes with the extra `db`.
"""
