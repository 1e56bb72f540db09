"""What the files hold, whether they can be compared, and how each was read."""
