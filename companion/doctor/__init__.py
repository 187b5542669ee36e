"""Finds out what is wrong with the box, and says what to do about it. No device is touched here."""
