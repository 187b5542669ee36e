"""The screens of an evening: what each shows, what each key does there, and what follows.

Read `lists` and `messages` first, then `play` and `setup`. `presses` decides whether a press counts at all, and
`base_screen` makes the screen that lies under all others.
"""
