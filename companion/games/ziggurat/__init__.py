"""Ziggurat: rules, entry and screen."""
