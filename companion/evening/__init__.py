"""An evening at the table as a pure state machine: inputs in, a new session out.

Read `model` first: the session is a stack of screens and the round on the table. `state_machine` has what happens to it
with each input, `screens` the screens, `contents` what they show, as values.
"""
