"""The vocabulary of files, in English, Chinese and Japanese: what people call columns, grades, votes, sides and blanks.

Each word is declared here once, in a row of a table; what is done with it is decided elsewhere.
"""
