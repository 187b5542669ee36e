"""The coach: hints, marks for the moves of a round, and an opponent. All three use the same search (`search`).

The modules are imported when they are first needed. The clock is a parameter and random numbers are seeded, so the
same question gets the same answer unless a time limit ends the search.
"""
