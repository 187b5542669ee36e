"""The devices of the table: panel, keypad, buttons, lamps, and a terminal that simulates them.

Read `devices` first, then `device_classes`. The panel is `oled`, `panel_link` and `frames`; the keys are `keypad`,
`buttons` and `gpio`.
"""
