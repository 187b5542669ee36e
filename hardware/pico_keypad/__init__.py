"""Firmware for a Raspberry Pi Pico with a 4×4 keypad. `main.py` is the file that is copied to it."""
