"""What a store has on record beside its comparisons: results as they were seen, looks, decisions, tags, lists.

Records go in and come out, and nothing that was written is changed: a correction is a further entry. ``comparable``
puts comparisons side by side, and reads no store.
"""
