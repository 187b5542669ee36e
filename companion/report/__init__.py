"""Reports of an evening: facts computed from stored rounds, and the pages and pictures that show them.

Read `gather` first, then `facts`. Each format of a report has a file of its own.
"""
