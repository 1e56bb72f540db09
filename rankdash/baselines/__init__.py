"""Lists that are kept under a name, for later candidates to be compared with."""

from rankdash.baselines.baseline import Baseline, BaselineError, JudgedBy
from rankdash.baselines.shelf import Shelf

__all__ = ["Baseline", "BaselineError", "JudgedBy", "Shelf"]
