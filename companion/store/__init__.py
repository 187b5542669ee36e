"""Where rounds are kept: one SQLite file in the data folder."""
