"""Answers the host's pages' questions about stored rounds, in a process beside the table's.

The store is opened read-only for each question. Unfinished rounds are listed, but never replayed: they hold secrets.
"""
