"""The questions before a round, and beginning it.

Read `setup` first, then `questions`.
"""
