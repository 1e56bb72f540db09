"""Recognises what a file is by its content: the beginning is read as the kinds of table that it can be.

Comes in: a path, bytes or a file. Goes out: ``Recognised``, with what was understood and what has to be decided.
"""
