"""How the headings of a source are matched to the meanings of its columns."""

from __future__ import annotations

import collections.abc
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rankdash.reading.columns.grid import NUMBERS
from rankdash.reading.columns.interactions import TIMED, are_of_users, beside, no_grade, times_of
from rankdash.reading.columns.raters import raters_of
from rankdash.reading.columns.synonyms import TIERS, key, last_words
from rankdash.reading.columns.wide_tables import FOR, fold_of
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import Problem, ReadError, check_whole, listed
from rankdash.reading.source.unread import not_read
from rankdash.reading.words.headings import KINDS, MEANING, Kind, Meaning
from rankdash.strings.nearest import did_you_mean, nearest

#: The headings of qrels that call the grade a score.
_BEIR = frozenset(("queryid", "corpusid", "score"))
#: The headings of qrels of ranx as Parquet, which are those of its runs too.
RANX = frozenset(("q_id", "doc_id", "score"))
#: How many tiers of names the last words of a heading may be: not "url" (image_url), "text", "rating" or a "model".
_LAST_WORDS = {"query_id": 3, "doc_id": 3, "rank": 2, "score": 2, "relevance": 2}
#: What becomes of the columns without a meaning; those of votes may hold the votes of raters.
_OTHERS = {
    "run": "Further columns, which are only shown",
    "models": "Further columns, which are only shown",
    "judgments": "Columns that were not read",
    "queries": "Further columns, which name segments",
}
Wishes = collections.abc.Mapping[str, str]


@dataclass(frozen=True)
class Mapping:
    """Which column of a source is read as what.

    ``names`` maps the number of a column (from 0) to the name it gets: a canonical name, or its own heading;
    ``called`` maps canonical names to the headings in the file. ``undecided`` are the names of columns of numbers that
    may be the rank or the score, which all of their cells together tell.
    """

    names: dict[int, str]
    called: dict[str, str]
    notes: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()

    def without(self, name: str) -> Mapping:
        """Return the mapping without the column that is read as a meaning."""
        return replace(self, names={i: own for i, own in self.names.items() if own != name})


def match(
    file: str, headings: Sequence[str], kind: Kind, wishes: Wishes | None = None, *, ranx: bool = False
) -> Mapping:
    """Return what each heading means; ``wishes`` maps meanings to headings and wins, "" meaning that no column has it.
    ``ranx``: they are those of its qrels.

    ReadError when a required column is missing, two columns claim one meaning, or a wish names what is not there.
    """
    check_whole(file, headings)
    table = KINDS[kind]
    graded = kind == "judgments" and not wishes and _grades_are_scores(headings, ranx)
    names, notes, problems = _scored(headings) if graded else _wished(file, headings, kind, wishes or {})
    none = {name for name, heading in (wishes or {}).items() if not heading}
    for meaning in table.meanings:
        if meaning.name in names.values() or meaning.name in none:
            continue
        claims = _claims(kind, meaning.name, headings, names)
        if len(claims) > 1 and not meaning.shown:
            problems.append(_rivals(file, meaning, [headings[i] for i in claims]))
        if claims:
            names[claims[0]] = meaning.name
            if headings[claims[0]] != meaning.name:
                notes.append(f"Column {listed([headings[claims[0]]])} was read as {meaning.words}.")
    problems += _by_last_words(file, headings, kind, names, notes, none)
    missing = [name for name in table.required if name not in names.values()]
    folded = fold_of(headings, kind, names) if set(missing) & {"doc_id", "model"} else {}
    if folded:
        names = {i: name for i, name in names.items() if i not in folded} | folded
        missing = [name for name in missing if name not in _held(folded)]
        problems = [problem for problem in problems if problem.choice is None or problem.choice.key != "doc_id"]
    if missing == ["relevance"]:
        problems += _without_grades(file, headings, kind, names, none)
    else:
        problems += [missing_column(file, name, headings, kind) for name in missing]
    notes += _passed_over(headings, kind, names)
    if problems:
        raise ReadError(problems)
    called = {name: headings[i] for i, name in names.items()}
    others = [heading or f"column {i + 1}" for i, heading in enumerate(headings) if not _is_kept(names.get(i))]
    notes += not_read(_OTHERS[kind], others) if others and kind in _OTHERS else ()
    if table.extras:
        names |= _extras(headings, names, none)
    return Mapping(names, called, tuple(notes))


def _held(folded: collections.abc.Mapping[int, str]) -> set[str]:
    """Return the meanings that columns side by side hold: documents, the parts named, models where there are two."""
    parts = [name.split(FOR) for name in folded.values()]
    models = {"model"} if any(part[1] for part in parts) else set()
    return {"doc_id"} | models | {part[0] for part in parts}


def positional(names: Sequence[str | None]) -> Mapping:
    """Return the mapping of a source without headings; a name is None where its column is not read."""
    return Mapping({i: name for i, name in enumerate(names) if name is not None}, {})


def _wished(
    file: str, headings: Sequence[str], kind: Kind, wishes: Wishes
) -> tuple[dict[int, str], list[str], list[Problem]]:
    """Return the columns that were named by hand."""
    names: dict[int, str] = {}
    notes: list[str] = []
    problems: list[Problem] = []
    for name, heading in wishes.items():
        if name not in TIERS[kind]:
            continue
        if not heading:
            notes.append(f"No column was read as {MEANING[name].words}, as asked.")
            continue
        places = [i for i, own in enumerate(headings) if own == heading and i not in names]
        places = places or [i for i, own in enumerate(headings) if key(own) == key(heading) and i not in names]
        if not places:
            what = f"there is no column {listed([heading])} to read as {MEANING[name].words}"
            allowed = f"Found: {listed(headings)}.{did_you_mean(nearest(heading, headings))}"
            problems.append(Problem("bad_option", file, what, allowed=allowed, choice=_choice(name, headings)))
            continue
        names[places[0]] = name
        notes.append(f"Column {listed([headings[places[0]]])} was read as {MEANING[name].words}, as asked.")
    return names, notes, problems


def _grades_are_scores(headings: Sequence[str], ranx: bool) -> bool:
    """Return whether these are the headings of qrels that call the grade a score."""
    return set(map(key, headings)) == _BEIR or ranx


def _scored(headings: Sequence[str]) -> tuple[dict[int, str], list[str], list[Problem]]:
    """Return the column of scores as that of the grades."""
    place = next(i for i, heading in enumerate(headings) if key(heading) == "score")
    return {place: "relevance"}, [f"Column {listed([headings[place]])} was read as the relevance."], []


def _claims(kind: Kind, name: str, headings: Sequence[str], taken: dict[int, str]) -> list[int]:
    free = [i for i in range(len(headings)) if i not in taken]
    exact = [i for i in free if headings[i] == name]
    if exact:
        return exact
    for place, tier in enumerate(TIERS[kind].get(name, ())):
        claims = [i for i in free if key(headings[i]) in tier]
        if claims:
            before = {MEANING[name].first} - {""} if place == 0 else set()
            return [i for i in free if key(headings[i]) in before] or claims
    return []


def _by_last_words(
    file: str, headings: Sequence[str], kind: Kind, names: dict[int, str], notes: list[str], none: set[str]
) -> list[Problem]:
    """Add to ``names`` the meanings that only the last words of a heading show ("bm25_score"); return the problems."""
    problems: list[Problem] = []
    ordered = not {"rank", "score"}.isdisjoint(names.values())
    orders = [] if ordered or kind not in ("run", "models") else ["rank", "score"]
    for name in (*KINDS[kind].required, *orders):
        if name in names.values() or name in none or (name == "score" and "rank" in names.values()):
            continue
        keys = frozenset().union(*TIERS[kind][name][: _LAST_WORDS.get(name, 0)])
        claims = [i for i, own in enumerate(headings) if i not in names and not keys.isdisjoint(last_words(own))]
        if len(claims) == 1:
            names[claims[0]] = name
            notes.append(f"Column {listed([headings[claims[0]]])} was read as {MEANING[name].words}.")
        elif claims and not fold_of(headings, kind, names):
            problems.append(_rivals(file, MEANING[name], [headings[i] for i in claims]))
    return problems


def _passed_over(headings: Sequence[str], kind: Kind, names: dict[int, str]) -> Sequence[str]:
    """Return notes on the columns that were passed over: each could be an id or a number that another column is."""
    notes = []
    for name in ("doc_id", *NUMBERS):
        own = next((headings[i] for i, meaning in names.items() if meaning == name), None)
        keys = frozenset().union(*TIERS[kind].get(name, ())[: 2 if name == "doc_id" else None])
        others = [heading for i, heading in enumerate(headings) if i not in names and key(heading) in keys]
        if own is not None and others:
            facts = {"own": listed([own]), "words": MEANING[name].words, "others": listed(others)}
            notes.append(advice("column_passed_over", key=name, **facts))
    return notes


def _choice(name: str, headings: Sequence[str]) -> Choice:
    return Choice("columns", tuple(headings), name)


def _rivals(file: str, meaning: Meaning, headings: Sequence[str]) -> Problem:
    what = f"{len(headings)} columns could be {meaning.words}: {listed(headings)}"
    allowed = advice("choose_one_column", key=meaning.name)
    return Problem("unclear", file, what, allowed=allowed, choice=_choice(meaning.name, headings))


def _without_grades(
    file: str, headings: Sequence[str], kind: Kind, names: dict[int, str], none: set[str]
) -> list[Problem]:
    """Return the problem of judgments without a column of grades; none where each rater has a column, or where the rows
    are what users took. The columns of the raters, or those of the times, are added to ``names``.
    """
    raters = {} if "relevance" in none else raters_of(headings, kind, names)
    if raters:
        names |= raters
        return []
    if none or not are_of_users(headings, names):
        return [missing_column(file, "relevance", headings, kind)]
    times = times_of(headings, names)
    if times is None:
        return [no_grade(file, headings, [headings[i] for i in beside(headings, names)])]
    names |= times
    return []


def _is_kept(name: str | None) -> bool:
    """Return whether a column stays in the table, by what it is read as."""
    return name is not None and not name.startswith(TIMED)


def missing_column(file: str, name: str, headings: Sequence[str], kind: Kind) -> Problem:
    """Return the problem of a table without a column that it needs."""
    meaning = MEANING[name]
    run = kind == "judgments" and any(_claims("run", name, headings, {}) for name in ("rank", "score"))
    more = " If it is a run, give it as a run." if run else ""
    facts = {"found": listed(headings), "examples": meaning.examples, "more": more}
    allowed = advice("choose_column", key=meaning.name, **facts)
    what = f"there is no column for {meaning.words}"
    return Problem("missing_column", file, what, allowed=allowed, choice=_choice(meaning.name, headings))


def _extras(headings: Sequence[str], taken: dict[int, str], none: set[str]) -> dict[int, str]:
    """Return the names of the columns without a meaning: their own, changed where two are the same, or where a name is
    that of a meaning that no column has.
    """
    used = {*taken.values(), *none}
    extras: dict[int, str] = {}
    for i, heading in enumerate(headings):
        if i in taken:
            continue
        own = heading.replace(FOR, " ") or f"column {i + 1}"
        name, n = own, 1
        while name in used:
            n += 1
            name = f"{own} ({n})"
        used.add(name)
        extras[i] = name
    return extras
