"""Prime Attactics: rules, entry and screen."""
