"""The coach: hints, marks for the moves of a round, and an opponent, all by one search with one budget.

Nothing here is loaded before it is asked for. Time comes in as a clock, chance as a number that seeds it, so that the
same question gets the same answer.
"""
