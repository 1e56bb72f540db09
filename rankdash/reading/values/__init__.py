"""Cells -> numbers, ids, grades and votes: what parses, what is blank, what words say. Columns are collected in
place. Nothing here knows of headings.
"""
