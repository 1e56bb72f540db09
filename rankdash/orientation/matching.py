"""Names of models: how alike two spellings are, which side a name tells by itself, and two names as one text.

Which model is A is decided in decision.py.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from rankdash.strings.normalforms import normalized

#: Names of A and of B.
Pair = tuple[str, str]
Place = Literal["A", "B", ""]

_DAY = re.compile(r"^\(\d{1,2}/\d{1,2}/\d{2}\) ")
_SIGNS = re.compile(r"[\W_]+")
#: Names that tell by themselves which side they mean, after ``spelled``.
_PLACES: Mapping[str, Place] = {"a": "A", "1": "A", "baseline": "A", "b": "B", "2": "B", "candidate": "B"}
_KIND = re.compile(r"^(?:model|system|run|list|模型|モデル) ?(?=(?:a|b|1|2)$)")
#: Words in a name that tell a side.
_TELLING: Mapping[Place, frozenset[str]] = {
    "A": frozenset(
        "a baseline base control old before prod production current online champion reference v1 "
        "旧 基线 对照 线上 現行 旧版 ベースライン".split()
    ),
    "B": frozenset(
        "b candidate treatment new after variant challenger experiment experimental proposed v2 新 实验 候选 新版 候補 "
        "改善".split()
    ),
}
_BETWEEN_WORDS = re.compile(r"[\s_.\-()\[\]]+")


def spelled(name: str) -> str:
    """Return a name without what varies in spelling it: case, width, and the signs between words.

    >>> spelled("GPT-4_Turbo"), spelled("gpt 4 turbo"), spelled("v1.0") == spelled("v10")
    ('gpt 4 turbo', 'gpt 4 turbo', False)
    """
    return _SIGNS.sub(" ", normalized("NFKC", name).casefold()).strip()


def undated(name: str) -> str:
    """Return the spelling of a name without the day that Quepid writes before the name of a snapshot.

    >>> undated("(5/14/26) New synonyms"), undated("(5) new")
    ('new synonyms', '5 new')
    """
    return spelled(_DAY.sub("", name))


#: What a name and a model have in common, the closest first. Of two days neither is left out: they are two snapshots.
FOLDS: tuple[tuple[Callable[[str], str], Callable[[str], str]], ...] = (
    (str, str),
    (spelled, spelled),
    (spelled, undated),
    (undated, spelled),
)


def sides_of(names: Iterable[str], models: Pair) -> dict[str, Place]:
    """Return which of two models each name means, without names that mean neither: the model with the same text, else,
    where spelling tells the two models apart, the model that this name alone is spelled like.

    >>> sides_of(["New", "old", "other"], ("old", "new"))
    {'old': 'A', 'New': 'B'}
    """
    names, sides = list(dict.fromkeys(names)), dict[str, Place]()
    for of_name, of_model in FOLDS:
        a, b = map(of_model, models)
        if a == b:
            break
        for text, side in ((a, "A"), (b, "B")):
            alike = [name for name in names if name not in sides and of_name(name) == text]
            if text and len(alike) == 1 and side not in sides.values():
                sides[alike[0]] = "A" if side == "A" else "B"
    return sides


def side_of(text: str, models: Pair) -> Place:
    """Return which of two models a text names; "" for neither, and where both are spelled alike and the text is neither
    exactly.
    """
    for of_name, of_model in FOLDS:
        a, b, own = of_model(models[0]), of_model(models[1]), of_name(text)
        if a == b:
            break
        if own and own in (a, b):
            return "A" if own == a else "B"
    return ""


def place_of(name: str) -> Place:
    """Return the side that a name tells by itself: "A", "model B", "1", "candidate"; "" for any other name."""
    return _PLACES.get(_KIND.sub("", spelled(name)), "")


def telling_word(name: str) -> tuple[Place, str]:
    """Return the side that a word of a name tells, and that word; empty texts where words tell no side, or both.

    >>> telling_word("run_old.v3"), telling_word("old_new"), telling_word("bm25")
    (('A', 'old'), ('', ''), ('', ''))
    """
    words = [word for word in _BETWEEN_WORDS.split(name.casefold()) if word]
    sides = {side: word for side, telling in _TELLING.items() for word in words if word in telling}
    return next(iter(sides.items())) if len(sides) == 1 else ("", "")


def pair_text(pair: Pair) -> str:
    """Return two names as people type them: with a comma between them, a name with a comma in quotes.

    >>> pair_text(("old", "new, tuned"))
    'old,"new, tuned"'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(pair)  # so that a name with either sign is quoted
    return out.getvalue().removesuffix("\r\n")


def pair_of(text: str) -> Pair:
    """Return the two names in a text that ``pair_text`` made or somebody typed. ValueError where it has not two."""
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True))
    except csv.Error:
        rows = []
    if len(rows) != 1 or len(rows[0]) != 2:
        raise ValueError(f'{text!r} are not two names. Write them as old,new, and a name with a comma as "x, y".')
    a, b = (name.strip() for name in rows[0])
    return a, b
