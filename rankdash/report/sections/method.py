"""How the numbers came about: the convention axis by axis, every field of the policy, and the files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankdash import style
from rankdash.conventions import Convention
from rankdash.mistakes import Input, Mistake
from rankdash.policy import Policy
from rankdash.policy.fields import FIELDS, Topic
from rankdash.policy.kinds import OneOf, ValueKind
from rankdash.report.mistakes import mistakes_of, notes_about
from rankdash.report.notes import InputNotes, input_notes, preset_of
from rankdash.scoring import SIDES, Comparison, VotesAlone
from rankdash.style import evidence, method
from rankdash.style import report as words
from rankdash.tables import Source
from rankdash.wording import count


@dataclass(frozen=True)
class InputRow:
    """A file: its title, facts as label and value, and the notes on it."""

    title: str
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def convention_name(comparison: Comparison) -> str:
    """Return the name of the preset in force, or that the convention is none."""
    return preset_of(comparison) or style.CUSTOM


def axis_rows(comparison: Comparison) -> list[tuple[str, str, str]]:
    """Return every axis of the convention: its name, the value in force, and what it decides."""
    convention = comparison.convention
    values = {axis: getattr(convention, axis) for axis in method.AXES}
    return [(about.name, _axis_value(about, values[axis]), about.decides) for axis, about in method.AXES.items()]


def _axis_value(about: method.Axis, value: Any) -> str:
    if isinstance(value, (int, float)):
        return f"{value:g}"
    return about.values.get(str(value)) or style.OWN_GAINS.format(table=value)


def policy_rows(policy: Policy) -> list[tuple[str, str, str]]:
    """Return every field of a policy, topic by topic: its label, its value in words, and what it means."""
    primary = policy.primary
    by_topic = [(name, about) for topic in Topic for name, about in FIELDS.items() if about.topic is topic]
    return [
        (about.label, _policy_value(getattr(policy, name), about.kind), _sentence(about.line(primary)))
        for name, about in by_topic
    ]


def _sentence(meaning: str) -> str:
    """Return the meaning of a field as a sentence of its own; a field has it as the middle of a sentence."""
    return f"{meaning[0].upper()}{meaning[1:]}."


def _policy_value(value: Any, kind: ValueKind | None) -> str:
    """Return the value of a field in words, whatever its kind."""
    if isinstance(value, Convention):
        return evidence.POLICY_OWN
    if isinstance(kind, OneOf):
        return kind.shown[value]
    if isinstance(value, tuple):
        return ", ".join(map(_member, value)) or words.NONE
    return value if isinstance(value, str) else f"{value:g}"


def _member(value: Any) -> str:
    return value if isinstance(value, str) else f"{value[0]} {value[1]:g}"


def policy_note(policy: Policy) -> str:
    """Return in which fields a policy differs from the defaults for its primary measure, or that it does not."""
    usual = {name: getattr(Policy(primary=policy.primary), name) for name in FIELDS} | {"primary": Policy.primary}
    own = [about.label for name, about in FIELDS.items() if getattr(policy, name) != usual[name]]
    return words.POLICY_OWN.format(fields=", ".join(own)) if own else words.POLICY_DEFAULT


def input_rows(comparison: Comparison | VotesAlone) -> tuple[InputRow, ...]:
    """Return every file of a comparison with its digest and the notes on it."""
    wrong = () if isinstance(comparison, VotesAlone) else mistakes_of(comparison)
    return tuple(_input(comparison, noted, wrong) for noted in input_notes(comparison))


def _input(comparison: Comparison | VotesAlone, noted: InputNotes, wrong: tuple[Mistake, ...]) -> InputRow:
    name, order, source = "", "", _source(comparison, noted.input)
    if isinstance(comparison, Comparison) and noted.input in SIDES:
        run = comparison.inputs.run(noted.input)
        name, order = run.name, style.ORDERED[run.ordered_by]
    facts = {
        "name": source.name or style.IN_MEMORY,
        "rows": count(source.rows) if source.rows else "",
        "order": order,
        "sha256": source.sha256,
    }
    shown_facts = tuple((words.FILE_FACTS[fact], value) for fact, value in facts.items() if value)
    return InputRow(
        words.INPUTS[noted.input].format(name=name),
        shown_facts,
        tuple(note.phrase("page") for note in (*noted.notes, *notes_about(wrong, noted.input))),
    )


def _source(comparison: Comparison | VotesAlone, name: Input) -> Source:
    """Return where an input came from."""
    if name == "votes":
        assert comparison.vote_rows is not None
        return comparison.vote_rows.source
    assert isinstance(comparison, Comparison)
    if name == "queries":
        assert comparison.queries is not None
        return comparison.queries.source
    if name == "judgments":
        return comparison.inputs.judgments
    return comparison.inputs.run("a" if name == "a" else "b").source
