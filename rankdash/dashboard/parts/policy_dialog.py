"""The dialog of the policy: three to start from, the fields that most policies name, and the others in a fold.

Lists and bounds only guide the browser; the policy itself checks the values.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from typing import Any

import streamlit as st

from rankdash import policy as fields
from rankdash.conventions import PRESETS
from rankdash.dashboard.kit import browser_history, screen, widgets
from rankdash.dashboard.kit.literal import plain_label, problems
from rankdash.dashboard.parts.uploads import MISTAKES
from rankdash.dashboard.session import actions, open_comparison, session
from rankdash.dashboard.session.open_comparison import spoken
from rankdash.inspect import view as views
from rankdash.metrics import MeasureError, definition_of
from rankdash.policy import Policy, PolicyError, beginning
from rankdash.scoring import Comparison
from rankdash.style import verdict as words

_FINEST, _TOML = 0.001, "application/toml"
#: The fields that most policies name, which are always in sight, by how many stand in a row.
_IN_SIGHT = {3: ("primary", "mpe", "primary_margin"), 2: ("guardrails", "watch")}
#: What a measure may lose that is new among the guardrails, or among those that are watched.
_MARGIN = {"guardrails": 0.01, "watch": 0.02}


@st.dialog(words.POLICY, width="large")
def dialog(opened: Comparison | None, try_out: Callable[[Policy], object]) -> None:
    """Draw three policies to start from, the fields that most name, and the others in a fold; nothing changes before
    the button is pressed.

    ``opened`` is the comparison that is open, None for votes alone; ``try_out`` decides it under another policy.
    """
    now = session.now().policy
    begun = _begun(now)
    values: dict[str, Any] = {}
    for in_row, names in _IN_SIGHT.items():
        for place, name in zip(st.columns(in_row, gap="medium"), names, strict=True):
            with place:
                values[name] = _field(name, begun, opened)
                st.caption(_sentence(name))
    with st.expander(words.POLICY_MORE, key="policy_more", on_change="rerun") as fold:
        # Once drawn they are drawn on: who closes the fold has not taken back what was chosen in it.
        if fold.open or widgets.is_drawn("policy_cutoff"):
            values |= _others(begun, opened)
        if fold.open:
            _of_file(now, try_out)
    changes = {name: value for name, value in values.items() if value != getattr(begun, name)}
    if session.now().saved is not None:
        st.caption(words.POLICY_REPLACES)
    said = st.container()  # above the buttons, where a small window has it in sight
    with st.container(horizontal=True):
        apply = st.button(words.POLICY_APPLY, type="primary", key="policy_apply")
        reset = st.button(words.POLICY_RESET, key="policy_reset", disabled=now == Policy())
    if apply or reset:
        with said:
            use(try_out, Policy if reset else lambda: begun.changed(**changes))


def _begun(now: Policy) -> Policy:
    """Draw the policies to start from, and return the one that is chosen; at first that in force."""
    kept = {name: getattr(now, name) for name in ("intent", "inference")}
    at = next((name for name, sets in words.POLICY_STARTS.items() if sets.items() <= kept.items()), None)
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = st.segmented_control(
            words.POLICY_START, list(words.POLICY_STARTS), default=at, key="policy_start", label_visibility="collapsed"
        )
        st.caption(spoken(words.POLICY_STARTED.get(chosen or "", words.POLICY_WHY)), width="content")
    return now if chosen in (at, None) else now.changed(**words.POLICY_STARTS[chosen])


def _sentence(name: str) -> str:
    meaning = spoken(fields.FIELDS[name].line())
    return f"{meaning[0].upper()}{meaning[1:]}."


def _others(begun: Policy, opened: Comparison | None) -> dict[str, Any]:
    """Draw every other field, topic by topic, and return the values."""
    values: dict[str, Any] = {}
    in_sight = {name for names in _IN_SIGHT.values() for name in names}
    for topic in fields.Topic:
        rows = [name for name, row in fields.FIELDS.items() if row.topic is topic and name not in in_sight]
        if not rows:
            continue
        st.markdown(f"**{topic}**")
        with st.grid(3, gap="small"):
            values |= {name: _field(name, begun, opened) for name in rows}
    return values


def _of_file(now: Policy, try_out: Callable[[Policy], object]) -> None:
    """Draw the policy as a file, out and in."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        screen.download(words.POLICY_DOWNLOAD, now.to_toml, words.POLICY_FILE, _TOML, key="policy_download")
        file = st.file_uploader(words.POLICY_UPLOAD, key="policy_file", max_upload_size=1)
        if st.button(words.POLICY_APPLY_FILE, key="policy_file_apply", disabled=file is None) and file is not None:
            use(try_out, lambda: _read(file.name, file.getvalue()))


def _field(name: str, begun: Policy, opened: Comparison | None) -> Any:
    """Draw the widget of a field by the kind of its value, and return its value."""
    value, kind, called = getattr(begun, name), fields.FIELDS[name].kind, open_comparison.nouns()
    # A field that the start decides begins anew with another start.
    start = f"_{value}" if name in words.POLICY_STARTS[words.POLICY_FIRST] else ""
    told = f"{_sentence(name)} {words.POLICY_IN_FILE.format(name=name)}"
    how: dict[str, Any] = {"label": called.say(fields.FIELDS[name].label), "help": told, "key": f"policy_{name}{start}"}
    match kind:
        case fields.OneOf():
            shown = {word: called.say(text) for word, text in kind.shown.items()}.__getitem__
            return st.selectbox(options=kind.words, index=kind.words.index(value), format_func=shown, **how)
        case fields.Whole():
            return int(st.number_input(min_value=kind.least, value=value, step=1, **how))
        case fields.Margin() | fields.Between():
            low, high = (float(kind.low), float(kind.high)) if isinstance(kind, fields.Between) else (0.0, None)
            return st.number_input(min_value=low, max_value=high, value=value, step=_FINEST, format="%g", **how)
        case fields.MarginList():
            return _margins(name, value, _measures(begun, opened, name), how)
        case fields.Columns():
            options = list(dict.fromkeys((*value, *(opened.facts.segments if opened else ()))))
            none = None if options else called.say(words.POLICY_NO_SEGMENTS)
            how |= {"disabled": not options, "placeholder": none}
            return tuple(st.multiselect(options=options, default=list(value), **how))
    if name == "convention":  # one of its own is none of the presets
        names = {one: one if isinstance(one, str) else words.POLICY_OWN for one in (*PRESETS, value)}
        return st.selectbox(options=[*names], index=[*names].index(value), format_func=names.__getitem__, **how)
    # The primary one is the first of the policy's.
    return st.selectbox(options=_measures(begun, opened), format_func=_shown, accept_new_options=True, **how)


def _measures(begun: Policy, opened: Comparison | None, role: str = "") -> list[str]:
    """Return the measures of the policy, the primary first, and behind them all that the data allows in one."""
    offered = views.offered(opened, role) if opened else ()
    names = dict.fromkeys((*begun.measures, *fields.measures_for_roles(offered, begun.in_force, begun.cutoff, role)))
    return [name for name in names if role == "watch" or not definition_of(name).unit]


def _shown(measure: str) -> str:
    """Return a measure as a list offers it, with the names that people look for behind it."""
    name = re.split(r"\W", measure)[0]
    return measure + words.ALSO_CALLED.get(name, "").format(form=measure.removeprefix(name))


def _margins(name: str, value: fields.Margins, options: list[str], how: dict[str, Any]) -> fields.Margins:
    """Draw a list of measures, and what each of those that are chosen may lose."""
    given = dict(value)
    chosen = st.multiselect(options=options, default=list(given), format_func=_shown, accept_new_options=True, **how)
    with st.container(horizontal=True, gap="small"):
        return tuple((measure, _margin(name, measure, given)) for measure in chosen)


def _margin(name: str, measure: str, given: dict[str, float]) -> float:
    """Draw what a measure may lose, or by how many of its units it may rise, for which there is no usual number."""
    try:
        unit = definition_of(measure).unit
    except MeasureError:  # typed; the policy refuses it in a sentence
        unit = ""
    return st.number_input(
        plain_label((words.POLICY_RISE if unit else words.POLICY_LOSS).format(measure=measure, unit=unit)),
        min_value=0.0,
        value=given.get(measure, 0.0 if unit else _MARGIN[name]),
        step=1.0 if unit else _FINEST,
        format="%g",
        key=f"policy_{name}_{measure}",
        width=210 if unit else 170,
    )


def _read(file: str, content: bytes) -> Policy:
    try:
        return Policy.from_toml(beginning(BytesIO(content)))
    except UnicodeDecodeError:
        raise PolicyError([words.POLICY_NOT_TEXT.format(file=file)]) from None


def _in_words(problem: str) -> str:
    """Return a problem that begins with the name of a field, with the label of the field in its place."""
    name, _, rest = problem.partition(" ")
    field = name.rstrip(":,")
    return f"{fields.FIELDS[field].label}{name[len(field) :]} {rest}" if field in fields.FIELDS else problem


def use(try_out: Callable[[Policy], object], made: Callable[[], Policy]) -> None:
    """Put a policy in force where it can be used on what is open, or say, letter for letter, why it cannot."""
    try:
        policy = made()
        try_out(policy)
    except MISTAKES as error:
        st.markdown(words.POLICY_REFUSED)
        problems([_in_words(problem) for problem in str(error).splitlines()])
        return
    now = session.now().policy
    if (policy.primary, policy.cutoff) != (now.primary, now.cutoff):
        browser_history.forget_linked("measure", "k")  # view what decides
    actions.decide_by(policy)
    st.rerun()
