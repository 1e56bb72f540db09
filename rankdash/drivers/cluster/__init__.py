"""What the driver for a cluster is made of.

Frames of rows go in. ``lines``, ``packing`` and ``bucket`` run on the workers, know nothing of Spark, and make scored
queries of the rows; ``remote`` and ``frames`` run where the comparison is asked for.
"""
