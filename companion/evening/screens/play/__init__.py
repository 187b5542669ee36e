"""A round on the table: a move that is due, pieces that are named, the table menu, the result.

Read `playing` and `round_life` first.
"""
