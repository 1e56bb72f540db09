"""The demo shop: products put together from the authored vocabulary in ``authored/*.toml``.

A product type has names, brands, models, sentences and axes. An axis line reads ``axis: value*share | title | text``:
the share says how common the value is, ``~`` separates ways to write it in a title (an empty one leaves it to the
description). A title phrase that starts with "," or "(" stands behind the name, one with "for", "with" or "in" too.
Every choice is a SHA-256 of what is chosen for, so the shop is the same on every machine and every Python.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

AUTHORED = Path(__file__).resolve().parent / "authored"
ENGLISH = ("tech.toml", "home.toml", "kitchen_outdoor.toml")
LOCALISED = {"zh": "chinese.toml", "ja": "japanese.toml"}
PER_LOCALISED_TYPE = 7

#: What the colour is called in an English title -> which colour it is. The first ones of a palette are the commonest.
PALETTES = {
    "tech": "Black=black, Matte Black=black, White=white, Graphite=gray, Silver=silver, Navy=navy, Rose=pink",
    "dark": "Black=black, Charcoal=gray, Slate Gray=gray, Navy=navy, Black=black",
    "plain": "White=white, Black=black, Light Gray=gray, Sand=sand",
    "soft": "Sage Green=green, Sand=sand, Charcoal=gray, Navy=navy, Terracotta=orange, White=white, Red=red",
    "metal": "Silver=silver, Space Gray=gray, Black=black",
    "wood": "Oak=oak, Walnut=walnut, White=white, Black=black",
    "kitchen": "Black=black, White=white, Cream=sand, Red=red, Brushed Steel=silver, Forest Green=green",
    "outdoor": "Forest Green=green, Orange=orange, Slate=gray, Navy=navy, Red=red, Sand=sand",
    "pen": "Black=black, Jet Black=black, Midnight Blue=blue, Burgundy=red, Forest Green=green, Amber Brown=brown",
}
#: Materials that bring their own colour: a walnut stand is not silver.
OWN_COLOR = frozenset({"wood", "cork", "seagrass", "terracotta", "paper"})
#: A product with the first value also has the second: a Bluetooth mouse is a wireless mouse.
IMPLIED = {"bluetooth": "wireless"}
COMPANION_PERCENT = 45
COMPANION_SENTENCES = ("Goes well with the {}.", "Often bought with the {}.", "Matches the {}.", "Try it with the {}.")
BEHIND_THE_NAME = ("for ", "with ", "in ")


@dataclass(frozen=True)
class Value:
    """One value of an axis: its id, how common it is, ways to write it in a title, its sentence."""

    id: str
    share: int
    titles: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class ProductType:
    """One kind of product, as authored. ``axes`` maps each axis to its values."""

    id: str
    language: str
    count: int
    fields: dict[str, Any]
    axes: dict[str, tuple[Value, ...]]
    colors: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Product:
    """One product: what the shop shows, and what it is (``type``, ``values`` by axis, ``color``)."""

    doc_id: str
    type: str
    language: str
    title: str
    description: str
    brand: str
    category: str
    cents: int
    color: str
    values: dict[str, str]

    @property
    def traits(self) -> frozenset[str]:
        """Ids of everything the product is, implied values included."""
        own = set(self.values.values())
        return frozenset(own | {IMPLIED[value] for value in own if value in IMPLIED})


def number(key: str, below: int) -> int:
    """A number in [0, below) that depends on nothing but ``key``."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % below


def pick(options: Sequence[T], key: str) -> T:
    """One of the options, chosen by ``key``."""
    return options[number(key, len(options))]


def parts(text: str, mark: str) -> tuple[str, ...]:
    """The pieces of ``text`` between the marks, without surrounding spaces."""
    return tuple(part.strip() for part in text.split(mark))


def read_value(cells: Sequence[str]) -> Value:
    """A value from the cells of its authored line: id and share, title phrases, sentence."""
    name, _, share = cells[0].partition("*")
    return Value(name, int(share or 1), parts(cells[1], "~"), cells[2])


def english_types() -> dict[str, ProductType]:
    """The product types of the English files by id, in the order of the files."""
    types = {}
    for file in ENGLISH:
        for name, fields in tomllib.loads((AUTHORED / file).read_text(encoding="utf-8")).items():
            axes: dict[str, tuple[Value, ...]] = {}
            for line in fields["axes"].strip().splitlines():
                axis, _, rest = line.partition(":")
                axes[axis] = (*axes.get(axis, ()), read_value(parts(rest, "|")))
            entries = [parts(entry, "=") for entry in parts(PALETTES.get(fields["colors"], ""), ",") if entry]
            colors = tuple((shown, color) for shown, color in entries)
            types[name] = ProductType(name, "en", fields["count"], fields, axes, colors)
    return types


def localised_types(language: str, english: dict[str, ProductType]) -> list[ProductType]:
    """The types that are also listed in ``language``: English structure, native names, phrases and sentences."""
    book = tomllib.loads((AUTHORED / LOCALISED[language]).read_text(encoding="utf-8"))
    words = book.pop("colors")
    types = []
    for name, fields in book.items():
        base = english[name]
        axis_of = {value.id: (axis, value.share) for axis, values in base.axes.items() for value in values}
        axes: dict[str, tuple[Value, ...]] = {}
        for line in fields["axes"].strip().splitlines():
            value = read_value(parts(line, "|"))
            axis, share = axis_of[value.id]
            axes[axis] = (*axes.get(axis, ()), Value(value.id, share, value.titles, value.text))
        colors = tuple((words[color], color) for _, color in base.colors)
        types.append(ProductType(name, language, PER_LOCALISED_TYPE, base.fields | fields, axes, colors))
    return types


def choose_values(kind: ProductType, key: str) -> dict[str, Value]:
    """One value per axis, drawn by share, without a combination that the type rules out."""
    never = [set(pair.split()) for pair in parts(kind.fields.get("never", ""), ",") if pair]
    for attempt in range(200):
        chosen = {}
        for axis, values in kind.axes.items():
            urn = [value for value in values for _ in range(value.share)]
            chosen[axis] = pick(urn, f"{key}/{axis}/{attempt}")
        ids = {value.id for value in chosen.values()}
        if not any(pair <= ids for pair in never):
            return chosen
    raise ValueError(f"{kind.id}: every combination is ruled out")


def long_words(text: str) -> set[str]:
    """The Latin words of a text that have more than three letters, in lower case."""
    return {word for word in re.findall(r"[a-z]+", text.lower()) if len(word) > 3}


def title_phrases(kind: ProductType, chosen: dict[str, Value], name: str, key: str) -> dict[str, str]:
    """Axis -> phrase for the axes that the title names. Nothing is said twice, and at most three stand before."""
    said, lead, phrases = long_words(name), 0, {}
    for axis, value in chosen.items():
        phrase = pick(value.titles, f"{key}/title/{axis}")
        before = not phrase.startswith((",", "(", *BEHIND_THE_NAME))
        if not phrase or long_words(phrase) & said or (before and lead == 3):
            continue
        lead += before
        said |= long_words(phrase)
        phrases[axis] = phrase
    return phrases


def make_title(kind: ProductType, phrases: dict[str, str], name: str, brand: str, color: str, key: str) -> str:
    """The title as the shop's listing team writes it; each brand has its own way to put the colour."""
    model = pick(parts(kind.fields["models"], ","), f"{key}/model")
    before = [text for text in phrases.values() if not text.startswith((",", "(", *BEHIND_THE_NAME))]
    behind = [text for text in phrases.values() if text.startswith(BEHIND_THE_NAME)]
    tail = [text for text in phrases.values() if text.startswith((",", "("))]
    if kind.language != "en":
        return " ".join([brand, *([name, *before] if number(f"{key}/order", 2) else [*before, name]), color]).strip()
    words = " ".join([brand, model, *before, name, *behind[:1], *tail, *(f", {text}" for text in behind[1:])])
    if color:
        words += pick((f", {color}", f" - {color}", f" ({color})"), f"colour style of {brand}")
    return re.sub(r"\s+,", ",", re.sub(r"\b(\w+) \1\b", r"\1", words))


def make_description(kind: ProductType, chosen: dict[str, Value], phrases: dict[str, str], key: str) -> str:
    """Two to four short sentences: what the title left out comes first, at most three traits in all."""
    told = [chosen[axis].text for axis in chosen if axis in phrases and chosen[axis].text]
    untold = [chosen[axis].text for axis in chosen if axis not in phrases and chosen[axis].text]
    traits = (untold + told[number(f"{key}/told", len(told) + 1) :])[:3]
    sentences = [pick(kind.fields["intro"], f"{key}/intro"), *traits]
    if len(sentences) < 4 and number(f"{key}/also?", 3):
        sentences.append(pick(kind.fields["also"], f"{key}/also"))
    return ("" if kind.language != "en" else " ").join(sentences)


def companion(english: dict[str, ProductType], kind: ProductType, key: str) -> str:
    """A sentence that points to a product of a related type, or "": shops sell a kettle with the teapot."""
    related = [name for name in parts(kind.fields["related"], ",") if name]
    if kind.language != "en" or not related or number(f"{key}/companion?", 100) >= COMPANION_PERCENT:
        return ""
    other = english[pick(related, f"{key}/companion")]
    values = pick(list(other.axes.values()), f"{key}/companion axis")
    phrase = pick([text for value in values for text in value.titles], f"{key}/companion phrase")
    name = pick(parts(other.fields["name"], "~"), f"{key}/companion name")
    brand = parts(other.fields["brands"], ",")[0]
    model = pick(parts(other.fields["models"], ","), f"{key}/companion model")
    clear = not phrase.startswith((",", "(", *BEHIND_THE_NAME)) and not long_words(phrase) & long_words(name)
    item = " ".join(word for word in (brand, model, phrase if clear else "", name) if word)
    return " " + pick(COMPANION_SENTENCES, f"{key}/companion sentence").format(item)


def make_cents(price: Sequence[int], key: str) -> int:
    """A shelf price in cents: most products are in the lower half of the range."""
    low, high = price
    share = number(f"{key}/p1", 1000) * number(f"{key}/p2", 1000)
    whole = low + (high - low) * share // 1_000_000
    return whole * 100 + pick((99, 95, 90, 0), f"{key}/p3")


def make_product(english: dict[str, ProductType], kind: ProductType, index: int, taken: set[str]) -> Product:
    """The product number ``index`` of a type, with a title that no other product has."""
    for attempt in range(50):
        key = f"{kind.language}/{kind.id}/{index}/{attempt}"
        chosen = choose_values(kind, key)
        name = pick(parts(kind.fields["name"], "~"), f"{key}/name")
        brand = parts(kind.fields["brands"], ",")[(index + attempt) % len(parts(kind.fields["brands"], ","))]
        values = {axis: value.id for axis, value in chosen.items()}
        painted = kind.colors and not OWN_COLOR & set(values.values())
        shown, color = pick(kind.colors, f"{key}/color") if painted else ("", "")
        phrases = title_phrases(kind, chosen, name, key)
        title = make_title(kind, phrases, name, brand, shown, key)
        if title in taken:
            continue
        taken.add(title)
        text = make_description(kind, chosen, phrases, key) + companion(english, kind, key)
        cents = make_cents(kind.fields["price"], key)
        return Product("", kind.id, kind.language, title, text, brand, kind.fields["shelf"], cents, color, values)
    raise ValueError(f"{kind.id}: not enough different titles")


def make_catalogue() -> tuple[dict[str, ProductType], list[Product]]:
    """The English product types by id, and all products ordered by document id (P0001 upwards)."""
    english = english_types()
    kinds = [*english.values(), *(kind for language in LOCALISED for kind in localised_types(language, english))]
    taken: set[str] = set()
    made = [make_product(english, kind, index, taken) for kind in kinds for index in range(kind.count)]
    # Numbered in an order that has nothing to do with the type: neighbours in a real shop are no relatives either.
    made.sort(key=lambda product: hashlib.sha256(product.title.encode()).digest())
    return english, [replace(product, doc_id=f"P{place:04d}") for place, product in enumerate(made, start=1)]
