"""The host's reader: answers what the host's pages ask about stored rounds, in a process of its own beside the table.

It opens the rounds only to read, anew for each question. What an unfinished round hides is never read.
"""
