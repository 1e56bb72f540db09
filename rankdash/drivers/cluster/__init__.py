"""What the driver for a cluster is made of: what workers do with the rows of a bucket, and where frames come from."""
