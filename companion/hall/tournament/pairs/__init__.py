"""Who plays whom: `next_round` runs in a process of its own."""
