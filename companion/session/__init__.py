"""The state of an evening as values: the session, and what a screen of it is.

Read `model` first.
"""
