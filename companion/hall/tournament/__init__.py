"""A club evening's tournament: who plays whom, the standings, and what comes back from the tables."""
