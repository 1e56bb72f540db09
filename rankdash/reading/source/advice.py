"""Sentences that advise a decision, phrased for a shell, for Python, or for a page.

A reader gives the code of a sentence and its facts. How each medium names the decision is declared in one table, so
that no sentence has to be taken apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rankdash.tables import SCORES_RISE

Medium = Literal["shell", "api", "page"]


@dataclass(frozen=True)
class Phrases:
    """How one decision is named within a sentence. ``{key}`` is the meaning of the column that it is about, and
    ``{column}`` its heading.
    """

    shell: str
    api: str
    page: str


#: By the field of ``Options``.
PHRASES: Mapping[str, Phrases] = {
    "columns": Phrases("--columns {key}=…", 'columns={{"{key}": …}}', "the list for {key} on the file’s card"),
    "this column": Phrases(
        "--columns {key}={column}", 'columns={{"{key}": "{column}"}}', "the list for {key} on the file’s card"
    ),
    "no column": Phrases("--columns {key}=", 'columns={{"{key}": ""}}', "the list for {key} on the file’s card"),
    "encoding": Phrases("--encoding", "encoding=…", "the list of encodings on the file’s card"),
    "sheet": Phrases("--sheet NAME", "sheet=…", "the list of sheets on the file’s card"),
    "member": Phrases("--member NAME", "member=…", "the list of its files on the file’s card"),
    "part": Phrases("--member NAME", "member=…", "the list of its members on the file’s card"),
    "header": Phrases("--header", "header=…", "the row of the headings on the file’s card"),
    "grades": Phrases("--grades WORD=GRADE,…", "grades={{…: …}}", "a number for each word on the file’s card"),
    "all grades": Phrases("--grades", "grades={{…: …}}", "a number for each word on the file’s card"),
    "pair": Phrases("--pair A,B", "pair=(A, B)", "the list of pairs on the file’s card"),
    "models": Phrases(
        "give the file alone to rankdash compare, with --pair A,B",
        "read it with read_models(…, names=(A, B))",
        "give it as the one file with both models",
    ),
    "order": Phrases("--order {key}", 'order="{key}"', "the order on the file’s card"),
    "scores": Phrases("--scores", "scores=…", "the part “Scores of model A (LETOR)”"),
    "groups": Phrases("--groups", "groups=…", "the part “Sizes of the queries (LETOR)”"),
}

#: By code: the decision that is named as ``{choice}`` (``{Choice}`` where a sentence begins with it), and the sentence.
SENTENCES: Mapping[str, tuple[str, str]] = {
    # what to do about a problem
    "choose_column": (
        "columns",
        "Found: {found}. Choose it with {choice}, or name it {key} ({examples}, … are understood too).{more}",
    ),
    "grade_beside": (
        "this column",
        (
            "Found: {found}. If {others} tells which documents are relevant, say so with {choice}; if every row is a "
            "relevant document, leave out what is neither its id nor a date."
        ),
    ),
    "choose_one_column": ("columns", "Choose one with {choice}, or rename the one that is meant to {key}."),
    "choose_unnamed_column": ("columns", "Choose it with {choice}, or put the names of the columns above them."),
    "choose_sheet": ("sheet", "{why}Choose one with {choice}."),
    "choose_member": ("member", "Choose one with {choice}."),
    "judgments_or_order": (
        "order",
        "Give it as the judgments; if it is a run in this order all the same, say so with {choice}.",
    ),
    "judgments_or_scores": (
        "order",
        "Give the file as the judgments; if these are scores all the same, say so with {choice}.",
    ),
    "run_or_order": (
        "order",
        "Give grades as the judgments; if these are, and are a run in this order all the same, say so with {choice}.",
    ),
    "choose_part": ("part", "Choose one with {choice}.{more}"),
    "choose_pair": ("pair", "Choose one, A first, with {choice}."),
    "choose_a": ("pair", "Choose which is A, A first, with {choice}."),
    "which_rank": ("columns", "Ranks rise from the best document on: name their column with {choice}.{more}"),
    "which_score": ("columns", "Scores fall from the best document on: name their column with {choice}.{more}"),
    "ranks_are_whole": (
        "columns",
        "Use 1, 2, 3, …; if these are scores, read the column as the score with {choice}.",
    ),
    "grades_or_scores": (
        "columns",
        "Give the file as the judgments; if these are scores, read the column as the score with {choice}.",
    ),
    "grades_or_votes": (
        "this column",
        "Give the file as the judgments; if these are votes, say so with {choice}.",
    ),
    "grade_words": ("grades", "Use 0, 1, 2, …, or {choice}"),
    "name_encoding": ("encoding", "Save the file as UTF-8, or name its encoding with {choice}."),
    "move_header": ("header", "{Choice} takes a row from 1 to {last:,}."),
    "several_models": ("models", "To compare them, {choice}; else keep the rows of one model."),
    "lists_of_models": (
        "this column",
        (
            "If it names the model, say so with {choice}, and compare the models of this file alone, or keep the rows "
            "of one; if this is one list all the same, take that column away."
        ),
    ),
    "leave_out_iteration": (
        "no column",
        (
            "Give one grade for each query and document, or, where the column is a round of judging and the first "
            "grade is to count, read no column as the iteration with {choice}."
        ),
    ),
    "give_scores": ("scores", "Give it as judgments, or give the file of scores with {choice}."),
    "give_groups": ("groups", "Give the file with the number of lines of each query with {choice}."),
    # what was decided, and can be changed
    "scores_rise": (
        "order",
        (f"{SCORES_RISE}, as distances do; where the first row is the best, say so with {{choice}}."),
    ),
    "encoding_guessed": (
        "encoding",
        "The text is not UTF-8; it was read as {encoding}, which is a guess. {Choice} names another.",
    ),
    "words_as_grades": ("all grades", "Words were read as grades: {grades}. {Choice} changes it."),
    "column_passed_over": ("columns", "Column {own} was read as {words}, not {others}. {Choice} changes it."),
    "numbers_beside": (
        "columns",
        (
            "Numbers stand in {columns}. If they are ranks or scores, choose the column with {choice}, or add a column "
            "rank."
        ),
    ),
}


class Advice(str):
    """A sentence that names a decision. Its text is phrased for a shell, as it is written to files and terminals; where
    somebody looks at it in Python (``print``, ``repr``) it names arguments. ``phrased`` returns it for each medium.

    ``code`` is its key in ``SENTENCES``. ``facts`` fill it in, with ``key`` where the decision is about one column.
    """

    code: str
    facts: Mapping[str, Any]

    def __str__(self) -> str:
        return self.phrased("api")

    def __repr__(self) -> str:
        return repr(self.phrased("api"))

    def phrased(self, medium: Medium) -> str:
        """Return the same for one medium."""
        return _phrased(self.code, self.facts, medium)


def advice(code: str, **facts: Any) -> Advice:
    """Return the sentence with a code, filled in with facts."""
    made = Advice(_phrased(code, facts, "shell"))
    made.code, made.facts = code, facts
    return made


def phrased(sentence: str, medium: Medium) -> str:
    """Return any sentence of a reader, phrased for one medium.

    >>> phrased(advice("choose_sheet", why=""), "page")
    'Choose one with the list of sheets on the file’s card.'
    """
    return sentence.phrased(medium) if isinstance(sentence, Advice) else sentence


def argument_of(code: str) -> str:
    """Return the argument that the sentence with a code names, "" where it names a function."""
    name = PHRASES[SENTENCES[code][0]].api.partition("=")[0]
    return name if name.isidentifier() else ""


def _decision(code: str, facts: Mapping[str, Any], medium: Medium) -> str:
    phrase: str = getattr(PHRASES[SENTENCES[code][0]], medium)
    return phrase.format(key=facts.get("key", ""), column=facts.get("column", "…"))


def _phrased(code: str, facts: Mapping[str, Any], medium: Medium) -> str:
    choice = _decision(code, facts, medium)
    first = choice[:1].upper() + choice[1:] if medium == "page" else choice
    return SENTENCES[code][1].format(**facts, choice=choice, Choice=first)
