"""binary."""
