"""The store of rounds: one SQLite file in the data folder."""
