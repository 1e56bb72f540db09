"""The command line: what is typed -> files read, compared, and told on a terminal. It knows nothing of pages."""
