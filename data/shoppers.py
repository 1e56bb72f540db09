"""The demo shoppers: what they typed (``authored/queries.txt``), what they wanted, and how a product answers it.

The grade looks at what the product is, never at the words that a ranker matches.
"""

from __future__ import annotations

from dataclasses import dataclass

from catalogue import AUTHORED, Product, ProductType


@dataclass(frozen=True)
class Want:
    """One thing the shopper wants: any of ``options``; a bonus if ``nice``."""

    kind: str
    options: frozenset[str]
    nice: bool

    def met(self, product: Product) -> bool:
        """Whether the product has it. Kinds: trait, brand, color, price (whole units, below)."""
        if self.kind == "price":
            return product.cents < 100 * int(next(iter(self.options)))
        own = {"trait": product.traits, "brand": {product.brand}, "color": {product.color}}[self.kind]
        return bool(self.options & own)


@dataclass(frozen=True)
class Query:
    """One query: its text, how often it is asked (head, torso or tail), and the intent behind it."""

    query_id: str
    text: str
    language: str
    traffic: str
    types: tuple[str, ...]
    wants: tuple[Want, ...]


def read_want(text: str) -> Want:
    """A want as it is written in queries.txt."""
    nice, text = text.endswith("?"), text.removesuffix("?")
    if text.startswith("<"):
        return Want("price", frozenset({text[1:]}), nice)
    kind, equals, value = text.partition("=")
    return Want(kind, frozenset({value}), nice) if equals else Want("trait", frozenset(text.split("/")), nice)


def make_queries(types: dict[str, ProductType]) -> list[Query]:
    """The queries in the order of the file (q001 upwards); an unknown type or trait is an error."""
    lines = (AUTHORED / "queries.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split("|") for line in lines if line and not line.startswith("#")]
    queries = []
    for place, (traffic, language, text, wanted, wants) in enumerate(rows, start=1):
        kinds = tuple(kind for kind in wanted.split(",") if kind != "none")
        asked = tuple(read_want(want) for want in wants.split(",") if want)
        known = {value.id for kind in kinds for values in types[kind].axes.values() for value in values}
        unknown = [want for want in asked if want.kind == "trait" and not want.options & (known | {"wireless"})]
        if unknown:
            raise ValueError(f"queries.txt: {text!r} wants {unknown}, which {kinds} do not have")
        queries.append(Query(f"q{place:03d}", text, language, traffic, kinds, asked))
    return queries


def grade(query: Query, product: Product, types: dict[str, ProductType]) -> int:
    """0 irrelevant, 1 related, 2 substitute, 3 exact.

    The right type with every must and every bonus: 3. A bonus is missing, or one must of several that is not the
    first (the one the shopper cares most about): 2. The only must or the first is missing, or two of several: 1.
    Every one of several musts is missing: 0. A type that can stand in for the right one: one grade lower. An
    accessory: 1 if it has one of the musts or if none was named, else 0. A listing in another language than the
    query's: one grade lower, because the shopper can hardly read it.
    """
    musts = [want.met(product) for want in query.wants if not want.nice]
    bonus = all(want.met(product) for want in query.wants if want.nice)
    value = fit(musts, bonus)
    if product.type not in query.types:
        stand_in = any(product.type in listed(types[kind], "substitutes") for kind in query.types)
        accessory = any(product.type in listed(types[kind], "related") for kind in query.types)
        value = value - 1 if stand_in else int(accessory and (any(musts) or not musts))
    return max(value - (product.language != query.language), 0)


def fit(musts: list[bool], bonus: bool) -> int:
    """Grade of a product of the right type: which musts it meets, in order of importance, and all bonuses or not."""
    missed = musts.count(False)
    if missed == 0:
        return 3 if bonus else 2
    if missed == 1 and musts[0]:
        return 2
    return 0 if missed == len(musts) > 1 else 1


def listed(kind: ProductType, field: str) -> list[str]:
    """The type ids in a field that lists other types."""
    return [name.strip() for name in kind.fields[field].split(",") if name.strip()]
