"""The store of rounds: a journal of log entries, and a database of them, each able to rebuild the other.

Read `store` first, then `open_store` and what it uses; `history` and `store_queries` are what is asked of the database.
"""
