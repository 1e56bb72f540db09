"""What each part of the Verdict page says, in plain words and numbers as they are shown.

The page, the report and every other form take their text from here, so none of them can say anything else.
"""
