"""What is asked before a round, and going on with one.

Read `setup` first, then `questions`.
"""
