"""How every number comes about: conventions, measures, the verdict, and textbook examples."""
