"""What readers say about a source: advice that names a decision, phrased for each medium, notes with a level, what its
lists showed, and text from files in a sentence.

Code reads the ``code`` of a note, never its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, Literal

from rankdash.records import frozen

Medium = Literal["shell", "api", "page"]
#: "warning": it can change a number or a verdict. "detail": what was understood.
Level = Literal["warning", "detail"]

#: How each decision is named, by medium: the shell, the API, a page. ``{key}`` is the meaning of the column that the
#: decision is about, ``{column}`` its heading.
PHRASES: Mapping[str, tuple[str, str, str]] = {
    "columns": ("--columns {key}=…", 'columns={{"{key}": …}}', "the list for {key} under Details"),
    "this column": (
        "--columns {key}={column}",
        'columns={{"{key}": "{column}"}}',
        "the list for {key} under Details",
    ),
    "no column": ("--columns {key}=", 'columns={{"{key}": ""}}', "the list for {key} under Details"),
    "column or none": (
        "--columns {key}=… chooses it; --columns {key}= says that every row is relevant",
        'columns={{"{key}": …}} chooses it; "" in place of … says that every row is relevant',
        "the list for {key} under Details chooses it, or says that every row is relevant",
    ),
    "encoding": ("--encoding", "encoding=…", "the list of encodings"),
    "sheet": ("--sheet NAME", "sheet=…", "the list of sheets under Details"),
    "member": ("--member NAME", "member=…", "the list “Part of the file” under Details"),
    "grades": ("--grades WORD=GRADE …", "grades={{…: …}}", "the number of each word, under Details or Correct"),
    "pair": ("--pair A,B", "pair=(A, B)", "the list of pairs on the file’s card"),
    "baseline": ("--pair A or --pair A,B", "names=[A] or names=[A, B]", "the list of models"),
    "models": (
        "give the file alone to rankdash compare, with --pair A,B",
        "read it with read_models(…, names=(A, B))",
        "give it as the one file with both models",
    ),
    "judgments": ("pass it with -q (--judgments)", "pass it as judgments=…", "drop it on Judgments"),
    "order": ("--order {key}", 'order="{key}"', "the order, under Details or Correct"),
    "scores": ("--scores", "scores=…", "the part “Scores of model A (LETOR)”"),
    "queries": ("--queries FILE", "queries=…", "drop it beside the answers"),
    "groups": ("--groups", "groups=…", "the part “Sizes of the queries (LETOR)”"),
}
_MEDIA: Mapping[Medium, int] = {"shell": 0, "api": 1, "page": 2}

#: By decision and code: the sentences on what to do about a problem, and on what was decided and can be changed.
#: ``{choice}`` names the decision, ``{Choice}`` where a sentence begins with it.
_ADVICE: Mapping[str, Mapping[str, str]] = {
    "columns": {
        "choose_column": "{found}Choose it with {choice}, or name it {key} ({examples}).{more}",
        "choose_one_column": "Choose one with {choice}, or rename it to {key}.",
        "choose_unnamed_column": "Choose it with {choice}, or put the names of the columns above them.",
        "ranks_are_whole": "Use 1, 2, 3, …. If these are scores, read the column as the score with {choice}.",
        "judgments_or_scores": "Give the file as the judgments. If these are scores, read the column as the score "
        "with {choice}.",
        "run_or_grades": "Give the file as a run. If these are grades, say so with {choice}.",
        "column_passed_over": "Column {own} was read as {words}, not {others}. {Choice} changes it.",
        "numbers_beside": "There are numbers in {columns}. If they are grades, give the file as the judgments. If they "
        "are ranks or scores, choose the column with {choice}.",
    },
    "sheet": {"choose_sheet": "{why}Choose one with {choice}."},
    "member": {"choose_member": "Choose one with {choice}, or make one file of them."},
    "order": {
        "judgments_or_order": "Give it as the judgments. If it is a run in this order, say so with {choice}.",
        "ranks_mixed": "In {where} ranks repeat, as where each page begins at 1, so pages are mixed. If the rows are "
        "in order, say so with {choice}.",
        "scores_rise": "Scores rise from row to row in every list, like distances. If the first row is the best, say "
        "so with {choice}.",
    },
    "pair": {"choose_pair": "Choose the models, A first, with {choice}."},
    "baseline": {"choose_baseline": "Choose {choice}: A with all others, or with B."},
    "this column": {
        "judgments_or_votes": "Give the file as the judgments. If these are votes, say so with {choice}.",
        "lists_of_models": "If it names the model, say so with {choice} and compare the models of this file alone. If "
        "this is one list, remove that column.",
    },
    "grades": {
        "grade_words": "Use 0, 1, 2, …, or {choice}",
        "words_as_grades": "Words were read as grades: {grades}. To change this, use {choice}.",
    },
    "encoding": {
        "name_encoding": "Save the file as UTF-8, or name its encoding with {choice}.",
        "encoding_guessed": "The text is not UTF-8: it was read as {encoding}. If letters look wrong, choose another "
        "with {choice}.",
    },
    "models": {"several_models": "To compare them, {choice}. Otherwise keep the rows of one model."},
    "column or none": {"grades_or_none": "{found}Name it {key} ({examples}). {Choice}.{more}"},
    "no column": {
        "leave_out_iteration": "If the column names subtopics, call it subtopic. If it is a round of judging and the "
        "first grade counts, say so with {choice}.",
    },
    "scores": {"give_scores": "Give it as judgments, or give the file of scores with {choice}."},
    "groups": {"give_groups": "Give the file with the number of lines of each query with {choice}."},
    "judgments": {"give_judgments": "Give the file as the judgments: {choice}."},
    "queries": {
        "unnamed_queries": "The answers name no queries. A list of {count:,} queries in the same order names them: "
        "{choice}. Without it they are numbered from 1.",
    },
}
#: The same by code: the decision, and the sentence.
SENTENCES: Mapping[str, tuple[str, str]] = {
    code: (decision, text) for decision, texts in _ADVICE.items() for code, text in texts.items()
}


@frozen
class Advice:
    """A sentence that names a decision: its ``code``, a key of ``SENTENCES``, and the ``facts`` that fill it in."""

    code: str
    facts: tuple[tuple[str, Any], ...] = ()

    def phrase(self, medium: Medium) -> str:
        """Return the sentence for one medium."""
        decision, sentence = SENTENCES[self.code]
        facts = dict(self.facts)
        named = {"key": facts.get("key", ""), "column": facts.get("column", "…")}
        choice = PHRASES[decision][_MEDIA[medium]].format(**named)
        first = choice[:1].upper() + choice[1:] if medium == "page" else choice
        return sentence.format(**facts, choice=choice, Choice=first)

    @property
    def argument(self) -> str:
        """The argument of the API that it names; "" where it names a function."""
        name = PHRASES[SENTENCES[self.code][0]][_MEDIA["api"]].partition("=")[0]
        return name if name.isidentifier() else ""

    def __str__(self) -> str:
        return self.phrase("api")


def advise(code: str, **facts: Any) -> Advice:
    """Return the advice with a code, filled in with facts.

    >>> advise("choose_sheet", why="").phrase("page")
    'Choose one with the list of sheets under Details.'
    """
    return Advice(code, tuple(facts.items()))


def phrase(text: str | Advice, medium: Medium) -> str:
    """Return a text for one medium; a plain text is the same for each."""
    return text.phrase(medium) if isinstance(text, Advice) else text


@frozen
class Note:
    """A fact about a source: its ``code`` for programs, its ``text`` for people, and its ``level``."""

    code: str
    text: str | Advice
    level: Level = "detail"

    def phrase(self, medium: Medium) -> str:
        """Return the text for one medium."""
        return phrase(self.text, medium)

    def __str__(self) -> str:
        return self.phrase("api")


def detail(code: str, text: str | Advice) -> Note:
    """Return a note on what was understood."""
    return Note(code, text)


def warning(code: str, text: str | Advice) -> Note:
    """Return a note on what can change a number or a verdict."""
    return Note(code, text, "warning")


def phrased(notes: Iterable[Note], medium: Medium, *, verbose: bool) -> tuple[str, ...]:
    """Return the texts of the warnings, with ``verbose`` those of all notes."""
    return tuple(note.phrase(medium) for note in notes if verbose or note.level == "warning")


def as_json(notes: Iterable[Note]) -> list[dict[str, str]]:
    """Return notes as outputs in JSON have them."""
    return [{"code": note.code, "level": note.level, "text": note.phrase("api")} for note in notes]


def to_values(notes: Iterable[Note]) -> list[list[Any]]:
    """Return notes as JSON has them: code, level, and the text or the code and the facts of an advice."""
    return [
        [note.code, note.level, note.text if isinstance(note.text, str) else [note.text.code, dict(note.text.facts)]]
        for note in notes
    ]


def from_values(values: Iterable[Any]) -> tuple[Note, ...]:
    """Return the notes that ``to_values`` made. ValueError, TypeError or KeyError for anything else."""
    notes = []
    for code, level, text in values:
        advice = text if isinstance(text, str) else Advice(str(text[0]), tuple(text[1].items()))
        if level not in ("warning", "detail") or (isinstance(advice, Advice) and advice.code not in SENTENCES):
            raise ValueError(f"{code!r} is no note")
        notes.append(Note(str(code), advice, level))
    return tuple(notes)


# --- text from files in a sentence: on one line, of bounded length, in quotes ---


_LONGEST_QUOTED, _MOST_QUOTED = 60, 20
_HALF = re.compile("[\ud800-\udfff]")


def whole_text(text: str) -> str:
    """Return a text with U+FFFD for each half character (a lone surrogate), which no table and no file can hold.

    JSON may write one as ``\\ud800``; in the name of a file each byte that is not UTF-8 is one.
    """
    return _HALF.sub("\ufffd", text)


def printable(text: str) -> str:
    """Return the text on one line, at most 60 characters, with control characters as escape sequences.

    Files may hold anything, and a message goes to a terminal.
    """
    short = text if len(text) <= _LONGEST_QUOTED else text[: _LONGEST_QUOTED - 1] + "…"
    if short.isprintable():
        return short
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in short)


def listed(names: Iterable[str]) -> str:
    """Return names in quotes, separated by commas; at most the first 20."""
    quoted = [f'"{printable(name)}"' for name in names]
    return ", ".join(quoted[:_MOST_QUOTED]) + (", …" if len(quoted) > _MOST_QUOTED else "")


#: Above this share of steps rank and score do not disagree by chance.
_MOST_STEPS = 0.5


@frozen
class Findings:
    """Counts of what was noticed while the lists of a run were put in order."""

    rows: int = 0
    lists: int = 0
    unjudged_queries: int = 0  # lists of queries without judgments; they never count
    duplicates: int = 0  # rows with a document that occurred higher in the list; removed
    tied_rows: int = 0  # rows whose score equals a neighbour's
    disagreements: int = 0  # rows where rank and score order the list differently
    by_rank_instead: int = 0  # lists ordered by rank because a score is not a finite number
    level: int = 0  # lists of several rows that all have one score

    @property
    def contradicted(self) -> float:
        """The share of the steps from row to row of a list in which rank and score disagree; 0 unless these are most:
        fewer may be an accident.
        """
        share = self.disagreements / max(self.rows - self.lists, 1)
        return share if share > _MOST_STEPS else 0.0

    def __add__(self, other: Findings) -> Findings:
        return Findings(*(getattr(self, axis.name) + getattr(other, axis.name) for axis in fields(self)))
