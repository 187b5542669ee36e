"""Findings about the box that need none of its devices: disk, rounds, clock, voltage."""
