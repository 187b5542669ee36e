"""The drawing kit for the panel: canvas, fonts, icons and widgets. It knows no session and no content.

Read `canvas` first, then `fonts` and `parts`. The screens of games use it, and those in `companion.display`.
"""
