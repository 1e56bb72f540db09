"""The command line: arguments -> files read and compared, and text on a terminal. It knows nothing of pages."""
