"""What a screen shows, as values: the kinds of content, each drawn once, and with the keys that mean something now.

`kinds` has them all. They are made of texts, numbers and names; only a position and pieces hold a game's scene, which
the game draws itself. Whoever shows a content finds out alone how many lines and pages that takes. `data` makes
plain data of them for the table's socket.
"""
