"""The state of one browser session: files, comparison, edits, policy and selected query, with their query parameters.

Comes in: tables that were read, and what people chose. Goes out: the open comparison with its verdict. It draws nothing
but two widgets whose value is state: the list of queries, and the hidden field of a tab that reconnects.
"""
