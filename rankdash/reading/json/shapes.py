"""What a JSON value could be, by its names and its structure: lists of documents, grades, queries, votes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any

from rankdash.reading.columns import synonyms
from rankdash.reading.columns.synonyms import TIERS
from rankdash.reading.columns.wide_tables import side_of
from rankdash.reading.values.numerals import is_number
from rankdash.reading.words.headings import GRADES, KINDS, LISTS, NUMBER_LISTS, QUERIES, VOTES, WRAPPERS, Kind

#: Items that show the structure of a value, and how deep they are looked into.
_ITEMS, _DEEPEST = 8, 6
_MANY = 1 << 10
#: Names of the query that no document has for its own text, and those of the document that nothing else has.
_IDS_OF_QUERIES = TIERS["run"]["query_id"][0] | TIERS["run"]["query_id"][1]
_IDS_OF_DOCUMENTS = TIERS["run"]["doc_id"][0] | TIERS["run"]["doc_id"][1]
_DESCRIBING = ("rank", "score", "relevance", "title")
_IDS_OF_FACTS = ("queryid", "qid")

#: What a query is called beside the list of its documents: in its own words, and in those of its id.
_NAMES_OF_QUERIES = frozenset(("queryid", "qid")) | TIERS["run"]["query_id"][2]
_WORDS_OF_QUERIES = ("query", "qid", "search", "查", "検索", "搜", "檢", "クエリ")

key = lru_cache(_MANY)(synonyms.key)


def is_container(value: Any) -> bool:
    """Return whether a value is an object or a list."""
    return isinstance(value, (dict, list))


def is_part_name(name: str) -> bool:
    """Return whether the name of a member is that of a part of a document, and of no query."""
    own = key(name)
    return own in WRAPPERS or own in LISTS or own in GRADES or own in QUERIES or own in VOTES


def are_grades(name: str) -> bool:
    """Return whether this is what people call the grades of documents."""
    return key(name) in GRADES


def are_called_grades(name: str) -> bool:
    """Return whether numbers below a name are called grades by it: as lists of them are, or as one of them is."""
    return are_grades(name) or NUMBER_LISTS.get(key(name)) == "relevance" or means([name], "judgments", "relevance")


def is_list_name(name: str) -> bool:
    """Return whether this is what people call a list of documents, or their grades."""
    return side_of(name) != "" or key(name) in LISTS or are_grades(name)


def is_flat(value: Mapping[str, Any]) -> bool:
    """Return whether no member of an object is an object or a list."""
    return not any(map(is_container, value.values()))


def means(names: Iterable[str], kind: Kind, *meanings: str) -> bool:
    """Return whether one of the names is a heading for one of the meanings."""
    return any(key(name) in tier for name in names for meaning in meanings for tier in TIERS[kind].get(meaning, ()))


def is_record(value: Any, kind: Kind) -> bool:
    """Return whether an object has a name for the query and, where one is needed, for the document."""
    if not isinstance(value, dict):
        return False
    return all(means(value, kind, name) for name in KINDS[kind].required if name.endswith("_id"))


def is_fact(value: Mapping[Any, Any]) -> bool:
    """Return whether an object is the only record about a query, as a file of one line has it, and no {query: text}."""
    names = {key(str(name)) for name in value}
    named = not names.isdisjoint(_IDS_OF_FACTS) or ("id" in names and means(map(str, value), "queries", "text"))
    return named and len(value) > 1 and is_flat(value)


def is_list_of_documents(value: Any) -> bool:
    """Return whether a value is {document: number}, [document, …] or [[document, number], …]."""
    if isinstance(value, dict):
        return is_flat(value)
    if not isinstance(value, list):
        return False
    return all(isinstance(item, str) or (isinstance(item, list) and 0 < len(item) <= 2) for item in value)


def is_group(value: Any) -> bool:
    """Return whether a value is {query: {document: number}} or {document: {name: value}}, one name deeper than a
    list.
    """
    if not isinstance(value, dict) or not value or any(map(is_list_name, value)) or are_described(value):
        return False
    return all(is_container(member) and is_list_of_documents(member) for member in value.values())


def are_described(value: Mapping[str, Any]) -> bool:
    """Return whether these are objects by document, each with its number or its title: {document: {name: value}}."""
    some = [*islice(value.values(), _ITEMS)]
    return bool(some) and all(isinstance(inner, dict) and means(inner, "run", *_DESCRIBING) for inner in some)


def are_columns(columns: list[Any]) -> bool:
    """Return whether these are [cell, …] or {row: cell}, all of them of one kind and as long."""
    kinds = {type(cells) for cells in columns}
    return kinds in ({list}, {dict}) and len({len(cells) for cells in columns}) == 1


def is_document(row: Mapping[str, Any]) -> bool:
    """Return whether a record names a document by a name that nothing else has: its lists are about that document."""
    return not _IDS_OF_DOCUMENTS.isdisjoint(map(key, row))


def holds_documents(name: str, value: Any) -> bool:
    """Return whether a member of a record is a list of documents: of objects, of pairs, of ids, or {document: number}.

    Under a name that says nothing, objects must have an id, and pairs must begin with an id that is no number.
    """
    named = is_list_name(name)
    if isinstance(value, dict):
        return bool(value) and named and (is_flat(value) or are_described(value))
    if not isinstance(value, list) or not value:
        return False
    if all(isinstance(item, dict) for item in value):
        return named or any(means(item, "run", "doc_id") for item in value[:_ITEMS])
    if all(isinstance(item, list) and 0 < len(item) <= 2 for item in value):
        return named or not is_number(str(value[0][0]))
    return named and all(isinstance(item, str) for item in value)


def stands_for_documents(name: str, value: Any) -> bool:
    """Return whether a list or an object beside a query is about its documents: these, or their grades, or none yet."""
    if key(name) in NUMBER_LISTS and isinstance(value, list) and value:
        return all(isinstance(item, (int, float)) or is_number(str(item)) for item in value)
    return is_list_name(name) or holds_documents(name, value)


def speaks_of_query(name: str) -> bool:
    """Return whether a name says that it is a query's, wherever it stands."""
    return any(word in key(name) for word in _WORDS_OF_QUERIES)


def is_answer(value: Mapping[str, Any]) -> bool:
    """Return whether an object names one query, in a text or a small object, beside one list of its documents, which
    name none.
    """
    lists = [inner for name, inner in value.items() if isinstance(inner, list) and holds_documents(name, inner)]
    if len(lists) != 1 or not any(map(_names_a_query, value.items())):
        return False
    return not any(isinstance(item, dict) and names_its_query(item) for item in lists[0][:_ITEMS])


def names_its_query(item: Mapping[str, Any]) -> bool:
    """Return whether a row of a list names the query that it is of, by a name that is no document's."""
    return any(
        key(name) in _IDS_OF_QUERIES or (key(name) in _NAMES_OF_QUERIES and speaks_of_query(name)) for name in item
    )


def _names_a_query(member: tuple[str, Any]) -> bool:
    name, value = member
    if isinstance(value, dict):
        return is_flat(value) and any(map(_names_a_query, value.items()))
    return isinstance(value, str) and bool(value) and key(name) in _NAMES_OF_QUERIES


def holds_queries(value: Any) -> bool:
    """Return whether a value has queries in it: {query: documents}, or records that name a query or have lists of
    documents.
    """
    if isinstance(value, dict):
        return any(map(is_container, value.values())) and not any(map(is_list_name, value))
    if not isinstance(value, list):
        return False
    records = [record for record in islice(value, _ITEMS) if isinstance(record, dict)]
    return any(not _IDS_OF_QUERIES.isdisjoint(map(key, record)) or any(map(is_list_name, record)) for record in records)


@dataclass(frozen=True)
class Traits:
    """What stands in a value, as far as its first items tell: documents, grades of them, what orders them, columns for
    models, texts of queries, votes. ``graded_lists``: the documents stand in lists of grades alone.
    """

    documents: bool = False
    grades: bool = False
    order: bool = False
    graded_lists: bool = False
    models: bool = False
    texts: bool = False
    votes: bool = False

    def __or__(self, other: Traits) -> Traits:
        alone = [feature.graded_lists for feature in (self, other) if feature.documents]
        return Traits(
            self.documents or other.documents,
            self.grades or other.grades,
            self.order or other.order,
            bool(alone) and all(alone),
            self.models or other.models,
            self.texts or other.texts,
            self.votes or other.votes,
        )


_NOTHING = Traits()


def traits(name: str, value: Any, depth: int = 0) -> Traits:
    """Return the traits of a member of an object."""
    if depth > _DEEPEST or not is_container(value):
        return Traits(texts=isinstance(value, str), votes=isinstance(value, str))
    if isinstance(value, list):
        features = _of_list(name, value, depth)
    elif is_flat(value):
        features = _of_flat(value)
    elif any(is_list_name(inner) and is_container(member) for inner, member in value.items()):
        features = _of_record(value, depth)
    else:
        features = _merged(traits(name, member, depth + 1) for member in islice(value.values(), _ITEMS))
        features |= Traits(models=holds_queries(value) and all(map(is_group, value.values())))
    if are_grades(name) and features.documents:
        return replace(features, grades=True, graded_lists=True)
    return features


def _merged(features: Iterable[Traits]) -> Traits:
    result = _NOTHING
    for feature in features:
        result |= feature
    return result


def _of_list(name: str, value: list[Any], depth: int) -> Traits:
    items = value[:_ITEMS]
    if items and all(isinstance(item, dict) for item in items):
        return _merged(_of_record(item, depth) for item in items)
    if items and isinstance(items[0], list) and means(map(str, items[0]), "run", "query_id"):
        return _of_record(dict.fromkeys(map(str, items[0]), ""), depth)
    ids = all(isinstance(item, str) and not is_number(item) for item in items)
    return Traits(documents=bool(items) and is_list_of_documents(items), order=ids)


def _of_flat(value: Mapping[str, Any]) -> Traits:
    """Return the traits of {document: number}, {query: text}, or a record."""
    some = [cell for cell in islice(value.values(), _ITEMS) if cell is not None]
    if some and all(isinstance(cell, float) or (isinstance(cell, str) and is_number(cell)) for cell in some):
        return Traits(documents=True)
    return _of_record(value, _DEEPEST) if means(value, "run", "query_id", "doc_id") else Traits(texts=True, votes=True)


def _of_record(value: Mapping[str, Any], depth: int) -> Traits:
    """Return the traits of a record and of its lists."""
    own = Traits(
        documents=means(value, "run", "doc_id"),
        grades=means(value, "run", "relevance"),
        order=means(value, "run", "rank", "score"),
        models=means(value, "run", "model") or any(side_of(name) for name in value),
        texts=means(value, "queries", "text"),
        votes=means(value, "votes", "vote"),
    )
    lists = [
        traits(name, member, depth + 1) for name, member in value.items() if is_container(member) and is_list_name(name)
    ]
    inner = _merged(lists)
    return inner | Traits(models=own.models, texts=own.texts, votes=own.votes) if inner.documents else own


def _fits_run(name: str, features: Traits) -> int:
    if not features.documents or features.graded_lists or are_grades(name):
        return 0
    return 2 if features.order or key(name) in LISTS or key(name) in ("run", "runs") else 1


def _fits_judgments(name: str, features: Traits) -> int:
    if not features.documents or (features.order and not features.grades):
        return 0
    return 2 if are_grades(name) or features.graded_lists or (features.grades and not features.order) else 1


def _fits_models(name: str, features: Traits) -> int:
    return 2 if features.models and features.documents else 0


def _fits_queries(name: str, features: Traits) -> int:
    return 2 if key(name) in QUERIES else 1 if features.texts and not features.documents else 0


def _fits_votes(name: str, features: Traits) -> int:
    return 2 if key(name) in VOTES else 1 if features.votes and not features.documents else 0


#: How well a member fits a kind of table, by its name and what stands in it: 2 clearly, 1 perhaps, 0 not at all.
FITS: Mapping[Kind, Callable[[str, Traits], int]] = MappingProxyType(
    {
        "run": _fits_run,
        "judgments": _fits_judgments,
        "models": _fits_models,
        "queries": _fits_queries,
        "votes": _fits_votes,
    }
)
