"""Comparison + Verdict -> JSON, tables and text. Nothing is computed here: every number is a field of a record."""
