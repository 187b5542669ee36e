"""The journal on disk: its lines, its two files while they are open, and what is done where they differ.

Read `journal_lines` and `copies` first, then `journal`; `whole_files` is what needs no open journal.
"""
