"""For authors of games: `contract` tests a game, `template` is the game that `companion new` begins with."""
