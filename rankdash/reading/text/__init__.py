"""Text -> Grid: separated text with and without a header line, TREC, LETOR; quotes, remarks and rules among the
rows.
"""
