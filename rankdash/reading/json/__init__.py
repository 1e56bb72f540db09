"""JSON and JSON Lines -> Grid, read a block at a time."""
