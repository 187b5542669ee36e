"""The score pad: set up, in play, its sheet and its result."""
