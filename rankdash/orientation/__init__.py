"""Which of two named models is A and which is B: by the names of the runs, by words for a side, or as somebody says.

Whatever names two models - votes, a file with both models, a pair on the command line - is oriented here and nowhere
else. The order in a file decides nothing, with one exception: where every vote has the same model in the column for
model A, that model is A. What the names leave open is an ``OrientationError``, for somebody to settle.
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
