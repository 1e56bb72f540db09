"""What a file is, from its content alone: it is sampled, tried, and what was understood is told."""
