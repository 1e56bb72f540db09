"""Should B replace A: the verdict, and what it stands on."""
