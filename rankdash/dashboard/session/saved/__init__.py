"""The store under the open comparison: opened once per server; records of what a session shows; and what this session
saved last. It knows nothing of pages.
"""
