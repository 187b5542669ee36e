"""Pages to read: the history, a round walked through, a look back, the doctor.

Read `page` first.
"""
