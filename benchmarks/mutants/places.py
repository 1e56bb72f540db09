"""Where a fault can be: what mutmut changes, and what it leaves alone - properties, and the lambdas of declared tables.

mutmut changes functions without a decorator. Here it changes properties and cached functions as well; a lambda of a
table at the top of a module, which most rules of the verdict are, becomes a function above it; and a field is taken
for one beside it, a lower bound for an upper one.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import libcst as cst
from mutmut.mutation import file_mutation, mutators
from mutmut.mutation.file_mutation import MutatedFile, MutationVisitor, mutate_file_contents

from benchmarks.mutants.sources import with_named_lambdas

#: Fields that stand for one another in a fault: each is taken for the next of its row.
BESIDE_EACH_OTHER = (
    "lower95 lower90 upper90 upper95",
    "wins losses",
    "good bad",
    "mean_a mean_b",
    "judged_a judged_b",
    "missing_a missing_b",
    "length_a length_b",
    "rank_a rank_b",
    "tie_a tie_b",
    "tie_first tie_last",
    "n changed",
    "n_min changed_min",
    "harm_n_min harm_changed_min",
    "mpe primary_margin",
    "votes_mpe votes_margin",
    "p_harm p_flip",
    "required_n_mpe required_n_seen",
    "stops proven",
    "plain condensed",
    "positive_grades judged_relevant",
)
_NEXT = {
    name: other
    for row in map(str.split, BESIDE_EACH_OTHER)
    for name, other in zip(row, [*row[1:], row[0]], strict=True)
}
_READ_AS_FUNCTIONS = frozenset({"property", "cached_property", "cache"})


def faulty(path: Path) -> MutatedFile:
    """The source of a module with all its faults in it, each in a function of its own."""
    return mutate_file_contents(str(path), with_named_lambdas(path.read_bytes()))


def _another_field(node: cst.Attribute) -> Iterable[cst.Attribute]:
    if node.attr.value in _NEXT:
        yield node.with_changes(attr=cst.Name(_NEXT[node.attr.value]))


class _Visitor(MutationVisitor):
    """Sees properties and cached functions as functions."""

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef) and len(node.decorators) == 1:
            decorator = node.decorators[0].decorator
            if isinstance(decorator, cst.Name) and decorator.value in _READ_AS_FUNCTIONS:
                node = node.with_changes(decorators=())
        return super()._skip_node_and_children(node)


file_mutation.MutationVisitor = _Visitor
file_mutation.mutation_operators = [*mutators.mutation_operators, (cst.Attribute, _another_field)]
