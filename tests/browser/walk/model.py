"""What should be open after each action of a walk, and what the pages have to say of it.

Every number is computed from the tables, the edits in force and the policy by the public API, once for each state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import rankdash as rd
from rankdash import style
from rankdash.case import votes_title
from rankdash.edits import Edit, apply
from rankdash.scoring import VotesAlone, compare_votes
from rankdash.style import editing
from rankdash.style import evidence as words
from rankdash.tables import SECOND_NAME, Judgments, Queries, Run, Votes
from rankdash.wording import count, signed
from tests.browser.serving import ROOT

DEMO = ROOT / "data" / "demo"
#: The parts that a file can take.
PARTS = ("a", "b", "judgments", "queries")
Edits = tuple[Edit, ...]


def _other(edit: Edit) -> Edit:
    return edit if edit.side is None else replace(edit, side="b" if edit.side == "a" else "a")


@dataclass(frozen=True)
class Lists:
    """Two runs and their judgments, read from ``files`` by part; the edits in force, and those that undo and redo lead
    to.
    """

    files: Mapping[str, Path]
    name: str
    a: Run
    b: Run
    judgments: Judgments
    queries: Queries | None = None
    policy: rd.Policy = field(default_factory=rd.Policy)
    edits: Edits = ()
    past: tuple[Edits, ...] = ()
    future: tuple[Edits, ...] = ()

    @cached_property
    def comparison(self) -> rd.Comparison:
        """The comparison of the tables with the edits."""
        return self.measured()

    def measured(self, *measures: str) -> rd.Comparison:
        """The same with more measures than the policy's."""
        tables = apply(self.edits, self.a, self.b, self.judgments, self.policy.scoring)
        return rd.compare(
            tables.a, tables.b, tables.judgments, policy=self.policy, queries=self.queries, measures=measures
        )

    @cached_property
    def verdict(self) -> rd.Verdict:
        """Its verdict."""
        return rd.decide(self.comparison)

    @property
    def titles(self) -> tuple[str, ...]:
        """What the row under the navigation has to say."""
        n, judged = self.comparison.primary.paired.n, self.comparison.counts.judged
        some = f"{n:,} of {count(judged, 'judged query', 'judged queries')}"
        queries = some if n < judged else count(n, "query", "queries")
        demo = (style.DEMO_BADGE,) if self.shows_demo else ()
        edited = (editing.EDITED_BADGE,) if self.edits else ()
        name = f"{self.name} · " if self.name else ""
        return (f"{name}A {self.a.name} → B {self.b.name} · {queries}", *demo, *edited)

    @property
    def never(self) -> tuple[str, ...]:
        """Badges that may stand nowhere on a page."""
        demo = () if self.shows_demo else (style.DEMO_BADGE,)
        return demo if self.edits else (*demo, editing.EDITED_BADGE)

    @property
    def numbers(self) -> tuple[str, ...]:
        """What the cards of the verdict page have to say."""
        return (signed(self.comparison.primary.paired.delta),)

    @property
    def shows_demo(self) -> bool:
        """Whether A and B are the demo's."""
        return {self.a.source.sha256, self.b.source.sha256} <= _DEMO_RUNS

    @property
    def in_address(self) -> bool:
        """Whether the address holds all there is to know, so that a new session shows the same."""
        return self.shows_demo and self.judgments.source.sha256 == _DEMO_JUDGMENTS and not self.edits

    def anew(self) -> Lists:
        """What a new session shows of it, where it is in the address."""
        return replace(self, policy=rd.Policy(), past=(), future=())

    def edited(self, *edits: Edit) -> Lists:
        """The same with one more step of edits."""
        return self._then((*self.edits, *edits))

    def reset(self) -> Lists:
        """The same without its edits, as one more step."""
        return self._then(())

    def _then(self, edits: Edits) -> Lists:
        return replace(self, edits=edits, past=(*self.past, self.edits), future=())

    def undone(self) -> Lists:
        """One step back."""
        return replace(self, edits=self.past[-1], past=self.past[:-1], future=(*self.future, self.edits))

    def redone(self) -> Lists:
        """One step forward again."""
        return replace(self, edits=self.future[-1], future=self.future[:-1], past=(*self.past, self.edits))

    def begun_with(self, edits: Edits) -> Lists:
        """The same tables with other edits, as one step that can be undone."""
        return replace(self, edits=edits, past=((),) if edits else (), future=())

    def swapped(self) -> Lists:
        """The other way around; edits stay with their lists."""
        edits = tuple(map(_other, self.edits))
        past, future = (tuple(tuple(map(_other, one)) for one in states) for states in (self.past, self.future))
        files = {**self.files, "a": self.files["b"], "b": self.files["a"]}
        return replace(self, files=files, a=self.b, b=self.a, edits=edits, past=past, future=future)

    def with_b(self, file: Path) -> Lists:
        """Another B in place of this one; what was edited is gone."""
        run = rd.read_run(file)
        run = run if run.name != self.a.name else run.renamed(SECOND_NAME.format(name=run.name))
        name = "" if self.name == style.DEMO_NAME else self.name
        return replace(self.begun_with(()), files={**self.files, "b": file}, name=name, b=run)


@dataclass(frozen=True)
class VotesOnly:
    """Votes that are open by themselves."""

    votes: Votes
    policy: rd.Policy = field(default_factory=rd.Policy)
    in_address = False
    never = (style.DEMO_BADGE, editing.EDITED_BADGE)
    numbers = ()

    @cached_property
    def comparison(self) -> VotesAlone:
        """What they say."""
        return compare_votes(self.votes, self.policy)

    @cached_property
    def verdict(self) -> rd.Verdict:
        """Its verdict."""
        return rd.decide(self.comparison)

    @property
    def titles(self) -> tuple[str, ...]:
        """As for ``Lists``."""
        return (f"{votes_title(self.votes)} · {words.VOTES_ONLY}",)


def demo() -> Lists:
    """The comparison of a first visit."""
    files = {part: DEMO / f"{name}.csv" for part, name in zip(PARTS, ("run_a", "run_b", *PARTS[2:]), strict=True)}
    return _read(style.DEMO_NAME, style.DEMO_MODELS, files)


def uploaded(files: Mapping[str, Path]) -> Lists:
    """The comparison of files by the part that they take: a, b, judgments, perhaps queries."""
    return _read("", (files["a"].stem, files["b"].stem), files)


def _read(title: str, names: tuple[str, str], files: Mapping[str, Path]) -> Lists:
    a, b = (rd.read_run(files[side], name=name) for side, name in zip("ab", names, strict=True))
    queries = rd.read_queries(files["queries"]) if "queries" in files else None
    return Lists(files, title, a, b, rd.read_judgments(files["judgments"]), queries)


_DEMO_RUNS = {demo().a.source.sha256, demo().b.source.sha256}
_DEMO_JUDGMENTS = demo().judgments.source.sha256
