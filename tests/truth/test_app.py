"""Any sequence of what people do in tabs of the app leaves on the screen what a fresh process computes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import rankdash as rd
from rankdash import style
from rankdash.case import Case
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.edits import Edit, apply
from rankdash.wording import number, signed
from tests.browsed import judgments_csv, models_csv, run_csv
from tests.dashboard.records import put
from tests.dashboard.test_edit import typed
from tests.dashboard.test_naming import renamed
from tests.dashboard.test_pages import app, texts, upload
from tests.truth.scale import done, sampled

_ACTIONS = 3
_POLICIES = {
    "default": rd.Policy(),
    "AP": rd.Policy(primary="AP", guardrails=(("RR", 0.01),)),
    "exp2": rd.Policy(convention=rd.Convention(gain="exp2"), primary="nDCG@3", cutoff=3),
    "skip": rd.Policy(convention="trec_eval-9", mpe=0.3),
}


def shuffled(name: str) -> bytes:
    """Another run of the same documents: on every query in an order of its own."""
    rng = np.random.default_rng(list(name.encode()))
    lists = ((q, doc, rank) for q in range(50) for rank, doc in enumerate(rng.permutation(5), start=1))
    rows = (f"q{q},d{q}-{doc},{rank}" for q, doc, rank in lists)
    return "\n".join(["query_id,doc_id,rank", *rows]).encode()


def graded(name: str) -> bytes:
    """Other grades of the same documents."""
    rng = np.random.default_rng(list(name.encode()))
    rows = (f"q{q},d{q}-{doc},{rng.integers(4)}" for q in range(50) for doc in range(5))
    return "\n".join(["query_id,doc_id,relevance", *rows]).encode()


def start(kind: str) -> Case:
    """What a tab has open at first."""
    if kind == "one file":
        both = rd.read_models(models_csv())
        return Case((both.runs[0], both.runs[1]), both.judgments, name="one file")
    runs = rd.read_run(run_csv(False), name="old"), rd.read_run(run_csv(kind == "better"), name="new")
    return Case(runs, rd.read_judgments(judgments_csv()), name=kind).with_distinct_names()


@dataclass
class Tab:
    """The app in one tab, and beside it, in plain records, what was done there."""

    at: AppTest
    inputs: Case
    done: list[tuple[Edit, ...]] = field(default_factory=list)
    undone: list[tuple[Edit, ...]] = field(default_factory=list)
    policy: rd.Policy = field(default_factory=rd.Policy)

    @classmethod
    def of(cls, kind: str) -> Tab:
        """A tab with a comparison open."""
        at, inputs = app(), start(kind)
        put(at, case=inputs)
        return cls(at.run(), inputs)

    def go(self, page: str) -> None:
        """Goes to a page."""
        self.at.switch_page(SCRIPTS[page]).run()

    def walk(self, rng: np.random.Generator) -> None:
        """Looks at some page."""
        self.go(str(rng.choice(list(SCRIPTS))))

    def swap(self, rng: np.random.Generator) -> None:
        """Exchanges A and B."""
        self.at.button(key="swap").click().run()
        other: Any = {"a": "b", "b": "a", None: None}
        self.done, self.undone = (
            [tuple(replace(edit, side=other[edit.side]) for edit in step) for step in steps]
            for steps in (self.done, self.undone)
        )
        self.inputs = self.inputs.swapped()

    def rename(self, rng: np.random.Generator) -> None:
        """Gives everything another name."""
        names = dict(zip(("name", "a", "b"), map(str, rng.permutation(["x", "*y*", "old"])), strict=True))
        renamed(self.at, **names)
        self.inputs = self.inputs.renamed(**names)

    def decide_by(self, rng: np.random.Generator) -> None:
        """Puts the policy of a file in force."""
        self.policy = _POLICIES[str(rng.choice(list(_POLICIES)))]
        self.at.button(key="open_policy").click().run()
        self.at.button(key="open_policy").click()
        file = next(one for one in self.at.file_uploader if one.key == "policy_file")
        file.set_value(("mine.toml", self.policy.to_toml().encode(), "application/toml"))
        self.at.run()
        self.at.button(key="open_policy").click()
        self.at.button(key="policy_file_apply").click().run()

    def edit(self, rng: np.random.Generator) -> None:
        """Types a grade or a rank into one of the two lists of a query."""
        query, side = f"q{rng.integers(10)}", str(rng.choice(["a", "b"]))
        self.go("edit")
        self.at.selectbox(key="edit_query").set_value(query).run()
        rows = next(one for one in self.at.data_editor if one.key.startswith(f"edit_{side}_")).value
        at = int(rng.integers(len(rows)))
        if rng.random() < 0.6:
            now = rows["grade"].fillna(-1)[at]
            after = float(rng.choice([each for each in (0.1234567, 1, 3) if each != now]))
            edit = Edit(query, rows["id"][at], "grade", None, None, after)
            typed(self.at, side, edited_rows={at: {"grade": after}})
        else:
            to = int(rng.choice([rank for rank in range(1, len(rows) + 1) if rank != at + 1]))
            edit = Edit(query, rows["id"][at], "rank", side, at + 1, to)  # type: ignore[arg-type]
            typed(self.at, side, edited_rows={at: {"rank": to}})
        self.done.append((edit,))
        self.undone.clear()

    def undo(self, rng: np.random.Generator) -> None:
        """Takes the last step back."""
        self._walk_back("edit_undo", self.done, self.undone)

    def redo(self, rng: np.random.Generator) -> None:
        """Does it again."""
        self._walk_back("edit_redo", self.undone, self.done)

    def _walk_back(self, key: str, steps: list[tuple[Edit, ...]], other: list[tuple[Edit, ...]]) -> None:
        self.go("edit")
        assert self.at.button(key=key).disabled is not bool(steps)
        if steps:
            self.at.button(key=key).click().run()
            other.append(steps.pop())

    def replace_run(self, rng: np.random.Generator) -> None:
        """Drops another run: it is B."""
        name = f"run{rng.integers(3)}"
        run = rd.read_run(shuffled(name), name=name)
        self._drop(f"{name}.csv", shuffled(name), replace(self.inputs, runs=(self.inputs.a, run)))

    def replace_judgments(self, rng: np.random.Generator) -> None:
        """Drops other judgments."""
        content = graded(f"j{rng.integers(3)}")
        self._drop("judgments.csv", content, replace(self.inputs, judgments=rd.read_judgments(content)))

    def _drop(self, file: str, content: bytes, inputs: Case) -> None:
        self.go("data")
        upload(self.at, "replace", {"one": (file, content)})
        self.at.button(key="replace_compare").click().run()
        self.inputs = replace(inputs, name="" if inputs.name == style.DEMO_NAME else inputs.name).with_distinct_names()
        self.done, self.undone = [], []

    def drop_what_cannot_be_read(self, rng: np.random.Generator) -> None:
        """Drops a file that changes nothing."""
        self.go("data")
        upload(self.at, "replace", {"bad": ("new.csv", b"query_id,doc_id,rank\nq1,d1,first\nq1,d2,-3\n")})
        assert self.at.button(key="replace_compare").disabled

    def look(self) -> None:
        """The verdict page says what a fresh process computes: sentence, both measures' numbers, counts, names."""
        self.go("verdict")
        assert not self.at.exception
        edits = [edit for step in self.done for edit in step]
        tables = apply(edits, self.inputs.a, self.inputs.b, self.inputs.judgments, self.policy.scoring)
        comparison = rd.compare(tables.a, tables.b, tables.judgments, policy=self.policy)
        verdict, said = rd.decide(comparison), [one.value for one in self.at.markdown]
        assert plain(verdict.screen) in self.at.title[0].value
        assert plain(verdict.sentence) in said
        for result, card in zip(comparison.results[:2], self.at.metric, strict=False):
            assert (card.value, card.delta) == (number(result.paired.mean_b), signed(result.paired.delta))
        found = comparison.primary.paired
        assert self.at.metric[3].value == f"{found.wins} / {found.ties} / {found.losses}"
        name, a, b = (plain(self.inputs.names[which]) for which in ("name", "a", "b"))
        assert any(one.startswith(f"**{name}** :gray[·] **A** {a} → **B** {b} ") for one in said)
        assert ("Edited" in texts(self.at)) is bool(edits)
        done("states of the app held against a fresh process")


_DONE = (
    (Tab.walk, 1), (Tab.swap, 3), (Tab.rename, 1), (Tab.decide_by, 2), (Tab.edit, 4), (Tab.undo, 2), (Tab.redo, 1),
    (Tab.replace_run, 2), (Tab.replace_judgments, 1), (Tab.drop_what_cannot_be_read, 1),
)  # fmt: skip


@pytest.mark.parametrize("share", range(2))
def test_any_sequence_in_two_tabs_shows_what_a_fresh_process_computes(share: int) -> None:
    """Pages, swaps, names, policies, edits, undo, redo, files good and bad, a second tab: the sentence, the cards and
    the names after each action are those of the final files, edits and policy.
    """
    for seed in range(share, sampled(2), 2):
        rng = np.random.default_rng([seed, 20])
        tabs = [Tab.of(kind) for kind in rng.choice(["better", "alike", "one file"], 2)]
        for _ in range(_ACTIONS):
            tab = tabs[int(rng.random() < 0.25)]
            actions = [what for what, times in _DONE for _ in range(times)]
            actions[int(rng.integers(len(actions)))](tab, rng)
            tab.look()
        tabs[1 - tabs.index(tab)].look()  # what was done in the one is not seen in the other
        done("sequences of the app")
