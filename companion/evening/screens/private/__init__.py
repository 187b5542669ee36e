"""What only one player may see: hints, and pieces that are mended."""
