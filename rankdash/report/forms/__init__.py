"""Small forms of a verdict: Markdown, JUnit, a few lines of text, and each chart as a file. One module each."""
