"""The tables of one comparison with what they are called and what was edited: what every result is made of."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rankdash import style
from rankdash.comparison import swapped_judgments, swapped_votes
from rankdash.dashboard import demo
from rankdash.dashboard.kit.digests import digest
from rankdash.edits import Edit, swapped_edit
from rankdash.tables import Judgments, Queries, Run, Scored, Votes


@dataclass(frozen=True)
class Inputs:
    """The tables of one comparison as they were read, what they are called, and the edits on top of them.

    It is known by its content: every result is keyed on the digest of such a record, and made of it alone. Judgments
    None: the grades written in the runs. With ``scored`` queries the runs have no rows: they name what was scored.
    """

    name: str
    a: Run
    b: Run
    judgments: Judgments | None
    queries: Queries | None = None
    votes: Votes | None = None
    edits: tuple[Edit, ...] = ()
    scored: Scored | None = None

    @property
    def unedited(self) -> Inputs:
        """The same without the edits."""
        return replace(self, edits=())

    def swapped(self) -> Inputs:
        """Return the comparison of B with A: edits stay with their lists, votes are turned around."""
        judgments = None if self.judgments is None else swapped_judgments(self.judgments)
        votes = None if self.votes is None else swapped_votes(self.votes)
        edits = tuple(map(swapped_edit, self.edits))
        return replace(self, a=self.b, b=self.a, judgments=judgments, votes=votes, edits=edits)

    def weighing(self, missing_weight: float) -> Inputs:
        """Return the same, a judged query without a weight weighing as much."""
        return replace(self, queries=self.queries and self.queries.weighing(missing_weight))

    @property
    def names(self) -> dict[str, str]:
        """What the comparison ("name") and its models ("a", "b") are called."""
        return {"name": self.name, "a": self.a.name, "b": self.b.name}

    def renamed(self, name: str, a: str, b: str) -> Inputs:
        """Return the same under other names."""
        return replace(self, name=name, a=self.a.renamed(a), b=self.b.renamed(b))

    def with_distinct_names(self) -> Inputs:
        """Return the same, where A and B bear the same name with a number behind that of B."""
        if self.a.name != self.b.name:
            return self
        return replace(self, b=self.b.renamed(style.SECOND_NAME.format(name=self.b.name)))

    @property
    def digest(self) -> str:
        """Twelve digits that tell this comparison from others in an address."""
        return digest(self)[:12]

    @property
    def ranked_digests(self) -> tuple[str, str]:
        """The digests of the two runs: what a person has seen the results of, under whatever name."""
        return self.a.source.sha256, self.b.source.sha256

    @property
    def holds_demo(self) -> bool:
        """Whether A and B are the demo's: a comparison of other runs is not the demo, whatever judges them."""
        return {self.a.source.sha256, self.b.source.sha256} <= demo.digests()
