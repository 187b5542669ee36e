"""The drawing kit for the panel: canvas, fonts, icons and parts of screens. It does not know the session."""
