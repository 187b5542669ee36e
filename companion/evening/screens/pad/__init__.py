"""The score pad: its setup, the pad in play, its sheet and its result."""
