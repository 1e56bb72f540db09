"""The comparisons that a visitor can open without files; a first visit sees the first of them."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from rankdash import api, style
from rankdash.case import Case, Role
from rankdash.installation import resource
from rankdash.policy import Policy

#: The files of a demo, by their part, in the order of its tables; the first demo has no items.
FILES: Mapping[Role, str] = {
    "a": "run_a.csv",
    "b": "run_b.csv",
    "judgments": "judgments.csv",
    "queries": "queries.csv",
    "items": "items.csv",
}
#: The policies of demos that the default one does not suit.
_WATCH = (("STREC@5", 0.02), ("nDCG(half_life=7)@5", 0.02), ("median_age@5", 7.0))
_DIVERSITY = Policy(primary="alpha_nDCG@5", guardrails=(("nDCG@5", 0.02),), watch=_WATCH)
POLICIES: Mapping[api.DemoName, Policy] = {"diversity": _DIVERSITY}


@st.cache_resource(show_spinner=False)
def files(which: api.DemoName = "search") -> Mapping[Role, bytes]:
    """Return the files of a demo that are installed, read once, by their part."""
    folder = resource(api.DEMO_FOLDERS[which])
    return {role: (folder / name).read_bytes() for role, name in FILES.items() if (folder / name).is_file()}


@st.cache_resource(show_spinner=False)
def case(which: api.DemoName = "search") -> Case:
    """Return a demo as every session has it."""
    return Case.of(dict(zip(FILES, api.demo(which), strict=False)), style.DEMO_NAMES[which])


def is_shown(shown: Case) -> bool:
    """Return whether A and B are those of a demo: a comparison of other runs is none, whatever judges them."""
    return any({*shown.identities[:2]} <= {*case(which).identities} for which in api.DEMO_FOLDERS)
