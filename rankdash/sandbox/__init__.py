"""What comes from a browser is read in a process with limits.

``apart`` asks, ``worker`` answers, ``wire`` is between them.
"""
