"""Strings from anywhere: what a misspelled name was meant to be, normal forms, and formulas made harmless where they
are written and taken back where they are read.
"""
