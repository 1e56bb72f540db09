"""What rankdash promises of any size in numbers: many queries, many rows, rows in any order, and a cluster's driver."""
