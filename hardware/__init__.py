"""The devices of the table: panel, keypad, buttons, lamps, and a terminal that simulates them.

Read `devices` first, then `base`; `oled`, `link` and `frames` are the panel, `keypad`, `buttons` and `gpio` the keys.
"""
