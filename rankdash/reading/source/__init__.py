"""Bytes of a source: opened, unpacked, decoded and limited; and the records for what is wrong with a source.

Comes in: a path, bytes or a file object, and ``Options``. Goes out: a ``Document``, or a ReadError. Nothing here knows
the meaning of a column.
"""
