"""What is read of the stored rounds, and how each is numbered and told: evenings, queries, players, records.

Read `queries` first; `store_queries` is what a store answers.
"""
