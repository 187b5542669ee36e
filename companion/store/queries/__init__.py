"""What is asked of the index: evenings, players, the history with its standings and ratings, a round as a record.

Read `history` first; `store_queries` is what a store answers.
"""
