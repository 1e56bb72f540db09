"""The part of each file, and why: model A, model B, both, judgments, queries, votes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from rankdash.intake.files import FileLook

Role = Literal["a", "b", "both", "judgments", "queries", "votes", "scores_a", "scores_b", "groups", "none"]

#: What a browser adds to the name of a second download.
_NUMBERED = re.compile(r" ?\(\d+\)(?=(\.\w+)*$)")
#: Words in a name that tell a side.
_TELLING: Mapping[str, frozenset[str]] = {
    "a": frozenset(
        "a baseline base control old before prod production current online champion reference v1 "
        "旧 基线 对照 线上 現行 旧版 ベースライン".split()
    ),
    "b": frozenset(
        "b candidate treatment new after variant challenger experiment experimental proposed v2 新 实验 候选 新版 候補 "
        "改善".split()
    ),
}
_BETWEEN_WORDS = re.compile(r"[\s_.\-()\[\]]+")


@dataclass(frozen=True)
class Part:
    """A part that a file can take: what the file is read as ("" where it is read together with another file)."""

    role: Role
    kind: str = ""


#: In the order in which a page offers them.
PARTS: Mapping[Role, Part] = {
    part.role: part
    for part in (
        Part("a", "run"),
        Part("b", "run"),
        Part("both", "models"),
        Part("judgments", "judgments"),
        Part("queries", "queries"),
        Part("votes", "votes"),
        Part("scores_a"),
        Part("scores_b"),
        Part("groups"),
        Part("none"),
    )
}
OF_KIND: Mapping[str, Role] = {part.kind: part.role for part in reversed([*PARTS.values()]) if part.kind}


@dataclass(frozen=True)
class PlacedFile:
    """The part of a file, and why: a word of ``style``, and what it is about, such as "hint" and "old"."""

    role: Role
    why: str
    about: str = ""


def placed(
    looks: Sequence[FileLook], wished: Mapping[int, Role], *, alone: Role = "a", dropped: Sequence[int] = ()
) -> tuple[PlacedFile, ...]:
    """Return the part of each file, every part at most once; parts that somebody ``wished`` for a file go first.

    ``dropped`` numbers the drop that each file came with: files of later drops take their parts first. The names of two
    runs may tell their sides, or those of their snapshots, or the times of these: the older is A. Names that only a
    browser told apart, "x.csv" and "x (1).csv", leave it open, and the files get no part. Otherwise the first is A. A
    single run whose name tells no side is ``alone``. Files with open decisions come after those without; a copy of
    another file is not used.
    """
    parts: dict[int, PlacedFile] = {i: PlacedFile(role, "wished") for i, role in wished.items() if i < len(looks)}
    for i, look in enumerate(looks):
        twin = next((j for j in range(i) if looks[j].digest == look.digest), None)
        if i not in parts and twin is not None:
            parts[i] = PlacedFile("none", "twin", looks[twin].name)
    drops = dropped or [0] * len(looks)
    for drop in sorted(set(drops), reverse=True):
        parts |= _placed_of(drop, looks, drops, parts, alone)
    return tuple(parts[i] for i in range(len(looks)))


#: Names in which a letter tells a side by itself: it stands first, or behind a word for lists.
_PLAIN_LETTER = re.compile(
    r"(?i)(?:(?:run|model|lists?|ranking|system|side|variant|results?|version)[ _.-]*)?[ab](?![a-z0-9])"
)
_Parts = Mapping[int, PlacedFile]


def _placed_of(
    drop: int, looks: Sequence[FileLook], drops: Sequence[int], parts: _Parts, alone: Role
) -> dict[int, PlacedFile]:
    """Return the parts of the files of one drop. A run of a later drop whose name tells no side is a new B."""
    waiting = {i: PlacedFile("none", "") for i in range(len(looks)) if drops[i] != drop and i not in parts}
    before = [hint(looks[i].name)[0] for i in waiting if looks[i].kind == "run" and drops[i] < drop]
    if before:
        alone = "a" if before == ["b"] else "b"
    every = dict(parts) | waiting
    for rule in _RULES:
        every |= rule(looks, every, alone)
    placed = {i: file for i, file in every.items() if i not in waiting}
    return {i: replace(file, why="later") if before and file.why == "alone" else file for i, file in placed.items()}


def _free(looks: Sequence[FileLook], parts: _Parts, fits: Callable[[FileLook], bool]) -> list[int]:
    """Return the files without a part that fit, those without open decisions first."""
    here = [i for i, look in enumerate(looks) if i not in parts and fits(look)]
    return sorted(here, key=lambda i: bool(looks[i].choices))


def _taken(parts: _Parts) -> set[Role]:
    roles = {file.role for file in parts.values()}
    return roles | ({"a", "b"} if "both" in roles else set())


def _numbers(looks: Sequence[FileLook], parts: _Parts, _: Role) -> dict[int, PlacedFile]:
    """Place sizes and scores, where there is a LETOR file that they can belong to."""
    letor = next((look for look in looks if look.is_letor), None)
    numbers = _free(looks, parts, lambda look: look.kind == "numbers")
    if letor is None:
        return {i: PlacedFile("none", "no_letor") for i in numbers}
    new: dict[int, PlacedFile] = {}
    if "groups" not in _taken(parts):
        sizes = [i for i in numbers if looks[i].total == letor.lines and looks[i].lines != letor.lines][:1]
        new = {i: PlacedFile("groups", "sizes", letor.name) for i in sizes}
    scores = [i for i in numbers if i not in new and looks[i].lines == letor.lines]
    new |= _sided(looks, scores, parts, ("scores_a", "scores_b"), "scores_a")
    return new | {i: PlacedFile("none", "no_fit", letor.name) for i in numbers if i not in new}


def _combined(looks: Sequence[FileLook], parts: _Parts, _: Role) -> dict[int, PlacedFile]:
    both = _free(looks, parts, lambda look: look.kind == "models")
    if _taken(parts) & {"a", "b"}:
        return {i: PlacedFile("none", "full") for i in both}
    return {i: PlacedFile("both", "kind") if n == 0 else PlacedFile("none", "full") for n, i in enumerate(both)}


def _runs(looks: Sequence[FileLook], parts: _Parts, alone: Role) -> dict[int, PlacedFile]:
    runs = _free(looks, parts, lambda look: look.kind == "run")
    if {"scores_a", "scores_b"} & _taken(parts):
        return {i: PlacedFile("none", "full") for i in runs}
    return _sided(looks, runs, parts, ("a", "b"), alone)


def _others(looks: Sequence[FileLook], parts: _Parts, _: Role) -> dict[int, PlacedFile]:
    """Place judgments, queries and votes: the first of each."""
    new: dict[int, PlacedFile] = {}
    for kind in ("judgments", "queries", "votes"):
        role = OF_KIND[kind]
        free = role not in _taken(parts)
        for i in _free(looks, parts, lambda look, kind=kind: look.kind == kind):  # type: ignore[misc]
            new[i] = PlacedFile(role, "kind") if free else PlacedFile("none", "full")
            free = False
    return new


def _unknown(looks: Sequence[FileLook], parts: _Parts, _: Role) -> dict[int, PlacedFile]:
    return {i: PlacedFile("none", "unknown") for i in range(len(looks)) if i not in parts}


_RULES = (_numbers, _combined, _runs, _others, _unknown)


def _sided(
    looks: Sequence[FileLook], files: Sequence[int], parts: _Parts, roles: tuple[Role, Role], alone: Role
) -> dict[int, PlacedFile]:
    """Place files on the two sides: as names tell, else by time, else in order; files beyond two get no part."""
    free = [role for role in roles if role not in _taken(parts)]
    hints = _without_lone_letter({i: _hint_of(looks[i]) for i in files}, looks)
    new: dict[int, PlacedFile] = {}
    for side, role in zip("ab", roles, strict=True):
        hinted = next((i for i in files if hints[i][0] == side and i not in new), None)
        if role in free and hinted is not None:
            new[hinted] = PlacedFile(role, "hint", hints[hinted][1])
    left = sorted((i for i in files if i not in new), key=lambda i: bool(hints[i][0]))
    free = [role for role in free if role not in {file.role for file in new.values()}]
    if len(left) == 1 and len(free) == 2:
        free = [alone]
    if len(left) > 1 and len(free) == 2:
        dated = _by_time(looks, left, roles)
        if dated or any(_are_copies(looks[i], looks[j]) for i in left for j in left if i < j):
            return new | (dated or {i: PlacedFile("none", "copies") for i in left})
    why = "order" if len(free) == 2 else "alone" if len(files) == 1 and not _taken(parts) & set(roles) else "left_over"
    new |= {i: PlacedFile(role, why) for i, role in zip(left, free, strict=False)}
    return new | {i: PlacedFile("none", "full") for i in files if i not in new}


def _without_lone_letter(hints: Mapping[int, tuple[str, str]], looks: Sequence[FileLook]) -> dict[int, tuple[str, str]]:
    """Return the hints of files without that of a lone letter within a name, where no other file tells its side: "b" is
    part of the name of the model TAS-B.
    """
    told = [i for i, (side, _) in hints.items() if side]
    is_lone = len(hints) > 1 and len(told) == 1 and len(hints[told[0]][1]) == 1
    if is_lone and not _PLAIN_LETTER.match(looks[told[0]].name):
        return {**hints, told[0]: ("", "")}
    return dict(hints)


def _hint_of(look: FileLook) -> tuple[str, str]:
    """Return the side that the name of a file tells, else that of the snapshot in it, and the word for it."""
    told = hint(look.name)
    return told if told[0] else hint(look.snapshot[0])


def _by_time(looks: Sequence[FileLook], files: Sequence[int], roles: tuple[Role, Role]) -> dict[int, PlacedFile]:
    """Place two snapshots, the older on side A; nothing where there are more, or their times do not tell."""
    times = [_time(looks[i].snapshot[1]) for i in files]
    if len(files) != 2 or None in times or times[0] == times[1]:
        return {}
    older, newer = sorted(files, key=lambda i: _time(looks[i].snapshot[1]) or 0.0)
    return {
        i: PlacedFile(role, why, looks[i].snapshot[1])
        for i, role, why in ((older, roles[0], "older"), (newer, roles[1], "newer"))
    }


def _time(text: str) -> float | None:
    """Return a time of ISO 8601, or as Ruby writes it, in seconds; None for anything else."""
    try:
        time = datetime.fromisoformat(re.sub(r" UTC$", "+00:00", text))
    except ValueError:
        return None
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def _are_copies(one: FileLook, other: FileLook) -> bool:
    """Return whether the names of two files differ only by the number that a browser adds to a second download."""
    return _NUMBERED.sub("", one.name) == _NUMBERED.sub("", other.name)


def hint(name: str) -> tuple[str, str]:
    """Return the side that a word of a file's name tells, "a" or "b", and the word; empty strings for none, or both.

    >>> hint("run_old.v3"), hint("old_new"), hint("bm25")
    (('a', 'old'), ('', ''), ('', ''))
    """
    words = [word for word in _BETWEEN_WORDS.split(name.casefold()) if word]
    sides = {side: word for side, telling in _TELLING.items() for word in words if word in telling}
    return next(iter(sides.items())) if len(sides) == 1 else ("", "")
