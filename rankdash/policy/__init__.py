"""The launch policy: what has to be shown before B may replace A.

``fields.py`` has the fields, ``kinds.py`` and ``measures.py`` their allowed values, ``toml.py`` their notation in
files.
"""

from rankdash.policy.fields import Policy
from rankdash.policy.kinds import PolicyError

__all__ = ["Policy", "PolicyError"]
