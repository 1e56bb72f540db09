"""recognise."""
