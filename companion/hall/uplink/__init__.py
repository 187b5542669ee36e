"""What runs beside a table at a club night, and sends its rounds and its board to the hall.

Read `uplink` first, then `backlog` for rounds and `state_sender` for the board.
"""
