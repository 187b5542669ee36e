"""A club evening's tournament: who plays whom, the standings, and what comes back from the tables.

Each file knows those before it: `model`, `next_round`, `tie_breaks`, `exports`, `tournaments`, `desk`, which looks
after pairings at the tables while the hall runs; what the organiser changes: `settings`, `player_changes`,
`round_changes`.
"""
