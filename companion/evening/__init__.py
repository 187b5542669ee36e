"""An evening at the table as a state machine without side effects: an input goes in, the next session comes out.

`model` has the session: a stack of screens, and the round on the table. Read it first. `state_machine` says what each
input does to it. `screens` are the screens, and `contents` are the values that they show.
"""
