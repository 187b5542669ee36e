"""Coral Reef: rules, entry and screen."""
