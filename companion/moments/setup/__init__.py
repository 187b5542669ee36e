"""What is asked before a round, and going on with one."""
