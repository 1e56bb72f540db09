"""Lists that are kept under a name, for later candidates to be compared with."""

from rankdash.baselines.baseline import OTHER_JUDGMENTS, Baseline, BaselineError, JudgedBy
from rankdash.baselines.shelf import Shelf

__all__ = ["OTHER_JUDGMENTS", "Baseline", "BaselineError", "JudgedBy", "Shelf"]
