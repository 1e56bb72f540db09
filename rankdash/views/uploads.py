"""Files in: each is parsed once, its table kept, the file forgotten. A refused file changes nothing that is open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from rankdash import style
from rankdash.comparison import ComparisonError
from rankdash.metrics import MeasureError
from rankdash.policy import PolicyError
from rankdash.reading import LIMITS, ReadError, read_judgments, read_models, read_run
from rankdash.report.mistakes import strangers
from rankdash.tables import Judgments, Models, Run
from rankdash.views import state
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


def form(place: str, replacing: state.Inputs | None = None) -> None:
    """The uploads of A, B and judgments, or of one file with both models, and the button that compares them.

    With ``replacing``, what is not uploaded is taken from the comparison that is open.
    """
    title = st.empty()
    a_slot, b_slot, judgments_slot = st.columns(3)
    with a_slot:
        a = _upload(place, "a", read_run, _run_found)
    with b_slot:
        b = _upload(place, "b", read_run, _run_found)
    with judgments_slot:
        judgments = _upload(place, "judgments", read_judgments, _judgments_found)
    models = None
    if replacing is None:
        title.markdown(style.DROP_FILES)
        models = _upload(place, "both", read_models, _models_found)
    if models is not None:
        chosen = _two_of(place, models)
        inputs = None if chosen is None else state.Inputs(style.UPLOADED, *chosen, judgments or models.judgments)
    elif replacing is not None:
        inputs = _replaced(replacing, a, b, judgments)
    else:
        inputs = None if a is None or b is None else state.Inputs(style.UPLOADED, a, b, judgments)
    with st.container(horizontal=True, vertical_alignment="center"):
        go = st.button(style.COMPARE, type="primary", disabled=inputs is None, key=f"{place}_compare")
        if inputs is None:
            st.caption(style.COMPARE_NEEDS if replacing is None else style.REPLACE_NEEDS)
    if go and inputs is not None:
        _compare(inputs)


def _replaced(now: state.Inputs, a: Run | None, b: Run | None, judgments: Judgments | None) -> state.Inputs | None:
    """What is open, with the uploaded tables in place of its own; None where nothing was uploaded."""
    if a is None and b is None and judgments is None:
        return None
    return state.Inputs(style.UPLOADED, a or now.a, b or now.b, judgments or now.judgments)


def show(inputs: state.Inputs | None) -> None:
    """Opens a comparison and goes to its verdict."""
    if inputs is not None:
        state.open_inputs(inputs)
        st.switch_page(state.VERDICT_PAGE)


def _compare(inputs: state.Inputs) -> None:
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
    file = st.file_uploader(
        style.UPLOADS[slot], key=f"{place}_{slot}", max_upload_size=LIMITS.upload // _MEGABYTE,
        help=style.UPLOAD_HELP[slot],
    )  # fmt: skip
    if file is None:
        st.session_state.pop(f"parsed_{place}_{slot}", None)
        return None
    parsed: Parsed | None = st.session_state.get(f"parsed_{place}_{slot}")
    if parsed is None or parsed.file_id != file.file_id:
        parsed = _parse(file, read)
        st.session_state[f"parsed_{place}_{slot}"] = parsed
    with st.container(key=f"{place}_{slot}_said"):
        if parsed.problems:
            problems(parsed.problems)
        else:
            st.caption(found(parsed.table))
    return parsed.table


def _parse(file: UploadedFile, read: Callable[..., Any]) -> Parsed:
    with st.spinner(style.READING):
        try:
            return Parsed(file.file_id, read(file))
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
