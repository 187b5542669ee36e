"""The devices of the table: panel, keypad, buttons, lamps, and the terminal that stands in for them."""
