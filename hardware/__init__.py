"""The devices of the table: panel, keypad, buttons, lamps, and a terminal that simulates them.

Read `devices` first, then `base`. The panel is `oled`, `link` and `frames`; the keys are `keypad`, `buttons` and
`gpio`.
"""
