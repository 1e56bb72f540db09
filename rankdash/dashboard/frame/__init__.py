"""What stands on every page: the row of the open comparison, its names, and the dialog of the policy. It uses the
session, and opens what lies in ``new``.
"""
