"""The rules, in the order in which they are asked: plain numbers in, an answer with its sentence out."""
