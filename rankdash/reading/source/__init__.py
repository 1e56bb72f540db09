"""A source as bounded bytes: opened, unpacked, decoded, within the limits; and how a problem in it is told. Nothing
here knows what a column means.
"""
