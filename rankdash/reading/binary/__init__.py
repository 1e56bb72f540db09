"""Parquet, Arrow and workbooks, and tables that are in memory already -> Grid."""
