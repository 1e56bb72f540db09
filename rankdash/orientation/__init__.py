"""Which of two named models is A and which is B: by the names of the runs, by words for a side, or as somebody says.

Whatever speaks of two models by name - votes, a file with both models, a pair on the command line - is oriented here
and nowhere else. What stands first in a file decides nothing, but for one rule: where every vote has the same model in
the column for model A, that is A. What the names leave open is an ``OrientationError``, for somebody to settle.
"""

from rankdash.orientation.decision import (
    OrientationError,
    Oriented,
    check_said,
    is_turned,
    models_in_order,
    oriented,
)
from rankdash.orientation.matching import (
    Pair,
    Place,
    pair_of,
    pair_text,
    place_of,
    side_of,
    sides_of,
    spelled,
    telling_word,
)

__all__ = [
    "OrientationError",
    "Oriented",
    "Pair",
    "Place",
    "check_said",
    "is_turned",
    "models_in_order",
    "oriented",
    "pair_of",
    "pair_text",
    "place_of",
    "side_of",
    "sides_of",
    "spelled",
    "telling_word",
]
