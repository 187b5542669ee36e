"""The table beside the board: rules, records, entry, screens and store."""

__version__ = "0.1.0"
