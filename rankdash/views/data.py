import pandas as pd
import streamlit as st

from rankdash import style
from rankdash.comparison import Comparison, Side
from rankdash.report.notes import judgment_notes, run_notes
from rankdash.style import evidence as words
from rankdash.tables import Source
from rankdash.views import grounds, state, uploads
from rankdash.views.literal import plain
from rankdash.wording import count, percent

DIGEST = 12
SIDES: tuple[Side, Side] = ("a", "b")


def understood(comparison: Comparison) -> None:
    """What was understood of each file, side by side."""
    joined = comparison.joined
    columns = st.columns(3, gap="small")
    for side, column in zip(SIDES, columns, strict=False):
        run = joined.run(side)
        facts = {
            style.FACTS["model"]: run.name,
            style.FACTS["file"]: run.source.name or style.IN_MEMORY,
            style.FACTS["rows"]: count(run.source.rows),
            style.FACTS["queries"]: count(joined.lists(side)),
            style.FACTS["order"]: style.ORDERED[run.ordered_by],
        }
        with column.container(border=True, height="stretch"):
            file_card(style.UPLOADS[side], facts, run.source, run_notes(joined, side, comparison.convention))
    source = joined.judgments.source
    facts = {
        style.FACTS["file"]: source.name or style.IN_MEMORY,
        style.FACTS["rows"]: count(source.rows or len(joined.judgments.table)),
        style.FACTS["queries"]: count(joined.pool.queries),
        style.FACTS["kind"]: style.KINDS[comparison.counts.kind],
    }
    with columns[2].container(border=True, height="stretch"):
        file_card(style.UPLOADS["judgments"], facts, source, judgment_notes(joined))


def also_given(comparison: Comparison) -> None:
    """What was understood of the queries and the votes, where there are any."""
    tables = {"queries": comparison.queries, "votes": comparison.vote_rows}
    given = {slot: table for slot, table in tables.items() if table is not None}
    if not given:
        return
    for (slot, table), column in zip(given.items(), st.columns(len(given), gap="small"), strict=True):
        facts = {
            style.FACTS["file"]: table.source.name or style.IN_MEMORY,
            style.FACTS["rows"]: count(table.source.rows),
            words.COLUMNS: ", ".join(table.table.column_names),
        }
        with column.container(border=True, height="stretch"):
            file_card(words.GIVEN[slot], facts, table.source, table.source.notes)


def file_card(title: str, facts: dict[str, str], source: Source, notes: tuple[str, ...]) -> None:
    """One file: its facts as label and value, its digest, and every decision that reading it took."""
    st.subheader(title, anchor=False)
    if source.sha256:
        facts = facts | {style.FACTS["sha256"]: source.sha256[:DIGEST]}
    rows = [(f":gray[{label}]", plain(value)) for label, value in facts.items()]
    st.table(
        pd.DataFrame(rows, columns=["", " "]), border="horizontal", hide_index=True, hide_header=True, alt=title,
    )  # fmt: skip
    for note in notes or (style.NO_NOTES,):
        st.caption(plain(note))


def counted(comparison: Comparison) -> None:
    """What the files hold together, before any measure."""
    counts, k = comparison.counts, comparison.policy.cutoff
    found = {
        "judged": count(counts.judged),
        "common": count(counts.common),
        "missing": f"{count(counts.missing_a)} / {count(counts.missing_b)}",
        "without_relevant": count(counts.without_relevant),
        "affected": count(counts.affected),
        "judged_share": f"{percent(counts.judged_a)} / {percent(counts.judged_b)}",
        "unjudged": count(counts.unjudged_shown),
    }
    rows = [
        (style.COUNTS[name].format(k=k), value, f":gray[{style.COUNTS_WHY[name].format(k=k)}]")
        for name, value in found.items()
    ]
    st.table(
        pd.DataFrame(rows, columns=list(style.COUNT_COLUMNS)), border="horizontal", hide_index=True,
        alt=style.COUNTED,
    )  # fmt: skip


inputs = state.current()
if inputs is not None:
    opened = state.opened(inputs)
    understood(opened.comparison)
    also_given(opened.comparison)
    left, right = st.columns([1.25, 1], gap="small")
    with left.container(border=True, height="stretch"):
        st.subheader(style.COUNTED, anchor=False)
        counted(opened.comparison)
        grounds.convention(opened.comparison)
    with right.container(border=True, height="stretch"):
        st.subheader(style.REPLACE, anchor=False)
        uploads.form("replace", state.uploaded())
