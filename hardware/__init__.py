"""The devices of the table: panel, keypad, buttons, lamps, and a terminal that simulates them."""
