"""What each part of the Verdict page says, in plain words and formatted numbers.

The page, the report and every other form take their text from here, so that all of them say the same.
"""
