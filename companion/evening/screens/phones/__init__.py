"""Phones: which are let in, and what those of players and of the host may ask for."""
