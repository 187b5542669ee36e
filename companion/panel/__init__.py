"""The drawing kit for the panel: canvas, fonts, icons and parts of screens. It does not know the session.

Read `canvas` first, then `fonts` and `parts`; `full_screens`, `results` and `menus` are made of these.
"""
