"""The drawing kit for the panel: canvas, fonts, icons and widgets. It knows no session and no content.

Games draw their boards with it, and `companion.display` draws everything else. Read `canvas` first, then `fonts` and
`widgets`.
"""
