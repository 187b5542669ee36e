"""The state of an evening as values: the session with its stack of screens, and what a screen is.

Read `model` first, then `screen_kinds`.
"""
