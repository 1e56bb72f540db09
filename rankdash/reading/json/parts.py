"""Which member of a JSON object to read as a kind of table: by what each could be, never the first that fits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rankdash.reading.json.job import Job
from rankdash.reading.json.shapes import FITS, holds_queries, is_container, is_flat, is_part_name, key, traits
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import ReadError, listed, refuse
from rankdash.reading.words.headings import COUNTED, KINDS, QUEPID_ORDER, RELEVANT, Kind
from rankdash.tables import HOLDS_JUDGMENTS, QUEPID_IDS

#: Tables of documents, which no object of plain values is.
_OF_DOCUMENTS = ("run", "judgments", "models")
_SURE = 2
#: What a snapshot of Quepid has beside its lists and ratings, and no table is read of.
_OF_SNAPSHOT = frozenset(("scores", "scorer", "try"))
#: What a snapshot is called, and when it was taken.
_NAMED = ("name", "time")
#: How the note ends on members that hold a table of another kind.
_HOLDS: Mapping[Kind, str] = {
    "run": "holds lists: give the file as a run to read them.",
    "judgments": HOLDS_JUDGMENTS,
}
_BOTH = " If they are the lists of two models, give it as the one file with both models."


def fit(name: str, value: Any, kind: Kind) -> int:
    """Return how well a member fits a kind of table, by the beginning of its value: 2 clearly, 1 perhaps, 0 not."""
    if not is_container(value) or not value:
        return 0
    if key(name) in RELEVANT and isinstance(value, dict):
        return _SURE if kind == "judgments" else 0
    if kind in _OF_DOCUMENTS and isinstance(value, dict) and is_flat(value):
        return 0
    return FITS[kind](name, traits(name, value))


def models_of(job: Job, samples: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members that hold the lists of one model each, and note the others as unread; nothing where there are
    fewer than two, or where a member holds several models itself.
    """
    if any(fit(name, value, "models") for name, value in samples.items()):
        return {}
    lists = {
        name: value for name, value in _tables(samples).items() if fit(name, value, "run") and holds_queries(value)
    }
    if len(lists) < 2:
        return {}
    job.unread.add_all(name for name in samples if name not in lists)
    return lists


def best(job: Job, samples: Mapping[str, Any]) -> str:
    """Return the name of the member to read, by the beginning of each, and note the others as unread.

    ReadError where several fit equally well, where none fits, and where the member that was chosen is not there.
    """
    kind, wish = job.kind, job.options.member
    tables = _tables(samples)
    fits = {name: fit(name, value, kind) for name, value in tables.items()}
    containers = [name for name, value in tables.items() if is_container(value) and value]
    fitting = [name for name, how in fits.items() if how and how == max(fits.values())]
    if wish and wish in samples:
        fitting = [wish]
    elif not fitting and len(containers) == 1:
        fitting = containers  # reading it says what is wrong
    if not fitting:
        raise _none(job, samples)
    (first, *more) = fitting
    doubtful = not wish and fits[first] < _SURE and not is_part_name(first) and any(map(is_part_name, containers))
    if more or doubtful:
        where = "the member" if doubtful and not more else "several members:"
        what = f"{KINDS[kind].words} could stand in {where} {listed(fitting)}"
        allowed = advice("choose_part", more=_BOTH if kind == "run" else "")
        raise refuse("unclear", job.name, what, allowed, Choice("member", tuple(fitting), "json"))
    name = first
    job.part = name
    job.snapshot = _snapshot(samples) if kind in ("run", "queries") else job.snapshot
    used = (name, *_NAMED) if any(job.snapshot) else (name,)
    job.unread.add_all(other for other in samples if other not in used)
    job.notes += _notes(kind, name, {other: value for other, value in tables.items() if other != name})
    if _is_snapshot(samples) or _are_rated_queries(samples):
        job.notes.append(QUEPID_IDS)
    return name


def _tables(samples: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the members that a table may be read of: not the counts of a search engine, nor the scores and settings of
    a snapshot of Quepid.
    """
    aside = _OF_SNAPSHOT if _is_snapshot(samples) else frozenset[str]()
    return {name: value for name, value in samples.items() if name not in aside and key(name) not in COUNTED}


def _is_snapshot(samples: Mapping[str, Any]) -> bool:
    """Return whether these are the members of a snapshot of Quepid."""
    queries = samples.get("queries")
    rated = isinstance(queries, list) and any(isinstance(query, Mapping) and "ratings" in query for query in queries)
    return rated and isinstance(samples.get("docs"), Mapping)


def _are_rated_queries(samples: Mapping[str, Any]) -> bool:
    """Return whether these are the queries of a case of Quepid, each with its id, its text and its ratings."""
    queries = samples.get("queries")
    of_each = {"query_id", "query_text", "ratings", *QUEPID_ORDER}
    return isinstance(queries, list) and any(isinstance(one, Mapping) and one.keys() >= of_each for one in queries)


def _snapshot(samples: Mapping[str, Any]) -> tuple[str, str]:
    """Return the name and the time of a snapshot of Quepid, whose queries a first part may lack; else empty texts."""
    begun = isinstance(samples.get("docs"), Mapping) and "queries" not in samples and samples.keys() >= {*_NAMED}
    if not begun and not _is_snapshot(samples):
        return "", ""
    name, time = (value.strip() if isinstance(value := samples.get(own), str) else "" for own in _NAMED)
    return name, time


def _notes(kind: Kind, name: str, others: Mapping[str, Any]) -> Iterable[str]:
    """Yield the notes on the member that was read, where other members hold something too."""
    if any(map(is_container, others.values())):
        yield f"The member {listed([name])} was read."
    for other_kind, holds in _HOLDS.items():
        held = [other for other, value in others.items() if fit(other, value, other_kind) == _SURE]
        if other_kind != kind and held:
            yield f"The member {listed(held)} {holds}"


def _none(job: Job, samples: Mapping[str, Any]) -> ReadError:
    what = f"no member of the JSON text holds {KINDS[job.kind].words}"
    do = f"Found: {listed(samples)}."
    for kind in ("judgments", "run"):
        held = [name for name, value in _tables(samples).items() if fit(name, value, kind)]
        if kind != job.kind and held:
            do += f" Give it as {KINDS[kind].words}: {listed(held)} could be such."
            break
    return refuse("other_kind", job.name, what, do)
