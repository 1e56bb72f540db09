"""The launch policy: what has to be shown before B may replace A.

``fields.py`` has the fields and their allowed values, ``toml.py`` their notation in files.
"""

from rankdash.policy.fields import Policy, PolicyError
