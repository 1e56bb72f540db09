"""Files in: each is parsed once, its table kept, the file forgotten. A refused file changes nothing that is open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from rankdash import style
from rankdash.comparison import ComparisonError
from rankdash.metrics import MeasureError
from rankdash.policy import PolicyError
from rankdash.reading import LIMITS, Choice, ReadError, read_judgments, read_models, read_queries, read_run, read_votes
from rankdash.report.mistakes import strangers
from rankdash.style import evidence as words
from rankdash.tables import Judgments, Models, Queries, Run, Votes
from rankdash.views import state, votes_alone
from rankdash.views.literal import plain, problems
from rankdash.wording import count

#: What a user's files can be wrong in. Anything else is our mistake, and is allowed to show itself.
MISTAKES = (ReadError, ComparisonError, MeasureError, PolicyError)
_MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Parsed:
    """What became of one uploaded file: a table, or the sentences that say why not."""

    file_id: str
    table: Any = None
    problems: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Dropped:
    """The tables that were uploaded to one form; None where a slot is empty or its file cannot be read."""

    a: Run | None = None
    b: Run | None = None
    judgments: Judgments | None = None
    queries: Queries | None = None
    votes: Votes | None = None

    @property
    def only_votes(self) -> bool:
        """Whether there are votes and nothing else."""
        return self.votes is not None and not any((self.a, self.b, self.judgments, self.queries))

    def over(self, now: state.Inputs) -> state.Inputs | None:
        """What is open, with the uploaded tables in place of its own; None where nothing was uploaded."""
        if not any((self.a, self.b, self.judgments, self.queries, self.votes)):
            return None
        return state.Inputs(
            style.UPLOADED,
            self.a or now.a,
            self.b or now.b,
            self.judgments or now.judgments,
            self.queries or now.queries,
            self.votes or now.votes,
        )

    def between(self, a: Run | None, b: Run | None, judgments: Judgments | None) -> state.Inputs | None:
        """A comparison of two runs with what else was uploaded; None where one is missing."""
        if a is None or b is None:
            return None
        return state.Inputs(style.UPLOADED, a, b, self.judgments or judgments, self.queries, self.votes)


def form(place: str, replacing: state.Inputs | None = None) -> None:
    """The uploads of A, B and judgments, or of one file with both models, and the button that compares them.

    Queries and votes may come with them; votes may come alone. With ``replacing``, what is not uploaded is taken from
    the comparison that is open.
    """
    if replacing is None:
        st.markdown(style.DROP_FILES)
    dropped, models = _slots(place, with_both=replacing is None)
    if models is not None:
        chosen = _two_of(place, models)
        inputs = None if chosen is None else dropped.between(*chosen, models.judgments)
    elif replacing is not None:
        inputs = dropped.over(replacing)
    else:
        inputs = dropped.between(dropped.a, dropped.b, None)
    alone = dropped.votes if replacing is None and models is None and dropped.only_votes else None
    ready = inputs is not None or alone is not None
    with st.container(horizontal=True, vertical_alignment="center"):
        go = st.button(style.COMPARE, type="primary", disabled=not ready, key=f"{place}_compare")
        if not ready:
            st.caption(style.COMPARE_NEEDS if replacing is None else style.REPLACE_NEEDS)
    if go and inputs is not None:
        compare(inputs)
    elif go and alone is not None:
        votes_alone.open_votes(alone)


def _slots(place: str, with_both: bool) -> tuple[Dropped, Models | None]:
    """The uploads, in rows of three: what a comparison needs, and what may come with it."""
    slots = st.columns(3)
    with slots[0]:
        a = _upload(place, "a", read_run, _run_found)
    with slots[1]:
        b = _upload(place, "b", read_run, _run_found)
    with slots[2]:
        judgments = _upload(place, "judgments", read_judgments, _judgments_found)
    models = None
    others = iter(st.columns(3 if with_both else 2))
    if with_both:
        with next(others):
            models = _upload(place, "both", read_models, _models_found)
    with next(others):
        queries = _upload(place, "queries", read_queries, _queries_found)
    with next(others):
        votes = _upload(place, "votes", read_votes, _votes_found)
    return Dropped(a, b, judgments, queries, votes), models


def show(inputs: state.Inputs | None) -> None:
    """Opens a comparison and goes to its verdict."""
    if inputs is not None:
        state.open_inputs(inputs)
        st.switch_page(state.VERDICT_PAGE)


def compare(inputs: state.Inputs) -> None:
    """Opens the comparison, or says what is wrong with it and leaves the open one open."""
    try:
        with st.spinner(style.COMPARING):
            wrong = strangers(state.opened(inputs).comparison)
    except MISTAKES as error:
        wrong = str(error).splitlines()
    if wrong:
        st.markdown(style.REFUSED)
        problems(wrong)
    else:
        show(inputs)


def _upload(place: str, slot: str, read: Callable[..., Any], found: Callable[[Any], str]) -> Any:
    """One upload: its table, or None where there is no file or it cannot be read."""
    labels, helps = style.UPLOADS | words.UPLOADS_TOO, style.UPLOAD_HELP | words.UPLOADS_TOO_HELP
    file = st.file_uploader(
        labels[slot], key=f"{place}_{slot}", max_upload_size=LIMITS.upload // _MEGABYTE, help=helps[slot],
    )  # fmt: skip
    key = f"parsed_{place}_{slot}"
    if file is None:
        st.session_state.pop(key, None)
        return None
    parsed: Parsed | None = st.session_state.get(key)
    if parsed is None or parsed.file_id != file.file_id:
        parsed = _parse(file, read)
        st.session_state[key] = parsed
    with st.container(key=f"{place}_{slot}_said"):
        pairs = [choice for choice in parsed.choices if choice.option == "pair"]
        if pairs:
            return _of_pair(f"{place}_{slot}_pair", file, pairs[0], found)
        if parsed.problems:
            problems(parsed.problems)
        else:
            st.caption(found(parsed.table))
    return parsed.table


def _of_pair(key: str, file: UploadedFile, choice: Choice, found: Callable[[Any], str]) -> Any:
    """Votes on several pairs of models: the table of the pair that is chosen, None before one is."""
    named = [value.partition(",") for value in choice.values]
    pairs = [(a, b) for a, _, b in named] + [(b, a) for a, _, b in named]
    at = st.selectbox(
        words.PAIR, range(len(pairs)), index=None, key=key, placeholder=words.PAIR_PLACEHOLDER,
        format_func=lambda place: words.PAIR_OPTION.format(a=pairs[place][0], b=pairs[place][1]),
    )  # fmt: skip
    if at is None:
        return None
    known = f"parsed_{key}"
    parsed: Parsed | None = st.session_state.get(known)
    read_as = f"{file.file_id}, {at}"
    if parsed is None or parsed.file_id != read_as:
        parsed = replace(_parse(file, partial(read_votes, pair=pairs[at])), file_id=read_as)
        st.session_state[known] = parsed
    if parsed.problems:
        problems(parsed.problems)
    else:
        st.caption(found(parsed.table))
    return parsed.table


def _parse(file: UploadedFile, read: Callable[..., Any]) -> Parsed:
    file.seek(0)
    with st.spinner(style.READING):
        try:
            return Parsed(file.file_id, read(file))
        except ReadError as error:
            return Parsed(file.file_id, problems=tuple(str(error).splitlines()), choices=error.choices)
        except MISTAKES as error:
            return Parsed(file.file_id, problems=tuple(str(error).splitlines()))


def _two_of(place: str, models: Models) -> tuple[Run, Run] | None:
    """The two runs to compare, in order of appearance; chosen by hand where there are more."""
    if len(models.runs) < 2:
        st.markdown(style.ONE_MODEL)
        return None
    names = [run.name for run in models.runs]
    at: list[int] = [0, 1]
    if len(names) > 2:
        for slot, side in enumerate("ab"):
            at[slot] = st.selectbox(
                style.MODEL_OF[side], range(len(names)), index=slot, format_func=names.__getitem__,
                key=f"{place}_model_{side}", required=True,
            )  # fmt: skip
    return models.runs[at[0]], models.runs[at[1]]


def _rows(n: int) -> str:
    return count(n, "row", "rows")


def _run_found(run: Run) -> str:
    return style.READ_RUN.format(rows=_rows(run.source.rows), order=style.ORDERED[run.ordered_by])


def _judgments_found(judgments: Judgments) -> str:
    return style.READ_JUDGMENTS.format(rows=_rows(judgments.source.rows))


def _models_found(models: Models) -> str:
    names = ", ".join(plain(run.name) for run in models.runs[:6])
    return style.READ_MODELS.format(models=names)


def _queries_found(queries: Queries) -> str:
    columns = ", ".join(plain(name) for name in queries.table.column_names[:8])
    return words.READ_QUERIES.format(rows=_rows(queries.source.rows), columns=columns)


def _votes_found(votes: Votes) -> str:
    return words.READ_VOTES.format(rows=count(len(votes.table), "vote", "votes"))
