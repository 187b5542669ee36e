"""27: rules, entry and screen."""
