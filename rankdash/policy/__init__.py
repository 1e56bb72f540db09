"""The launch policy: what has to be shown before B may replace A.

``record.py`` has the fields, ``kinds.py`` and ``measures.py`` what they may hold, ``toml.py`` how they are written.
"""

from rankdash.policy.kinds import PolicyError
from rankdash.policy.record import Policy

__all__ = ["Policy", "PolicyError"]
