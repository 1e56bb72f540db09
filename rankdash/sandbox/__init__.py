"""A process with limits reads what comes from a browser.

``apart`` sends requests, ``worker`` answers them, ``wire`` carries both.
"""
