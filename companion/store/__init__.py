"""The store of rounds: a journal of log entries and a database of them, each of which can be rebuilt from the other.

Read `store` first, then `open_store` and the modules that it uses. `history` and `store_queries` have the queries.
"""
