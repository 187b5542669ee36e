"""The tables of the index: all of them are made from the lines of the journal, which `entries` has once more."""

VERSION = 3
"""The `user_version` of an index; one of another version is thrown away, and made anew.

It is raised whenever the tables are others, or a line has another effect on them.
"""

SCHEMA = """
CREATE TABLE entries (
    id INTEGER PRIMARY KEY, round INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL, text TEXT NOT NULL,
    at TEXT NOT NULL, seconds REAL NOT NULL, clock TEXT NOT NULL, sum INTEGER NOT NULL);
CREATE INDEX entries_by_round ON entries (round);
CREATE TABLE rounds (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, names TEXT NOT NULL, goal INTEGER NOT NULL,
    number INTEGER NOT NULL, wins TEXT NOT NULL, opened TEXT NOT NULL, begun TEXT NOT NULL,
    evening INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'running', result TEXT NOT NULL DEFAULT '',
    other TEXT NOT NULL DEFAULT '[]', ended TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '',
    match INTEGER NOT NULL DEFAULT 0, match_result TEXT NOT NULL DEFAULT '', clock TEXT NOT NULL DEFAULT '',
    void INTEGER NOT NULL DEFAULT 0,
    lines INTEGER NOT NULL DEFAULT 0, last INTEGER NOT NULL DEFAULT 0, seconds REAL, boot TEXT NOT NULL DEFAULT '',
    uptime REAL NOT NULL DEFAULT 0);
CREATE TABLE seats (
    round INTEGER NOT NULL REFERENCES rounds (id), seat INTEGER NOT NULL, name TEXT NOT NULL,
    score INTEGER, won INTEGER, shared INTEGER, PRIMARY KEY (round, seat)) WITHOUT ROWID;
CREATE TABLE ratings (
    name TEXT NOT NULL, game TEXT NOT NULL, round INTEGER NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL,
    PRIMARY KEY (name, game, round)) WITHOUT ROWID;
CREATE TABLE store (identity TEXT NOT NULL, lines INTEGER NOT NULL, last INTEGER NOT NULL);
CREATE INDEX seats_by_name ON seats (name);
CREATE INDEX rounds_by_state ON rounds (state, id);
CREATE INDEX rounds_by_evening ON rounds (evening, id);
CREATE INDEX rounds_by_boot ON rounds (boot, id);
CREATE INDEX rounds_by_match ON rounds (match, id);
CREATE INDEX ratings_by_round ON ratings (round);
"""
"""`entries.id` is the number of a line; `round` 0 is the store itself.

`rounds.lines` and `rounds.last` are the number of a round's lines and the checksum of the last; `lines` is -1 where
lines of the round were lost. `store` has the same for round 0, and the store's identity. `match` is the number of a
match's first round, 0 for a single round; `clock` has the settings of the game clock. `evening` is the number of a day,
0 without a date. `seconds` is how long a finished round took, NULL if unknown; `boot` and `uptime` are as in its head.
A round with `void` has no result any more.
"""
