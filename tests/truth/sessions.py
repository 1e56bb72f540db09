"""Sessions on one server without a browser, and what each of them must show: what a fresh process computes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import streamlit as st

import rankdash as rd
from rankdash.case import Case, votes_standing
from rankdash.dashboard.new import uploads
from rankdash.dashboard.new.dropzone import Tables
from rankdash.dashboard.parts import input_parts
from rankdash.dashboard.parts import input_parts
from rankdash.dashboard.parts import editing_parts
from rankdash.dashboard.parts import editing_parts
from rankdash.dashboard.parts import query_parts
from rankdash.dashboard.session import actions, open_comparison, session, verdicts
from rankdash.edits import Edit, apply, misfits
from rankdash.inspect.lists import changes
from rankdash.inspect.view import measure_of, orders_of, shared_lists, viewed
from rankdash.metrics import Measure
from rankdash.reading.typed import typed_lists
from rankdash.report.edits import judgments_csv, run_csv
from rankdash.report.edits_file import edits_csv, read_edits
from rankdash.report.json import to_dict
from rankdash.scoring import concerns
from rankdash.tables import Judgments, Models, Run
from tests.made import compared_anyway

QUERIES, DOCUMENTS, DEPTH = 5, 8, 5
RUNS, ONE_FILE = ("r0", "r1", "r2", "r3"), "both"
JUDGMENTS = ("j0", "j1")
ORDERS = ("score", "rank")
POLICIES = {
    "default": rd.Policy(),
    "one measure": rd.Policy(guardrails=(), watch=()),
    "by input": rd.Policy(convention=rd.Convention(ties="input_order")),
    "ascending": rd.Policy(convention=rd.Convention(ties="docid_asc", score_type="float32")),
    "average": rd.Policy(convention=rd.Convention(ties="average"), primary="nDCG@3", cutoff=3),
    "trec_eval": rd.Policy(convention="trec_eval-9"),
    "affected": rd.Policy(population="affected", primary="AP", guardrails=(), cutoff=2),
    "skip": rd.Policy(missing="skip", judged_gap=0.5),
}
#: What is looked at: a measure, a cutoff, a preset ("": the policy's convention).
VIEWS = (("nDCG", 3, ""), ("P", 2, "trec_eval-9"), ("AP", None, "textbook"), ("RR", 5, "ranklib"))


def _random(name: str) -> np.random.Generator:
    return np.random.default_rng(list(name.encode()))


@cache
def content(name: str) -> bytes:
    """A file: a run of tied scores whose ranks say something else, both models in one file, or judgments."""
    rng = _random(name)
    if name in JUDGMENTS:
        rows = [f"q{q},d{d},{rng.integers(4)}" for q in range(QUERIES) for d in rng.permutation(DOCUMENTS)[:6]]
        return "\n".join(["query_id,doc_id,relevance", *rows]).encode()
    models = ("old", "new") if name == ONE_FILE else ("",)
    rows = ["query_id,model,doc_id,rank,score,relevance" if name == ONE_FILE else "query_id,doc_id,rank,score"]
    for model in models:
        for q in range(QUERIES - (name == "r3")):
            ranks, documents = rng.permutation(DEPTH) + 1, rng.permutation(DOCUMENTS)
            for rank, document in zip(ranks, documents, strict=False):
                start = f"q{q},{model},d{document}" if model else f"q{q},d{document}"
                grade = f",{(q + document) % 4}" if model else ""
                rows.append(f"{start},{rank},{rng.integers(3)}{grade}")
    return "\n".join(rows).encode()


def file(name: str) -> io.BytesIO:
    """The same as something that is dropped. All runs have one file name."""
    found = io.BytesIO(content(name))
    found.name = "run.csv" if name in RUNS else f"{name}.csv"
    return found


@cache
def run(name: str, order: str = "score") -> Run:
    """A run as it is read from its file, or of a dict in memory: all of these have one name."""
    if name.startswith("dict"):
        rng = _random(name)
        lists = {f"q{q}": {f"d{d}": int(rng.integers(3)) for d in rng.permutation(DOCUMENTS)[:5]} for q in range(5)}
        return rd.read_run(lists, name="in memory")
    return rd.read_run(file(name), order=order)


@cache
def models(order: str = "score") -> Models:
    """Both models of one file, with the grades beside them."""
    return rd.read_models(file(ONE_FILE), order=order)


def two_of_one_file() -> tuple[Run, Run]:
    """Both models of one file."""
    first, second = models().runs
    return first, second


@cache
def judgments(name: str) -> Judgments:
    """Judgments as they are read from their file."""
    return rd.read_judgments(file(name))


@cache
def votes() -> rd.Votes:
    """Votes of one rater."""
    words = ("good", "bad", "same", "good", "good")
    return rd.read_votes({f"q{q}": word for q, word in enumerate(words)})


@cache
def start(kind: str) -> Case:
    """What can be opened: files, both models of one file with their grades in it, lists in memory, typed lists."""
    if kind == "files":
        return Case((run("r0"), run("r1")), judgments("j0"), name="files")
    if kind == "votes":
        return Case((run("r0"), run("r1")), judgments("j0"), votes=votes(), name="files")
    if kind == "rank":
        return Case((run("r0", "rank"), run("r1", "rank")), judgments("j0"), name="files")
    if kind == "one":
        return Case(two_of_one_file(), models().judgments, name="one")
    if kind == "inline":
        return Case(two_of_one_file(), name="one")
    if kind == "dicts":
        return Case((run("dict1"), run("dict2")), judgments("j1"), name="dicts")
    typed = typed_lists("3 2 0 1\n0 1 2", "0 2 3\n2 2 ? 0")
    assert typed.b is not None
    return Case((typed.a, typed.b), typed.judgments, name="typed")


#: All ways to order equal scores.
CONVENTIONS = [
    rd.Convention(ties=ties, score_type=score_type)
    for ties in ("docid_desc", "docid_asc", "input_order", "average")
    for score_type in ("float64", "float32")
]
STARTS = ("files", "votes", "rank", "one", "inline", "dicts", "typed")


@dataclass
class Session:
    """One session of a browser on this server, and beside it, in plain records, what it was told to do."""

    memory: dict[str, Any] = field(default_factory=dict)
    inputs: Case = field(default_factory=lambda: start("files"))  # the final files and names
    done: list[tuple[Edit, ...]] = field(default_factory=list)
    undone: list[tuple[Edit, ...]] = field(default_factory=list)
    policy: rd.Policy = field(default_factory=rd.Policy)

    @contextmanager
    def here(self) -> Iterator[None]:
        """What is done inside is done in this session."""
        before = st.session_state
        st.session_state = self.memory  # type: ignore[assignment]
        try:
            yield
        finally:
            st.session_state = before

    def open(self, inputs: Case) -> None:
        """Opens a comparison, which begins with the default policy."""
        with self.here():
            actions.open_inputs(inputs)
        self.policy = rd.Policy()
        self._opened(inputs)

    def replace_file(self, **tables: Any) -> None:
        """Drops a newer file in place of one of those that are open."""
        with self.here():
            found = uploads._inputs(Tables(**tables), None, open_comparison.uploaded())
            assert found is not None
            actions.open_inputs(found, replacing=True)
        self._opened(self.inputs.with_tables(found.name, **tables))

    def correct(self, side: str, table: Run) -> None:
        """Reads the file of a run in another way."""
        with self.here():
            now = open_comparison.current()
            assert now is not None
            entry: Any = SimpleNamespace(table=table, role=side)
            found = input_parts._replaced(now, table.source.sha256, entry)
            assert found is not None
            actions.open_inputs(found, replacing=True)
        changed = {
            which: table.renamed(own.name)
            for which, own in (("a", self.inputs.a), ("b", self.inputs.b))
            if own.source.sha256 == table.source.sha256
        }
        self._opened(self.inputs.with_tables(found.name, **changed))

    def _opened(self, inputs: Case) -> None:
        self.inputs, self.done, self.undone = inputs.with_distinct_names().knowing_lists(), [], []

    def swap(self) -> None:
        """Exchanges A and B."""
        with self.here():
            actions.swap()
        other = {"a": "b", "b": "a", None: None}
        turned = [[tuple(replace(e, side=other[e.side]) for e in step) for step in part] for part in self._steps]
        self.done, self.undone = turned
        self.inputs = self.inputs.swapped()

    @property
    def _steps(self) -> tuple[list[tuple[Edit, ...]], list[tuple[Edit, ...]]]:
        return self.done, self.undone

    def rename(self, name: str, a: str, b: str) -> None:
        """Gives everything another name."""
        with self.here():
            actions.rename(name, a, b)
        self.inputs = self.inputs.renamed(name, a, b)

    def edit(self, *edits: Edit) -> bool:
        """Puts edits in force; False where the page refuses them."""
        with self.here():
            taken = editing_parts.take_over(edits)
        if taken:
            self.done.append(edits)
            self.undone.clear()
        return taken

    def undo(self) -> None:
        """Takes the last step back."""
        with self.here():
            actions.edit(session.now().history.undone())
        if self.done:
            self.undone.append(self.done.pop())

    def redo(self) -> None:
        """Does it again."""
        with self.here():
            actions.edit(session.now().history.redone())
        if self.undone:
            self.done.append(self.undone.pop())

    def decide_by(self, policy: rd.Policy) -> None:
        """Puts another policy in force."""
        with self.here():
            actions.decide_by(policy)
        self.policy = policy

    def saved_edits_fit(self) -> None:
        """The file of edits, dropped on the same files under the same policy, is these edits again."""
        inputs, own = self.inputs, [edit for step in self.done for edit in step]
        now = replace(inputs, edits=tuple(own))
        found = read_edits(edits_csv(editing_parts.as_they_apply(now, self.policy)), "edits.csv")
        known = {*inputs.a.table["query_id"].to_pylist(), *inputs.b.table["query_id"].to_pylist()}
        if known.issuperset(edit.query_id for edit in own):  # no page edits a query that nothing has
            assert not misfits(found, inputs.a, inputs.b, inputs.judgments, self.policy.scoring)
        assert [replace(edit, before=None) for edit in found] == [replace(edit, before=None) for edit in own]

    def saved_lists_are_the_same(self) -> None:
        """Lists and judgments as they are saved, read back, have the values of the screen under every convention."""
        with self.here():
            now = open_comparison.current()
            assert now is not None
            comparison = verdicts.opened(now).comparison
        joined, order = comparison.joined, comparison.order
        if not (len(joined.a.table) and len(joined.b.table)):
            return  # a file without a row is no run
        runs = [rd.read_run(run_csv(joined, side, order)) for side in ("a", "b")]
        again = rd.compare(*runs, rd.read_judgments(judgments_csv(joined)), policy=self.policy, queries=now.queries)
        assert again.query_ids == comparison.query_ids
        measures = [rd.parse_measure("nDCG@3", convention) for convention in CONVENTIONS]
        for side in ("a", "b"):
            one, other = (each.joined.scores(side, measures) for each in (comparison, again))
            np.testing.assert_array_equal(one, other)

    def shown(self, view: tuple[str, int | None, str], *, verdict: bool = True) -> dict[str, Any]:
        """What the pages show, with the verdict or without it."""
        with self.here():
            now = open_comparison.current()
            assert now is not None
            opened = verdicts.opened(now)
            measure = measure_of(opened.comparison, *view)
            look = query_parts._viewed(now, opened.policy, measure)
            concerned = input_parts._concerns(now, opened.policy)
            decided = opened.verdict if verdict else None
            return _told(now.names, opened.comparison, decided, opened.changes, look, concerned)

    def fresh(self) -> Any:
        """The comparison of the final files, edits and policy, computed with nothing kept."""
        edits, inputs = [edit for step in self.done for edit in step], self.inputs
        tables = apply(edits, inputs.a, inputs.b, inputs.judgments, self.policy.scoring)
        stands = votes_standing(replace(inputs, edits=tuple(edits)), self.policy)
        votes = None if stands is None else replace(stands.votes, about=None)  # these count on the lists as edited
        beside = {"policy": self.policy, "queries": inputs.queries, "votes": votes}
        return compared_anyway(tables.a, tables.b, tables.judgments, **beside)

    def truth(self, view: tuple[str, int | None, str], fresh: Any = None, *, verdict: bool = True) -> dict[str, Any]:
        """What the pages have to show: of a comparison that is fresh, computed where none is given."""
        comparison = fresh or self.fresh()
        measure: Measure = measure_of(comparison, *view)
        look = viewed(comparison, measure, shared_lists(comparison, orders_of(comparison.joined, measure)))
        decided = rd.decide(comparison) if verdict else None
        return _told(self.inputs.names, comparison, decided, changes(comparison), look, concerns(comparison))


def _told(names: Any, comparison: Any, verdict: Any, sorted_: Any, look: Any, concerned: Any) -> dict[str, Any]:
    """Everything that can be wrong: names, notes, every number of the report, lists, charts, what is looked at."""
    return {
        "names": names,
        "runs": [(run.name, run.source, run.ordered_by) for run in (comparison.a, comparison.b)],
        "judgments": comparison.joined.judgments.source,
        "results": comparison.results,
        "bounds": comparison.delta_bounds,
        "report": None if verdict is None else to_dict(comparison, verdict),
        "queries": comparison.query_ids,
        "scores": [np.asarray(values).tobytes() for values in (comparison.scores_a, comparison.scores_b)],
        "changes": (sorted_.query_ids, sorted_.delta.tobytes()),
        "look": (
            look.changes.query_ids,
            *(np.asarray(one).round(12).tolist().__repr__() for one in (look.changes.a, look.changes.b)),
            *(np.asarray(one).tolist().__repr__() for one in (look.overlap, look.churn, look.unjudged, look.changed)),
        ),
        "concerns": [(one.name, one.count, one.table.to_pylist()) for one in concerned],
    }
