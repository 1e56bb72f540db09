"""The rules, in the order in which they are evaluated: plain numbers in, an answer with its sentence out."""
