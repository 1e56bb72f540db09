"""The two lists of one query as editors, what was edited, and what to label next."""
