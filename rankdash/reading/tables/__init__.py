"""Grid -> a Run, Judgments, Models, Queries or Votes: what a table has to hold is checked, what was decided is
noted.
"""
