"""The referee at the table: rules, records, entry, screens and store."""

__version__ = "0.1.0"
