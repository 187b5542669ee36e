"""The state of an evening as values: the session, and what a moment of it is.

Read `model` first.
"""
