"""What one browser session has open: its files, its comparison, its edits, its policy, the query that is selected,
and what of it stands in the address. It draws nothing.
"""
