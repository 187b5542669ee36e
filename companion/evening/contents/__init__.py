"""What a screen shows, as a value: its content.

`kinds` has a class for each kind of content. A content consists of texts, numbers, names and key hints; only a
position and pieces are scenes of a game, which the game draws itself. A content doesn't know how many lines or pages
it takes: each display finds that out for itself. `plain_data` turns contents into plain data for the table's socket.
"""
