"""What other tools write, by its form: rows of plain cells, or the way out where it is no table of the wanted kind."""
