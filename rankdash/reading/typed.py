"""Lists that are typed or pasted: grades ``3 2 3 0 1 2``, documents with one ``d1:3 d2:0`` or ``d1: good``, or names.

Each line is the list of one query; a column of single cells is one list. The name of a query stands before its line,
``camping: tent, tarp``, or above its numbered list. Grades without names say nothing about which documents A and B
share: each list's own grades are then its ideal, plus the grades of relevant documents that were missed. With names the
judgments are the pool of both lists. Votes are a column, or words, of good, same and bad.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Literal

from rankdash import arrow
from rankdash.notes import Note, warning
from rankdash.reading.grid import is_blank
from rankdash.reading.headings import means
from rankdash.reading.problems import ReadError
from rankdash.reading.readers import read_judgments, read_run, read_votes
from rankdash.reading.values import SHORT_VOTES, propose_grades, read_vote_words
from rankdash.records import frozen, replace
from rankdash.tables import Judgments, Run, Source, Votes

What = Literal["grades", "pairs", "names"]
#: Query, document, grade, and the place in the line.
_Entry = tuple[str, str, str, int]
#: What is longer comes as a file, which is read in a process of its own.
MOST_LETTERS = 50_000
_MOST_PROBLEMS = 5
_NAMES = "Drop a table as a file. Else type names, or grades in numbers: 3 or tent:3. Write a name in digits as 17:."
_FIELDS = {"a": "List A", "b": "List B", "missed": "Missed"}
_ALLOWED = "Use grades such as 3 or 0.5, id:grade for named documents, and ? for unjudged."
#: Full-width digits and marks as typed with an East Asian keyboard.
_WIDE = str.maketrans("０１２３４５６７８９．，、；：？\u3000\u2212［］（）", "0123456789.,,;:? -[]()")
#: Brackets around a list and quotes around a name; within a name they belong to it.
_AROUND = re.compile(r"\[+([^\[\]]*)\]+|\(+([^()]*)\)+")
_QUOTE = re.compile(r"(?<!\w)[\"']|[\"'](?!\w)")
#: A list as chats and notes write it: a bullet, or a number, and one document in each line.
_POINT = re.compile(r"^\s*(?:[-*•–·]|\d{1,3}[.)])\s+(?=\S)")
#: The colon behind the name of a query, and the first line of a numbered list.
_COLON, _FIRST = re.compile(r":\s|："), re.compile(r"1[.)]\s")
#: What separates names of several words.
_SIGN = re.compile(r"[,;\t，；、]")
_GRADE = re.compile(r"\d{1,6}(\.\d+)?|\?")
_PAIR = re.compile(r"(.+)[:：] ?(\d{1,6}(?:\.\d+)?|\?)")
#: Points whose commas separate documents, and belong to no title: a part has a grade, or all are words.
_SEVERAL = re.compile(
    r"[;\t；]|[:：][^:：\n]*[,，、]|(?m:[,，、][ \d.?]+$|^[ \d.?]+[,，、])|"
    r"\A(?:[^\s,，、]+(?:[,，、] ?[^\s,，、]+)+(?:\n+|\Z))+\Z"
)
#: A title and its grade in a line without signs, and what follows a colon.
_TITLED = re.compile(r"(?:[^:]|:(?! ?[\d?]))+: (?:\d{1,6}(?:\.\d+)?|\?)")
_ENDING = re.compile(r"(?<=[:：])[^:：,;\t\n，；、]*")


class TypedError(ValueError):
    """Typed lists that cannot be read: one sentence per line, each with the place, the text found and the text
    allowed.
    """


@frozen
class Typed:
    """Two typed lists as tables.

    ``b`` is None where only one list was typed, ``judgments`` where no document has a grade. ``named``: documents have
    names; else A and B share none.
    """

    a: Run
    b: Run | None
    judgments: Judgments | None
    votes: Votes | None
    named: bool

    @property
    def query_ids(self) -> list[str]:
        """The queries, in order."""
        ids = [run.array("query_id") for run in (self.a, self.b) if run is not None]
        return list(dict.fromkeys(query for part in ids for query in part.dictionary.to_pylist()))

    def documents(self, rows: Run | Judgments | None, query_id: str) -> list[str]:
        """Return the documents of a list for a query, from rank 1 down, or those with a grade."""
        if rows is None:
            return []
        at = arrow.rows_of(arrow.one_chunk(rows.table.column("query_id")), query_id)
        return [*rows.table.column("doc_id").take(arrow.from_numpy(at)).to_pylist()]


def read_typed(texts: Sequence[str]) -> Typed | Votes:
    """Return what was typed into the fields: A, B, missed, votes; these alone where there are no lists.

    TypedError where it cannot be read, and where it is longer than MOST_LETTERS.
    """
    if sum(map(len, texts)) > MOST_LETTERS:
        raise TypedError(f"More than {MOST_LETTERS:,} letters were typed. Save them as a file and drop it here.")
    if any(text.encode("utf-8", "replace").decode() != text for text in texts):
        raise TypedError("The text contains an incomplete character. Type or paste it again.")
    if not any(text.strip() for text in texts[:3]):
        return typed_votes(texts[-1])
    return typed_lists(*texts)


def typed_lists(a: str, b: str = "", missed: str = "", votes: str = "") -> Typed:
    """Return lists typed into fields; see ``Typed``. A query has the same line in every field.

    TypedError for a token that is no grade where the others are, and where the fields do not fit together.
    """
    texts, notes = _in_numbers((a, b, missed))
    fields, queries = _fields(texts)
    named = queries["a"]
    lines = {name: _lists(text) for name, text in fields.items()}
    are_columns = all(len(own) < 2 or max(map(len, own)) < 2 for own in lines.values())
    if are_columns and not named and len(votes.split("\n")) < 2:
        lines = {name: [[token for tokens in own for token in tokens]] for name, own in lines.items()}
    tokens = [token for name in "ab" for own in lines[name] for token in own]
    what = _what(tokens)
    _check_ids([own for name in "ab" for own in lines[name] if what == "grades"])
    for name in "ab" if what != "grades" else "":
        _check_names(fields[name], lines[name], _FIELDS[name], what)
    entries: dict[str, list[_Entry]] = {"a": [], "b": [], "missed": []}
    problems = []
    for name, own_lines in lines.items():
        for number, own in enumerate(own_lines, start=1):
            query = queries[name][number - 1] if named and own else str(number)
            for place, token in enumerate(own, start=1):
                unnamed = f"{'missed ' if name == 'missed' else name.upper()}{place}"
                read = _read(token, unnamed, "grades" if name == "missed" else what)
                if read is None or (name == "missed" and read[1] == "?"):
                    problems.append(f'{_FIELDS[name]}, line {number}: "{token[:40]}" is not an entry. {_ALLOWED}')
                else:
                    entries[name].append((query, *read, place))
    if not entries["a"] and not problems:
        problems.append(f"List A is empty. {_ALLOWED}")
    if problems:
        raise TypedError("\n".join(problems[:_MOST_PROBLEMS]))
    digest = hashlib.sha256("\n\f".join((*texts, votes)).encode()).hexdigest()
    graded = [
        {"query_id": query, "doc_id": doc_id, "relevance": float(grade)}
        | ({"only_for": "" if name == "missed" else name.upper()} if what == "grades" else {})
        for name, own in entries.items()
        for query, doc_id, grade, _ in own
        if grade != "?"
    ]
    ordered = warning("own_order", "Without names, each list is scored against its own best order.")
    source = Source("typed", digest, notes=(*notes, *[ordered] * (what == "grades")))
    return Typed(
        _run("A", entries["a"], digest),
        _run("B", entries["b"], digest) if entries["b"] else None,
        replace(read_judgments(graded), source=source) if graded else None,
        typed_votes(votes, named) if votes.strip() else None,
        what != "grades",
    )


def _in_numbers(texts: Sequence[str]) -> tuple[Sequence[str], list[Note]]:
    """Return the texts with a number for each word of a scale, and a warning, if all that follows a colon is one."""
    words = sorted({end.strip() for text in texts for end in _ENDING.findall(text)})
    grades = propose_grades(word for word in words if not is_blank(word))
    which = ", ".join(f"{word} = {grades[word]:g}" for word in sorted(grades, key=grades.__getitem__, reverse=True))
    note = warning("words_as_grades", f"Words were read as grades: {which}. To change this, type numbers.")
    said = {word: f"{grades[word]:g}" if word in grades else "?" * bool(word) for word in words}
    write = partial(_ENDING.sub, lambda end: end[0].replace(word := end[0].strip(), said[word]))
    return ([*map(write, texts)], [note]) if any(word[2:] for word in grades) else (texts, [])


def _fields(texts: Sequence[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the text of each field without the names of its queries, and these names, both by field.

    TypedError where a field names none of the queries that list A names.
    """
    fields, queries = dict[str, str](), dict[str, list[str]]()
    for name, text in zip(_FIELDS, texts, strict=True):
        named = queries.get("a", [])
        fields[name], own = _queries(text, named)
        if name != "a" and text.strip() and own != named and not {*own} & {*named}:
            raise TypedError(f"{_FIELDS[name]}: name the queries as in List A, or leave out their names in both.")
        queries[name] = own
    return fields, queries


def _queries(text: str, known: Sequence[str]) -> tuple[str, list[str]]:
    """Return a text without the names of its queries, and these names in order; no names unless each list has its own.
    A single line may begin with a ``known`` name only.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    parts = [part for line in lines if _names_a_query(part := _COLON.split(line, maxsplit=1))]
    names = [part[0].strip() for part in parts]
    if len(lines) == len({*names}) > (0 if {*names} <= {*known} else 1):
        return "\n".join(part[1] for part in parts), names
    heads = [at for at, line in enumerate(lines) if not _POINT.match(line)]
    names = [lines[at].rstrip(" :：") for at in heads]
    firsts = [at - 1 for at, line in enumerate(lines) if _FIRST.match(line)]
    if heads == firsts and 0 < len(heads) == len({*names}):
        return "\n".join(line for at, line in enumerate(lines) if at not in heads), names
    return text, []


def _names_a_query(parts: Sequence[str]) -> bool:
    """Return whether the parts of a line, cut at a colon, are the name of a query and a list, and not documents."""
    tokens = _tokens(parts[-1])
    is_list = len(tokens) > 1 and (not _GRADE.fullmatch(tokens[0]) or _what(tokens) == "grades")
    named = parts[0].strip() and not _SIGN.search(parts[0]) and not _POINT.match(parts[0])
    return is_list and len(parts) > 1 and bool(named)


def _lists(text: str) -> list[list[str]]:
    """Return what each line lists; lines that all have a bullet or a number, and one name or grade, are one list up to
    the next number 1.
    """
    lines = [line.strip() for line in text.rstrip().split("\n")]
    if len(lines) < 2 or not all(map(_POINT.match, filter(None, lines))):
        return [*map(_tokens, lines)]
    rest = {line: _POINT.sub("", line) for line in lines}
    named = _has_words(lines) and not _SEVERAL.search("\n".join(filter(None, rest.values())))
    read = {
        line: [_QUOTE.sub(" ", own).strip(" ,，、")] if named and own else _tokens(own) for line, own in rest.items()
    }
    listed = "\n".join(filter(None, lines))
    parts = listed.split("\n") if any(own[1:] for own in read.values()) else re.split(r"\n(?=1[.)])", listed)
    return [[token for line in part.split("\n") for token in read[line]] for part in parts]


def _has_words(texts: Iterable[str]) -> bool:
    """Return whether a word has three letters and nothing else: it may be a part of a title."""
    return any(word[2:] and word.isalpha() for text in texts for word in text.split())


def _tokens(line: str) -> list[str]:
    """Return what a line lists: its words, or what stands between commas, semicolons and tabs where these occur."""
    text = line.translate(_WIDE)
    around = _AROUND.fullmatch(text.strip(", \t\r"))
    text = _QUOTE.sub(" ", around[around.lastindex or 0] if around else text)
    pieces = [piece.strip() for piece in re.split(r"[,;\t]", text) if piece.strip()]
    if _TITLED.fullmatch(text.strip()):
        return pieces
    alone = len(pieces) < 2 or all(_GRADE.fullmatch(word) for piece in pieces for word in piece.split())
    return [word for piece in pieces for word in piece.split()] if alone else pieces


def _check_names(text: str, lines: Sequence[Sequence[str]], where: str, what: What) -> None:
    """Raise TypedError for what is no name: a heading, or a number or a word for a grade, as in a table or a title.

    Also for words without signs between them: are they one name or several?
    """
    tokens = [token for own in lines for token in own]
    heads = [own[0] for own in lines if own]
    if "\t" in text and what == "names" and len(lines) > 1 and (len({*heads}) < len(heads) or _has_words(tokens)):
        raise TypedError(
            f"{where}: cells with tabs between them are no list. Save the table as a file and drop it here."
        )
    ends = ((own, re.split(r"[:(–—,，、]| - ", own)[-1].strip(" )")) for own in tokens)
    values = [a for a, end in ends if re.fullmatch(r"[\d.? ()\[\]*•–]+|-", a) or (end[2:] and propose_grades([end]))]
    is_table = means(tokens[:1], "run", "query_id", "doc_id", "title")
    if values := (tokens[:1] if is_table else []) + values:
        raise TypedError(f'{where}: "{values[0][:40]}" is no name of a document. {_NAMES}')
    are_several = any(own[1:] for own in lines) and (what == "pairs" or len(lines) > 1)
    at_end = what == "pairs" and all(own[1:] and _what(own[:-1]) == "names" for own in lines)  # "Hat, red:3" in each
    are_cut = bool(_SIGN.search(text)) and not any(map(_SIGN.search, tokens))
    is_open = (are_several and are_cut == bool(_POINT.match(text))) or (at_end and len(lines) > 1)
    if is_open and _has_words(token for token in tokens if not _TITLED.fullmatch(token)):
        raise TypedError(
            f"{where}: the words of a line may be one name or several. "
            "Write each list in one line, with commas between the names, or number the names, one a line."
        )


def _what(tokens: Sequence[str]) -> What:
    """Return what the tokens are: grades alone, documents with grades, or names."""
    if any(_PAIR.fullmatch(token) for token in tokens):
        return "pairs"
    return "grades" if tokens and all(map(_GRADE.fullmatch, tokens)) else "names"


def _check_ids(lists: Sequence[Sequence[str]]) -> None:
    """Raise TypedError where numbers are higher than people grade and distinct: they may be ids."""
    for own in lists:
        numbers = [token for token in own if token != "?"]
        are_distinct = len({*numbers}) == len(numbers) > 2
        if are_distinct and all(map(str.isdecimal, numbers)) and max(map(int, numbers)) > 10:
            raise TypedError("These numbers may be grades or ids. Write ids with a colon, as in 17: or 17:3.")


def _read(token: str, unnamed: str, what: What) -> tuple[str, str] | None:
    """Return the document and the grade of a token; None where it is not in the grammar. A grade alone is of the
    document ``unnamed``.
    """
    pair = _PAIR.fullmatch(token)
    if pair:
        doc_id, grade = pair[1].strip(), pair[2]
    elif what == "grades":
        doc_id, grade = unnamed, token
    else:
        doc_id, grade = token.removesuffix(":").strip(), "?"
    return (doc_id, grade) if doc_id and _GRADE.fullmatch(grade) else None


def typed_votes(text: str, queries: Sequence[str] = ()) -> Votes:
    """Return votes that were typed into a field, seen from B, one for each of the queries, whose names may stand before
    them. These are numbered from 1 where they have no names, and behind the last.

    TypedError for a word that is not a vote.
    """
    lines = [_COLON.split(line, maxsplit=1) for line in text.strip().split("\n") if line.strip()]
    if all(len(line) > 1 for line in lines):  # "red hat: good"
        said = [(name.strip(), word) for name, words in lines for word in _votes_in(words)]
    else:
        words = _votes_in(text.replace("\n", ","))
        if len(words) == 1 and not read_vote_words(words).votes and words[0] not in SHORT_VOTES:
            words = words[0].split()
        said = [*zip((*queries, *map(str, range(len(queries) + 1, len(words) + 1))), words, strict=False)]
    rows = [{"query_id": query, "vote": SHORT_VOTES.get(word, word)} for query, word in said]
    try:
        votes = read_votes(rows, models=("A", "B"))
    except ReadError as error:
        wrong = [f"Votes: {problem.phrase('page', named=False)}" for problem in error.problems[:_MOST_PROBLEMS]]
        raise TypedError("\n".join((*wrong, "Use good, same and bad, seen from B: one word for each query."))) from None
    return replace(votes, source=replace(votes.source, name="typed votes"))


def _votes_in(text: str) -> list[str]:
    return [word.strip() for word in _SIGN.split(text) if word.strip()]


def _run(name: str, entries: Sequence[_Entry], digest: str) -> Run:
    """Return a list as a run, its documents ranked as they stand."""
    rows = [{"query_id": query, "doc_id": doc_id, "rank": place} for query, doc_id, _, place in entries]
    return replace(read_run(rows, name=f"List {name}"), source=Source(f"typed {name}", digest, len(rows)))
