"""The drawing kit: canvas, fonts, icons and parts of screens. Knows no session."""
