"""What several pages draw: the headline, the checklist, caveats, votes, two lists, a worked calculation. A
comparison in, elements on the page out; no part knows which page it stands on.
"""
