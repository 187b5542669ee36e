"""What commands share, and parts of commands that are too long for one file; none is a command."""
