"""The saved comparisons: searched, opened, renamed, archived, deleted, and what they take on the disk."""
