"""The hall's web pages: the television, and what the organiser may do.

Read `app` first.
"""
