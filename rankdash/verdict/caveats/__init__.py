"""caveats."""
