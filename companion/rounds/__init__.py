"""Rounds as the rules and the store know them, without a key or a picture. Read `stored`, then `on_table`."""
