"""Evening reports: facts computed from stored rounds, and the pages that show them.

Read `gather` first, then `facts`; each form of a report is a file.
"""
