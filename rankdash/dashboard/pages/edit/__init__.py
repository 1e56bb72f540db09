"""The two lists of a query as editors, what was edited, and what to label next."""
