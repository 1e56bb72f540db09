"""Files in: one drop zone for all of them. A refused file changes nothing that is open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from rankdash import style
from rankdash.comparison import ComparisonError, UnweightedError
from rankdash.dashboard.kit.content_cache import once
from rankdash.dashboard.kit.large_uploads import put_aside
from rankdash.dashboard.kit.literal import plain, problems
from rankdash.dashboard.new import edit_files, file_card, scored_files
from rankdash.dashboard.new.dropzone import Tables, box_of, empty, entries, wanted
from rankdash.dashboard.parts import missing_weight
from rankdash.dashboard.session import actions, file_cache, state
from rankdash.dashboard.session.files import Entry, File
from rankdash.dashboard.session.inputs import Inputs
from rankdash.intake import Given, Role
from rankdash.intake.apart import MOST, warm
from rankdash.metrics import MeasureError
from rankdash.mistakes import Mistake, mistakes
from rankdash.policy import PolicyError
from rankdash.reading import LIMITS, ReadError
from rankdash.report.mistakes import refusals
from rankdash.style import reading as words
from rankdash.style import saving
from rankdash.tables import Models, Run, Votes

#: What a user's files can be wrong in. Anything else is our mistake, and is allowed to show itself.
MISTAKES = (ReadError, ComparisonError, MeasureError, PolicyError)
_MEGABYTE = 1_000_000
_BESIDE_LETOR: tuple[Role, ...] = ("scores_a", "scores_b", "groups")


def form(place: str, replacing: Inputs | None = None) -> None:
    """The drop zone, a card for each file in it, and the button that compares them.

    With ``replacing``, what no file is given for is taken from the comparison that is open, and a run whose name tells
    nothing is a new B.
    """
    on_disk = box_of(place).on_disk
    put_aside(f"{place}_files", on_disk)
    files = st.file_uploader(
        words.DROP if replacing is None else words.REPLACE_DROP,
        accept_multiple_files=True,
        key=f"{place}_files",
        max_upload_size=LIMITS.upload // _MEGABYTE,
        help=words.DROP_HELP,
    )
    if not files:
        warm(MOST)  # a comparison is of two files
    if not wanted(place, files) and replacing is None:
        st.caption(words.DROP_HINT)
    files, edits = edit_files.apart(wanted(place, files))
    files, scored = scored_files.apart(files) if replacing is None else (files, [])
    given = [File(file.file_id, Given(file.name, on_disk.get(file.file_id, file))) for file in files]
    with st.container(key=f"{place}_said", gap="small"):
        found = entries(place, given, "a" if replacing is None else "b")
        for entry in found:
            file_card.card(place, entry, _roles(found))
    tables = Tables.of(found)
    chosen = None if tables.models is None else two_of(place, tables.models)
    needs = _needs(found, tables, chosen, replacing is not None)
    inputs = None if needs else _inputs(tables, chosen, replacing)
    if scored:
        inputs, needs = _scored(place, scored, tables, bool(edits))
    if inputs is not None and inputs.scored is None and not _graded(inputs):
        inputs, needs = None, "judgments"
    alone = bool(edits) and not files and not scored
    if alone:
        inputs, needs = state.uploaded(), ""
    if edits and not scored:
        inputs = edit_files.put_on(place, edits, inputs)
        needs = needs or ("" if inputs is not None else "edits")
    inputs, needs = _settled(place, inputs, needs)
    _button(place, found, tables, inputs, needs, state.uploaded() if alone else replacing)


def _scored(place: str, files: Sequence[Any], tables: Tables, edits: bool) -> tuple[Inputs | None, str]:
    """Return the comparison that scored queries make, with votes and queries beside them, and a word of ``NEEDS``."""
    inputs = scored_files.inputs_of(place, files)
    if edits or any((tables.a, tables.b, tables.models, tables.judgments)):
        return None, "scored"
    if inputs is None:
        return None, "refused"
    return replace(inputs, queries=tables.queries, votes=tables.votes), ""


def _settled(place: str, inputs: Inputs | None, needs: str) -> tuple[Inputs | None, str]:
    """Tell what is wrong between the files, and ask whether judgments were given as a run, and what a query without a
    weight weighs where many have none. Return the inputs with the answers, None until there are, and what stands in
    the way.
    """
    if inputs is None:
        return None, needs
    if inputs.scored is None and any(one.problem for one in _mistakes(inputs)):
        _between(inputs)
        return None, "asked"
    if inputs.scored is None:
        state.open_ahead(inputs)  # while what is wrong is looked for, and the button for
        _between(inputs)
    gap = missing_weight.large_gap(inputs)
    if gap is None or inputs.queries is None:
        return inputs, needs
    chosen = missing_weight.choice(place, gap, inputs.queries)
    return (None, "weights") if chosen is None else (inputs.weighing(chosen), needs)


def _button(
    place: str,
    found: Sequence[Entry],
    tables: Tables,
    inputs: Inputs | None,
    needs: str,
    replacing: Inputs | None,
) -> None:
    """The button, and beside it what will be compared, or what is missing."""
    alone = tables.votes if tables.only_votes and replacing is None and needs in ("nothing", "ab") else None
    with st.container(horizontal=True, vertical_alignment="center"):
        ready = inputs is not None or alone is not None
        go = st.button(style.COMPARE, type="primary", disabled=not ready, key=f"{place}_compare")
        if inputs is not None:
            st.caption(_ready(inputs))
        elif ready and alone is not None:
            st.caption(words.ONLY_VOTES.format(name=plain(alone.source.name)))
        else:
            st.caption(words.NEEDS[needs])
    if go and inputs is not None:
        compare(inputs, found, also=replacing is not None)
    elif go and alone is not None:
        open_alone(alone, found)


def _roles(found: Sequence[Entry]) -> list[Role]:
    """Return the parts that can be chosen: those of a LETOR file only beside one."""
    letor = any(entry.look.is_letor or entry.look.kind == "numbers" for entry in found)
    return [role for role in words.ROLES if letor or role not in _BESIDE_LETOR]  # type: ignore[misc]


def _needs(found: Sequence[Entry], tables: Tables, chosen: tuple[Run, Run] | None, replacing: bool) -> str:
    """Return a word of ``style.reading.NEEDS`` for what stands in the way of a comparison; "" for nothing."""
    states = {entry.status for entry in found if entry.placed.why != "unknown"}
    for word, state_ in (("asked", "asks"), ("refused", "refused")):
        if state_ in states:
            return word
    if tables.models is not None and chosen is None:
        return "one_model"
    if replacing:
        return "" if tables.any else "replace"
    if chosen is not None:
        return ""
    missing = "".join(side for side, run in (("a", tables.a), ("b", tables.b)) if run is None)
    return "nothing" if not found else missing


def _inputs(tables: Tables, chosen: tuple[Run, Run] | None, now: Inputs | None) -> Inputs | None:
    """Return what the files make: a comparison of their own, or what is open with their tables in place of its own."""
    a, b = chosen or (tables.a, tables.b)
    graded = None if tables.models is None else tables.models.judgments
    judgments = tables.judgments or graded
    if now is not None:
        return replace(
            now,
            name=style.UPLOADED,
            a=a or now.a,
            b=b or now.b,
            judgments=judgments or now.judgments,
            queries=tables.queries or now.queries,
            votes=tables.votes or now.votes,
        )
    if a is None or b is None:
        return None
    return Inputs(style.UPLOADED, a, b, judgments, tables.queries, tables.votes)


def _graded(inputs: Inputs) -> bool:
    """Whether anything says which documents are relevant."""
    return inputs.judgments is not None or any("relevance" in run.table.column_names for run in (inputs.a, inputs.b))


def _between(inputs: Inputs) -> None:
    """What is wrong between the files, before anybody compares them."""
    for one in _mistakes(inputs):
        told = one.sentence if one.problem is None else one.problem.phrased("page")
        (st.error if one.fatal else st.warning)(plain(told), icon=":material/warning:")


@once
def _mistakes(inputs: Inputs) -> tuple[Mistake, ...]:
    return tuple(mistakes(inputs.a, inputs.b, inputs.judgments, inputs.queries, inputs.votes))


def _ready(inputs: Inputs) -> str:
    if inputs.scored is not None:
        return words.READY_SCORED.format(a=plain(inputs.a.name), b=plain(inputs.b.name))
    judgments = words.READY_INLINE if inputs.judgments is None else inputs.judgments.source.name or style.IN_MEMORY
    return words.READY.format(a=plain(inputs.a.name), b=plain(inputs.b.name), judgments=plain(judgments))


def show(inputs: Inputs | None, *, replacing: bool = False, reread: bool = False) -> None:
    """Open a comparison, or that of the session with other files, and go to its verdict. ``reread``: they are the same
    files, read in another way.
    """
    if inputs is not None:
        with st.spinner(saving.SAVING):
            actions.open_inputs(inputs, replacing=replacing, reread=reread)
        state.show_verdict()


def show_demo() -> None:
    """Open the demo, where its files are installed. The files of the comparison before are forgotten."""
    file_cache.keep((), also=False)
    show(state.demo_inputs())


def open_alone(votes: Votes, files: Iterable[Entry] = ()) -> None:
    """Open votes that come without lists. ``files`` are those that they were read from."""
    file_cache.keep(files, also=False)
    empty()
    actions.open_votes(votes)
    state.show_verdict()


def compare(inputs: Inputs, files: Iterable[Entry] = (), *, also: bool = False, reread: bool = False) -> None:
    """Open the comparison, or tell what is wrong with it, and leave what is open unchanged.

    ``files`` are those that it was read from; ``also``: in addition to the files of what is open. ``reread`` as for
    ``show``.
    """
    try:
        with st.spinner(style.COMPARING):
            wrong = refusals(state.opened(inputs, state.own_policy(inputs)).comparison)
    except UnweightedError:
        wrong = []  # asked as soon as it is open
    except MISTAKES as error:
        wrong = error.lines("page") if isinstance(error, ReadError) else str(error).splitlines()
    if wrong:
        st.markdown(style.REFUSED)
        problems(wrong)
    else:
        file_cache.keep(files, also)
        empty()
        show(inputs, replacing=also, reread=reread)


def two_of(place: str, models: Models) -> tuple[Run, Run] | None:
    """Return the two runs to compare, in order of appearance; with a list to choose from where there are more. None
    where there is one.
    """
    if len(models.runs) < 2:
        return None
    names = [run.name for run in models.runs]
    at: list[int] = [0, 1]
    if len(names) > 2:
        columns = st.columns(2, gap="small")
        for slot, side in enumerate("ab"):
            at[slot] = columns[slot].selectbox(
                style.MODEL_OF[side],
                range(len(names)),
                index=slot,
                format_func=names.__getitem__,
                key=f"{place}_model_{side}",
                required=True,
            )
    return models.runs[at[0]], models.runs[at[1]]
