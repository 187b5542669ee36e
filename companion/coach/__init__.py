"""The coach: hints, verdicts on the moves of a round, and the computer player. All three use the same search.

Read `search` first, then `advice`, which ranks moves for the others; then `hints`, `verdicts` with `review`, and
`rules_coach` for games without a coach of their own. The modules are imported when they are first needed.

Random numbers are seeded, so the same question gets the same answer unless the time limit ends the search.
"""
