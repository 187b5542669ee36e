"""The devices of the table: panel, keypad, buttons, lamps, and a terminal that simulates them.

Read `devices` first; `oled`, `link` and `frames` are the panel, `keypad` and `buttons` the keys.
"""
