"""The screens of an evening: what a key does on each, its content, and what follows.

Read `lists` and `messages` first, then `play` and `setup`. `presses` decides whether a press counts, and `base` makes
the screen that lies under all others.
"""
