"""The one way in: what each of several files holds, its part in a comparison, and its table.

A page, the command line and the API hand files over as ``Given``; ``look`` says what one holds, ``place`` gives each a
part, ``read`` returns its table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import PurePath
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import from_strings, one_chunk
from rankdash.notes import advise, detail, listed, warning
from rankdash.reading import LIMITS, Choice, Kind, Limits, Options, ReadError, read_as
from rankdash.reading.headings import means
from rankdash.reading.problems import refuse
from rankdash.reading.recognition import LETOR, Understood, recognise, understand
from rankdash.reading.source import open_document, open_packed
from rankdash.records import field, frozen, replace
from rankdash.tables import Items, Judgments, Models, Pair, Queries, Run, Votes

Table = Run | Judgments | Models | Queries | Votes | Items
_BesideLetor = Literal["scores_a", "scores_b", "groups"]
Role = Literal["a", "b", "candidate", "both", "judgments", "queries", "votes", "items", "seen", "none"] | _BesideLetor


@frozen
class Decisions:
    """Decisions of a user about a file; empty fields are decided from its content. Hashable, so that a file and its
    decisions identify a reading. ``ids_as_numbers`` is for uploads: ``sandbox.numbers`` matches 001 and 1.
    """

    columns: tuple[tuple[str, str], ...] = ()
    grades: tuple[tuple[str, float], ...] = ()
    encoding: str = ""
    sheet: str = ""
    member: str = ""
    pair: Pair | None = None
    order: str = "auto"
    ids_as_numbers: bool = False

    def how(self) -> dict[str, Any]:
        """Return the decisions that every reader takes, by name."""
        named = {"columns": dict(self.columns), "grades": dict(self.grades)}
        plain = {name: getattr(self, name) for name in ("encoding", "sheet", "member")}
        return {name: value for name, value in (named | plain).items() if value}


@frozen
class Given:
    """A file as it was given: its name, and a source that readers take (a path, or an open binary file)."""

    name: str
    source: Any = field(repr=False)


@frozen
class FileLook:
    """The recognition of a file.

    ``kind`` is "" if the file is not a table, or needs a decision first; ``error`` says why. ``form`` describes its
    format. ``digest`` is the SHA-256 of its bytes, followed by the chosen part. ``lines`` is the number of lines in a
    LETOR file or a file of numbers, and ``total`` the sum of these numbers if all are sizes (else None).
    ``name`` begins with the chosen ``part``, such as a sheet. ``side`` is "a" or "b" if the file was dropped alone on
    the place of that model.
    """

    name: str
    digest: str
    kind: str = ""
    choices: tuple[Choice, ...] = ()
    form: Understood = field(default_factory=Understood)
    error: ReadError | None = None
    lines: int = 0
    total: int | None = None
    side: str = ""
    part: str = ""

    @property
    def hint(self) -> tuple[str, str]:
        """The side that a word in the name of its part means, or else in the whole name, and that word."""
        return next(filter(any, map(side_in_name, (self.part, self.name))), ("", ""))

    @property
    def is_letor(self) -> bool:
        """Whether it is a LETOR file."""
        return self.form.format == LETOR


@frozen
class FileReading:
    """A file that was read as a kind of table: the table or the error, and what was understood of the file."""

    table: Table | None = None
    error: ReadError | None = None
    understood: Understood = field(default_factory=Understood)


def look(given: Given, decisions: Decisions | None = None, *, limits: Limits = LIMITS) -> FileLook:
    """Return a first look at a file: what it holds, judged by its first part. No content raises an exception."""
    how = (decisions or Decisions()).how()
    digest, parts = "", [how[name] for name in _PARTS if name in how]
    part = PurePath(parts[-1]).name if parts else ""
    name = f"{part} ({given.name})" if part else given.name
    try:
        digest = "/".join((open_packed(given.source, limits).digest(), *parts))
        document = open_document(given.source, limits, Options(member=how.get("member", "")))
        found = recognise(given.source, limits=limits, **how)
    except ReadError as error:
        return FileLook(name, digest, form=understand(given.source, limits, Options(**how)), error=error, part=part)
    first = FileLook(name, digest, found.kind, found.choices, found.form, part=part)
    if first.is_letor:
        table = read_as("judgments", given.source, limits=limits, **how).table
        lines = len(table.table) if table is not None else sum(block.count(b"\n") for block in document.lines())
        return replace(first, lines=lines)
    if first.kind != "numbers":
        return first
    from rankdash.reading.letor import read_numbers  # few files are columns of numbers

    numbers, _ = read_numbers(document)
    are_sizes = bool(len(numbers)) and all(0 <= size < _MOST_LINES and size.is_integer() for size in numbers.tolist())
    return replace(first, lines=len(numbers), total=int(numbers.sum()) if are_sizes else None)


def read(
    given: Given,
    kind: Kind,
    decisions: Decisions | None = None,
    *,
    name: str | None = None,
    scores: Any = None,
    groups: Any = None,
    form: Understood | None = None,
    models: Pair | None = None,
    limits: Limits = LIMITS,
) -> FileReading:
    """Return a file read as a kind of table. ``scores`` and ``groups`` belong to a LETOR file; ``form`` comes from the
    first look; ``models`` are the names of the runs A and B, which votes may name.
    """
    decisions = decisions or Decisions()
    outcome = read_as(
        kind,
        given.source,
        limits=limits,
        name=name,
        order=decisions.order,
        pair=decisions.pair,
        models=models,
        scores=getattr(scores, "source", scores),
        groups=getattr(groups, "source", groups),
        **decisions.how(),
    )
    form = form or Understood()
    return FileReading(outcome.table, outcome.error, form.with_grid(outcome.grid) if outcome.grid else form)


def look_and_read(given: Given, decisions: Decisions, *, limits: Limits) -> tuple[FileLook, FileReading | None]:
    """Return the first look at a file, and its table; None where reading it needs other files or a decision."""
    with suppress(ReadError):  # of which the look tells
        given = replace(given, source=open_packed(given.source, limits))
    first = look(given, decisions, limits=limits)
    if first.is_letor or first.kind == "votes" or first.kind not in OF_KIND or decisions.ids_as_numbers:
        return first, None
    return first, read(given, first.kind, decisions, form=first.form, limits=limits)  # type: ignore[arg-type]


def name_queries(run: Run, queries: Queries | None) -> Run:
    """Return a run of answers that name no queries with the names of a table of queries, in its order; any other as it
    is. ReadError where there are more or fewer queries than answers.
    """
    unnamed = next((note for note in run.source.notes if note.code == "unnamed_queries"), None)
    if unnamed is None or queries is None:
        return run
    names = queries.table.column("query_id").to_pylist()
    count = int(dict(getattr(unnamed.text, "facts", ()))["count"])
    if len(names) != count:
        what = f"it holds {count:,} answers that name no queries, and there are {len(names):,} queries"
        raise refuse("unclear", run.source.name or run.name, what, "Give the queries of its searches, in their order.")
    column = run.array("query_id")
    own = from_strings([names[int(number) - 1] for number in column.dictionary.to_pylist()])
    named = pa.DictionaryArray.from_arrays(column.indices, own)
    table = run.table.set_column(run.table.column_names.index("query_id"), "query_id", named)
    said = detail("named_queries", f"Its {count:,} queries have their names from the table of queries, in its order.")
    notes = tuple(said if note is unnamed else note for note in run.source.notes)
    return replace(run, table=table, source=replace(run.source, notes=notes))


def without_seen(run: Run, seen: Judgments | None) -> Run:
    """Return a run without the items that its users have already seen, and a note on how many these were. ReadError
    where nothing else is in it.
    """
    if seen is None:
        return run
    users = seen.array("query_id").dictionary
    items = seen.array("doc_id").cast(pa.large_string()).unique()
    left = run.table.filter(pc.invert(pc.is_in(_pairs(run, users, items), value_set=_pairs(seen, users, items))))
    removed = len(run.table) - len(left)
    if not len(left):
        what = "every item was already seen by its user"
        raise refuse("empty", run.source.name or run.name, what, "Check the table of seen items.")
    query = one_chunk(left.column("query_id")).dictionary_decode().dictionary_encode()
    table = left.set_column(left.column_names.index("query_id"), "query_id", query).combine_chunks()
    if not removed:
        return run
    text = f"{removed:,} of {len(run.table):,} rows were removed: their users have already seen these items."
    return replace(run, table=table, source=run.source.noting(warning("seen", text)))


def _pairs(record: Run | Judgments, users: pa.Array, items: pa.Array) -> pa.Array:
    """Return a number for the user and the item of each row, null for a pair of which one is in neither list."""
    query = record.array("query_id")
    user = pc.index_in(query.dictionary, value_set=users).take(query.indices).cast(pa.int64())
    item = pc.index_in(record.array("doc_id").cast(pa.large_string()), value_set=items)
    return pc.add(pc.multiply(user, max(len(items), 1)), item.cast(pa.int64()))


# --- the part of each file -------------------------------------------------------------------------------------------


#: What a file is read as, by the part that it takes ("" where it is read together with another file); in the order in
#: which a page offers them.
PARTS: dict[Role, Kind | Literal[""]] = {
    "a": "run",
    "b": "run",
    "candidate": "run",
    "both": "models",
    "judgments": "judgments",
    "queries": "queries",
    "votes": "votes",
    "items": "items",
    "seen": "judgments",
    **dict.fromkeys(("scores_a", "scores_b", "groups", "none"), ""),
}
OF_KIND: Mapping[str, Role] = {kind: role for role, kind in reversed(PARTS.items()) if kind}

#: Decisions on which part of a file is read.
_PARTS = ("member", "sheet")
#: A number above this is not a number of lines.
_MOST_LINES = 10**12
#: Words in a name that mean a side, the plainest first. A letter, and what is also the size or version of a model,
#: count at the beginning, or after a word for lists.
_WORDS = {
    "a": "baseline base control prod production current old before v1".split(),
    "b": "candidate treatment new after variant challenger experiment proposed v2".split(),
}
_LISTS = frozenset("run runs model score scores list lists ranking system side variant result results version".split())
#: Words in the name of a file of items that users have seen.
_SEEN = frozenset("seen watched viewed".split())
_BETWEEN = re.compile(r"[\s_.\-()\[\]]+")


@frozen
class PlacedFile:
    """The part of a file, and why: a word of ``style``, and what it is about, such as "hint" and "old"."""

    role: Role
    why: str
    about: str = ""


def side_in_name(name: str) -> tuple[str, str]:
    """Return the side that a word in a name means, and that word; empty texts for no side, or both.

    >>> side_in_name("run_old.v3"), side_in_name("old_new"), side_in_name("MiniLM-L6-v2"), side_in_name("run_b.csv")
    (('a', 'old'), ('', ''), ('', ''), ('b', 'b'))
    """
    words = ["run", *filter(None, _BETWEEN.split(name.casefold()))]
    clear = {word for last, word in pairwise(words) if last in _LISTS or word not in "a b base v1 v2".split()}
    sides = {side: word for side, meaning in _WORDS.items() for word in (*meaning, side)[::-1] if word in clear}
    return next(iter(sides.items())) if len(sides) == 1 else ("", "")


def place(
    looks: Sequence[FileLook], wished: Mapping[int, Role], *, alone: Role = "a", dropped: Sequence[int] = ()
) -> tuple[PlacedFile, ...]:
    """Return the part of each file; parts that a user ``wished`` for a file go first. Only the part of a further
    candidate is given more than once.

    ``dropped`` numbers the drop of each file: lists on the place of a model take it first, also where their scores may
    be grades, or nothing is named; then files of later drops take their parts, and a run whose name means no side is a
    new B. A file that cannot be read is not used where another one of its kind came later in its place.
    The names of runs may contain a word for a side, such as baseline or candidate; otherwise the first of two is A, and
    the page says so. A single run whose name means no side is ``alone``. Runs beyond A and B are further candidates; so
    are all runs if none is known to be A, unless ``alone`` is "b", for newer files of one comparison. A copy of another
    file is not used.
    """
    looks = [replace(own, kind="run") if own.side and _may_be_run(own) else own for own in looks]
    parts: dict[int, PlacedFile] = {i: PlacedFile(role, "wished") for i, role in wished.items() if i < len(looks)}
    for i, each in enumerate(looks):
        asked = {choice.option for choice in each.error.choices} if each.error else set()
        twin = next((j for j in range(i) if looks[j].digest == each.digest and each.digest), None)
        if i not in parts and twin is not None and asked.isdisjoint(_PARTS):
            has_parts = len(each.form.sheets) > 1 or len(each.form.members) > 1
            parts[i] = PlacedFile("none", "twin_part" if has_parts else "twin", looks[twin].name)
    drops = [(bool(each.side), drop) for each, drop in zip(looks, dropped or [0] * len(looks), strict=True)]
    for i, each in enumerate(looks):
        later = (own for own, drop in zip(looks, drops, strict=True) if drop[1] > drops[i][1])
        better = (own for own in later if _lacks(own) < _lacks(each) and each.kind in ("", own.kind))
        if again := next((own for own in better if _is_in_place_of(own, each)), None):
            parts.setdefault(i, PlacedFile("none", "corrected", again.name))
    for drop in sorted(set(drops), reverse=True):
        here = [i for i in range(len(looks)) if drops[i] == drop and i not in parts]
        before = [each.hint[0] for i, each in enumerate(looks) if each.kind == "run" and drops[i] < drop]
        side: Role = alone if not before else "a" if before == ["b"] else "b"
        parts |= _place_numbers(looks, here, parts)
        parts |= _place_first(looks, here, parts, "models")
        runs = _of(looks, here, lambda each: each.kind == "run")
        parts |= _place_sides(looks, runs, parts, ("a", "b"), side, is_later=bool(before) and alone == "a")
        for kind in ("judgments", "queries", "votes", "items"):
            parts |= _place_first(looks, here, parts, kind)
    if alone == "a" and "both" not in _taken(parts):
        left = [i for i, file in parts.items() if looks[i].kind == "run" and file.why == "full"]
        if left or "candidate" in _taken(parts):
            left += [i for i, file in parts.items() if file.why == "order" and file.role in ("a", "b")]
        parts |= dict.fromkeys(left, PlacedFile("candidate", "left_over"))
    return tuple(parts.get(i) or PlacedFile("none", "unknown") for i in range(len(looks)))


def _lacks(look: FileLook) -> int:
    """Return what a file lacks: 0 nothing, 1 an answer, 2 it cannot be read."""
    return 0 if look.error is None else 1 if look.error.choices else 2


def _is_in_place_of(new: FileLook, old: FileLook) -> bool:
    """Return whether a file was dropped on the place of another, or under its name and not on the other place."""
    return new.side == old.side != "" or (new.name == old.name and "" in (new.side, old.side))


def _may_be_run(look: FileLook) -> bool:
    asked = any(means(own.values, "run", "score") or own.values[:1] == ("column 1",) for own in look.choices)
    return look.kind == "judgments" and (asked or look.form.unnamed)


def place_dropped(
    looks: Sequence[FileLook],
    rows: Sequence[Run | None],
    at: Sequence[str],
    drops: Sequence[int],
    wished: Mapping[int, Role],
    alone: Role,
) -> tuple[PlacedFile, ...]:
    """Return the part of each dropped file, as ``place`` does, where some have neither ranks nor scores nor grades.

    ``rows`` are the lists of such files, None for any other file, and ``at`` the place of each file on the page.
    Beside lists, pairs of a user and an item are judgments, unless another file has grades. Then a file named "seen" or
    "watched", or dropped alone on the optional place, has the items that users have seen, and any other is not used.
    """
    lists = {drop for run, where, drop in zip(rows, at, drops, strict=True) if run is None or where != "judgments"}
    beside = any(run is None and seen.kind == "run" for run, seen in zip(rows, looks, strict=True))
    called = [_SEEN & {*_BETWEEN.split(each.name.casefold())} for each in looks]
    pairs = [
        beside and run is not None and (run.source.has("pairs_alone") or bool(named and run.source.of_users))
        for run, named in zip(rows, called, strict=True)
    ]
    taken = [
        replace(seen, kind="judgments") if drop not in lists or (bare and not seen.side) else seen
        for seen, drop, bare in zip(looks, drops, pairs, strict=True)
    ]
    graded = any(seen.kind == "judgments" for seen in looks)
    places = [
        (where if drops.count(drop) == 1 else "") or "more" * bool(named)
        for where, drop, named in zip(at, drops, called, strict=True)
    ]
    spare: dict[int, Role] = {
        i: "seen" if where == "more" else "none"
        for i, (bare, where) in enumerate(zip(pairs, places, strict=True))
        if bare and (where == "more" or (graded and not where))
    }
    placed = place(taken, spare | dict(wished), alone=alone, dropped=drops)
    full = {i for i, part in spare.items() if part == "none"} - wished.keys()
    return tuple(replace(part, why="full") if i in full else part for i, part in enumerate(placed))


_Parts = Mapping[int, PlacedFile]


def _taken(parts: _Parts) -> set[Role]:
    roles = {file.role for file in parts.values()}
    return roles | ({"a", "b"} if {"both", "scores_a", "scores_b"} & roles else set())


def _of(looks: Sequence[FileLook], here: Sequence[int], fits: Callable[[FileLook], bool]) -> list[int]:
    """Return the files that fit, those without open decisions first."""
    return sorted((i for i in here if fits(looks[i])), key=lambda i: bool(looks[i].choices))


def _place_numbers(looks: Sequence[FileLook], here: Sequence[int], parts: _Parts) -> dict[int, PlacedFile]:
    """Place sizes and scores, where there is a LETOR file that they can belong to."""
    letor = next((each for each in looks if each.is_letor), None)
    numbers = _of(looks, here, lambda each: each.kind == "numbers")
    if letor is None:
        return {i: PlacedFile("none", "no_letor") for i in numbers}
    sizes = [i for i in numbers if looks[i].total == letor.lines and looks[i].lines != letor.lines][:1]
    new = {i: PlacedFile("groups", "sizes", letor.name) for i in sizes if "groups" not in _taken(parts)}
    scores = [i for i in numbers if i not in new and looks[i].lines == letor.lines]
    new |= _place_sides(looks, scores, parts, ("scores_a", "scores_b"), "scores_a")
    return new | {i: PlacedFile("none", "no_fit", letor.name) for i in numbers if i not in new}


def _place_first(looks: Sequence[FileLook], here: Sequence[int], parts: _Parts, kind: str) -> dict[int, PlacedFile]:
    """Place the first file of a kind."""
    role, taken = OF_KIND[kind], _taken(parts)
    free = role not in taken and not (role == "both" and {"a", "b"} & taken)
    files = _of(looks, here, lambda each: each.kind == kind)
    return {i: PlacedFile(role, "kind") if free and n == 0 else PlacedFile("none", "full") for n, i in enumerate(files)}


def _place_sides(
    looks: Sequence[FileLook],
    files: Sequence[int],
    parts: _Parts,
    roles: tuple[Role, Role],
    alone: Role,
    *,
    is_later: bool = False,
) -> dict[int, PlacedFile]:
    """Place files on the two sides: by the place of the drop, by name, else in order, where ``is_later`` means that
    none of them is A; others get no part.
    """
    free = [role for role in roles if role not in _taken(parts)]
    hints = {i: (looks[i].side, "") if looks[i].side else looks[i].hint for i in files}
    new: dict[int, PlacedFile] = {}
    for side, role in zip("ab", roles, strict=True):
        plainest = ["", *_WORDS[side], side]  # a place tells more than a word
        told = [i for i in files if hints[i][0] == side and i not in new]
        hinted = min(told, key=lambda i: plainest.index(hints[i][1]), default=None)
        if role in free and hinted is not None:
            new[hinted] = PlacedFile(role, "hint" if hints[hinted][1] else "wished", hints[hinted][1])
    left = sorted((i for i in files if i not in new and not looks[i].side), key=lambda i: bool(hints[i][0]))
    free = [role for role in free if role not in {file.role for file in new.values()}]
    if is_later or (len(left) == 1 and len(free) == 2):
        free = [role for role in free if role == alone]
    is_guess = "a" in free[:1] and len(left) > 1 and not hints[left[1]][0]
    why = "order" if is_guess or len(free) == 2 else "alone" if len(files) == 1 else "left_over"
    new |= {i: PlacedFile(role, why) for i, role in zip(left, free, strict=False)}
    return new | {i: PlacedFile("none", "full") for i in files if i not in new}


# --- several models of one file ---------------------------------------------------------------------------------------


def models_of(models: Models, named: Sequence[str] = ()) -> tuple[Run, ...]:
    """Return the runs that are compared of a file with several models, A first: those that are ``named``, matched
    exactly; of one name, it and all others. Without names, A is the model that is called A.

    ReadError, with the question, where the names do not say which is A, and for models that are not there.
    """
    found, file = {run.name.strip(): run for run in models.runs}, models.source.name or "the table"
    names, wanted = listed(run.name for run in models.runs), [name.strip() for name in named or ["A"]]
    missing = [name for name in wanted if name not in found]
    if len(found) == 1 or (missing and not named):
        count = "is 1 model" if len(found) == 1 else f"are {len(found):,} models"
        do = "A comparison needs two." if len(found) == 1 else advise("choose_baseline")
        raise refuse("unclear", file, f"there {count}, {names}", do)
    if missing:
        raise refuse("bad_option", file, f"there is no model {listed(missing)}", f"Found: {names}.")
    if len({*wanted}) < len(wanted):
        raise refuse("bad_option", file, f"a model is named twice, {listed(named)}", "Name each once.")
    first, *others = (found[name] for name in wanted)
    return (first, *(others or (run for run in models.runs if run is not first)))
