"""votes."""
