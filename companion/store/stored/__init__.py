"""What is read of the stored rounds, and how each is numbered and told: evenings, queries, players, records."""
