"""The store of rounds: a journal of lines in two files, and an SQLite index of it that may be thrown away."""
