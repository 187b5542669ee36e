"""The store of rounds: a journal of lines in two files, and an SQLite index of it that may be thrown away.

Read `store` first, then the folders: `journal_files` has the journal on disk, `queries` what is asked of the index.
"""
