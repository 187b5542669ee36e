"""Findings about the box without its devices: disk, rounds, clock, voltage, uplink."""
