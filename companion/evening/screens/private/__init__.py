"""What only one player may see: own pieces, hints, and the correction of a piece."""
