"""Rounds as the rules and the store see them: no keys, no pictures. Read `stored` first, then `on_table`."""
