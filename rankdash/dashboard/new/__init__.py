"""Files and typed lists in: the drop zone, a card per file, its corrections -> an open comparison. It never changes
what is open before all of it could be read.
"""
