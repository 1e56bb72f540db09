"""Sentences that name a decision: for a shell, for Python, and for a page."""

from __future__ import annotations

import copy
import io
import json
import re
from dataclasses import fields

import pytest

from rankdash.cli.commands import parser
from rankdash.reading import Advice, Options, ReadError, advice, phrased, read_judgments, read_run
from rankdash.reading.source.advice import PHRASES, SENTENCES
from rankdash.sandbox import wire
from rankdash.style import reading as words
from rankdash.tables import Source

#: Text that a file might hold, in the place of every fact.
FACTS = dict.fromkeys(
    ("key", "found", "examples", "more", "why", "encoding", "grades", "own", "words", "others", "column"), "{0}"
)
FACTS |= {"columns": "{choice}", "last": 3}


@pytest.mark.parametrize("code", SENTENCES)
def test_every_sentence_names_its_decision_as_its_reader_makes_it(code: str) -> None:
    """At a shell a sentence names an option that there is, in Python an argument, on a page neither."""
    sentence = advice(code, **FACTS)
    named = re.findall(r"--[a-z]+", sentence)
    assert named
    assert set(named) <= _options()
    argument = re.search(r"\b([a-z]+)=", sentence.phrased("api"))
    assert argument
    assert argument[1] in {"order", "names", *(field.name for field in fields(Options))}
    assert not re.search(r"--[a-z]|[a-z]=", sentence.phrased("page"))
    assert phrased(sentence, "shell") == sentence


def _options() -> set[str]:
    """The options of ``rankdash compare``."""
    whole = parser()
    compare = next(action.choices["compare"] for action in whole._actions if action.choices)
    return {name for action in compare._actions for name in action.option_strings}


def test_a_page_names_parts_as_its_list_does() -> None:
    """The parts that a page advises are those that the list on a card offers."""
    told = " ".join(one.page for one in PHRASES.values())
    assert set(re.findall("“(.*?)”", told)) <= set(words.ROLES.values())


def test_text_of_files_stays_as_it_is() -> None:
    """Braces in a heading are no places to fill in."""
    found = advice("column_passed_over", key="doc_id", own='"{choice}"', words="the document id", others='"{0}"')
    assert found == 'Column "{choice}" was read as the document id, not "{0}". --columns doc_id=… changes it.'


def test_a_problem_says_which_it_is_and_what_it_is_about() -> None:
    """A problem has codes and facts, and the same sentence for a shell, for Python and for a page."""
    with pytest.raises(ReadError) as caught:
        read_judgments(b"query_id,doc_id,mine\nq1,d1,2\n")
    error = caught.value
    problem = error.problems[0]
    assert (problem.code, problem.advice, problem.facts["key"]) == ("missing_column", "choose_column", "relevance")
    assert problem.choice is not None
    assert problem.choice.option == "columns"
    assert 'columns={"relevance": …}' in str(error)
    assert "Choose it with the list for relevance on the file’s card, or name it relevance" in error.lines("page")[0]
    assert 'columns={"relevance": …}' in error.lines("api")[0]


def test_whoever_looks_at_notes_and_problems_in_python_reads_of_arguments() -> None:
    """Printed or shown, a note of a table and a problem of an error name arguments; what is written names options."""
    run = read_run(b"query_id,doc_id,docno,rank\nq1,d1,x,1\n")
    (note,) = [note for note in run.source.notes if isinstance(note, Advice)]
    with pytest.raises(ReadError) as caught:
        read_judgments(b"query_id,doc_id,mine\nq1,d1,2\n")
    for text in (str(note), repr(run.source.notes), str(caught.value.problems[0])):
        assert "--columns" not in text
        assert "columns={" in text
    assert "--columns" in json.dumps([note])


def test_a_note_reaches_the_page_through_the_process_that_reads() -> None:
    """What was decided is told whole by another process, and copied whole."""
    run = read_run(b"query_id,doc_id,docno,rank\nq1,d1,x,1\n")
    out = io.BytesIO()
    wire.send(out, run.source)
    out.seek(0)
    received: Source = wire.receive(out)
    for source in (received, copy.deepcopy(run.source)):
        assert source == run.source
        told = [note for note in source.notes if isinstance(note, Advice)]
        assert [note.code for note in told] == ["column_passed_over"]
        assert told[0].phrased("page").endswith("The list for doc_id on the file’s card changes it.")
