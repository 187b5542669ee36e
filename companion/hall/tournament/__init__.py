"""A club evening's tournament: who plays whom, the standings, and what comes back from the tables.

Each file knows those before it: `model`, `next_round`, `tie_breaks`, `exports`, `tournaments`; what is changed:
`player_changes`, `settings`, `collecting`, `round_changes`, and `desk`, which looks after all of it while the hall
runs.
"""
