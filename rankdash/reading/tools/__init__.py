"""What other tools write, by its form: rows of plain cells, or what to do where it is no table of the kind."""
