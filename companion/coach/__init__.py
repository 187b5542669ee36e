"""The coach: hints, marks for the moves of a round, and an opponent. All three use the same search (`search`).

Read `search` first, then `advice`, which the others use; `hints`, `lookback` with `review`, and `plain` for games
without a coach. They are imported when they are first needed. Random numbers are seeded: the same question gets the
same answer unless the limit of time ends the search.
"""
