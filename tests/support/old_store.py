"""Databases of older versions: what led from one to the next, as it was released."""

MIGRATIONS = (
    """
    CREATE TABLE rounds (
        id INTEGER PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, names TEXT NOT NULL, goal INTEGER NOT NULL,
        number INTEGER NOT NULL, wins TEXT NOT NULL, opened TEXT NOT NULL, begun TEXT NOT NULL,
        evening INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'running', result TEXT NOT NULL DEFAULT '');
    CREATE TABLE entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT, round INTEGER NOT NULL REFERENCES rounds (id), kind TEXT NOT NULL,
        seat INTEGER NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL, standing INTEGER NOT NULL DEFAULT 1);
    CREATE INDEX entries_by_round ON entries (round, id);
    CREATE TABLE seats (
        round INTEGER NOT NULL REFERENCES rounds (id), seat INTEGER NOT NULL, name TEXT NOT NULL,
        score INTEGER, won INTEGER, shared INTEGER, PRIMARY KEY (round, seat)) WITHOUT ROWID;
    CREATE INDEX seats_by_name ON seats (name);
    CREATE INDEX rounds_by_state ON rounds (state, id);
    CREATE INDEX rounds_by_evening ON rounds (evening, id);
    """,
    # Header lines of an imported record that the companion has no use for; they go out again with an export.
    "ALTER TABLE rounds ADD COLUMN other TEXT NOT NULL DEFAULT '[]';",
    # When and why a round ended; each player's rating after it, in its game and ("") in all games.
    """
    ALTER TABLE rounds ADD COLUMN ended TEXT NOT NULL DEFAULT '';
    ALTER TABLE rounds ADD COLUMN reason TEXT NOT NULL DEFAULT '';
    UPDATE rounds SET ended = coalesce((
        SELECT at FROM entries WHERE round = rounds.id AND kind = 'result' ORDER BY id DESC LIMIT 1), '')
        WHERE result != '';
    CREATE TABLE ratings (
        name TEXT NOT NULL, game TEXT NOT NULL, round INTEGER NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL,
        PRIMARY KEY (name, game, round)) WITHOUT ROWID;
    CREATE INDEX ratings_by_round ON ratings (round);
    """,
    # How long the player of an event has thought before it, 0 where the clock was off.
    "ALTER TABLE entries ADD COLUMN seconds REAL NOT NULL DEFAULT 0;",
)
