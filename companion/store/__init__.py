"""The store of rounds: a journal of lines in two files, and an SQLite index of it that may be thrown away.

Read `store` first, then `journal_files`, the journal on disk; `history` and `store_queries` are what is asked of the
index.
"""
