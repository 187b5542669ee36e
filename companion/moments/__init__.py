"""The screens of an evening: what a key does in each, and what follows.

Read `play` first, then `setup` and `menus`; `presses` decides whether a press counts.
"""
