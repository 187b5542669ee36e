"""For authors of games: `contract` tests a game, and `template` is the game that `companion new` begins with."""
