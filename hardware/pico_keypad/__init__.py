"""Firmware for a Raspberry Pi Pico with a 4×4 keypad: `main.py` is what is copied to it."""
