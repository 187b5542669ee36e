"""The score pad: any other game's points."""
