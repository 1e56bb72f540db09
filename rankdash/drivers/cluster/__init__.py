"""What the driver for a cluster is made of.

Frames of rows go in; ``lines``, ``packing`` and ``bucket`` run on the workers, know nothing of Spark, and make scored
queries of them. ``remote`` and ``frames`` run where somebody asks.
"""
