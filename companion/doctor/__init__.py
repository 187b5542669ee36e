"""What can be told about the box without touching its devices: disk, rounds, clock, voltage; a small function each."""
