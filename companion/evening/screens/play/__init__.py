"""A round on the table: a move that is due, pieces to be named, the table menu, and the result.

Read `playing` and `round_actions` first.
"""
