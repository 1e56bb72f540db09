"""The table of all measures, by family, from which help texts, pages, axis titles and tests are made; and their names
such as ``nDCG@10`` in files, code, URLs and on the command line: one parser, one printer.

A name is ``[preset:]Measure[(axis=value, ...)][@k]``. Axes that it leaves open follow the active convention, or the
preset before the colon; parameters override both. Aliases differ in spelling only.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from rankdash import conventions
from rankdash.conventions import AXIS_NAMES, PRESETS, STANDARD, Convention, ConventionError, Gains, number, preset
from rankdash.metrics import binary, dcg, diversity, incomplete, items, similarity
from rankdash.metrics.lists import MeasureError
from rankdash.metrics.rows import SPELLED, Definition, Peer
from rankdash.records import cached_property, field, frozen, replace
from rankdash.strings import did_you_mean, measure_text, nearest

_FAMILIES = (dcg, binary, incomplete, diversity, items, similarity)

#: Name -> definition, in the order in which they are shown.
DEFINITIONS: Mapping[str, Definition] = MappingProxyType(
    {row.name: row for family in _FAMILIES for row in family.MEASURES}
)

#: Every spelling in lower case -> name; a spelling that ends in _ always takes a cutoff.
ALIASES: Mapping[str, str] = MappingProxyType(
    {spelling: name for name, row in DEFINITIONS.items() for spelling in (*row.spellings.split(), *row.variants)}
    | {name.lower(): name for name in DEFINITIONS}
)
#: Spellings that set some axes -> these axes.
VARIANTS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {spelling: axes for row in DEFINITIONS.values() for spelling, axes in row.variants.items()}
)

#: Other tools' names of numbers that are not computed here, and what to use instead.
_ELSEWHERE = (
    ("infap", "infAP estimates AP from sampled judgments. Use Bpref, or AP where the judgments are complete."),
    ("gm_map", "gm_map is a geometric mean over the queries. Use AP; values per query show the worst ones."),
    ("gm_bpref", "gm_bpref is a geometric mean over the queries. Use Bpref."),
    (
        "ndcg_rel",
        "ndcg_rel averages nDCG over the ranks of relevant documents. Use nDCG (ndcg) or nDCG@10 (ndcg_cut.10).",
    ),
    ("rndcg", "Rndcg averages nDCG over cutoffs that the judgments decide. Use nDCG (ndcg) or nDCG@10 (ndcg_cut.10)."),
    ("iprec_at_recall iprec 11pt_avg 11pt", "it interpolates precision, which tools round differently. Use AP."),
    ("set_f setf", "F of a whole list is not computed. Use SetP and SetR, or F1@10."),
    ("set_map setap", "it is the product of precision and recall of a whole list. Use SetP and SetR."),
    ("relative_p", "it divides by the smaller of k and R. Use P@10 and R@10."),
    ("set_relative_p setrelp", "it divides by the smaller of R and the length of the list. Use SetP and SetR."),
    ("all_trec", "it is a set of measures. rankdash evaluate -m official prints those of trec_eval by default."),
    ("rprec_mult", "precision at multiples of R is not computed. Use Rprec."),
    ("utility", "it weighs relevant documents against others. Use NumRelRet and NumRet."),
    ("g bing", "it is an experimental gain of trec_eval. Use nDCG."),
    ("num_nonrel_judged_ret", "judged non-relevant documents are not counted. Use NumRelRet, NumRet and Judged@10."),
    ("relstring runid", "it is a text, and no measure."),
    ("sdcg", "it scales DCG by the largest grade. Use nDCG@10."),
    (
        "accuracy",
        "that of ir_measures reads unjudged documents as others, and no tie as half. Use AUC, which is another number.",
    ),
    ("compat", "it compares a list with an ideal one by RBO. Use nDCG@10, or RBO_ext for two lists."),
    (
        "coverage catalog_coverage catalogcoverage gini gini_index popularity arp avg_rec_popularity",
        "it is a number of all lists together. With a table of items it stands beside the lists.",
    ),
    ("rbp.", "rbp of others adds up grades. Use RBP(p={p}), which is the same number for grades 0 and 1."),
)
#: Names in lower case -> why there is no such measure, and what to use; a name that ends in a point precedes digits.
ELSEWHERE: Mapping[str, str] = MappingProxyType(
    {name: sentence for names, sentence in _ELSEWHERE for name in names.split()}
)


#: A name before what may be a cutoff, a level of recall, or parameters.
_HEAD = re.compile(
    r"\s*(?:[\w.-]{1,40}:)?(?P<name>[A-Za-z0-9_]{1,40}?)(?P<rest>[._@][0-9][0-9.,]*)?(?:-l[0-9]{1,9})?\s*(?:\(.*)?\Z",
    re.DOTALL,
)


def elsewhere(text: str) -> str | None:
    """Return why a number of another tool is not computed here, and what to use; None for any other name.

    >>> elsewhere("iprec_at_recall_0.10"), elsewhere("rbp")
    ('it interpolates precision, which tools round differently. Use AP.', None)
    >>> elsewhere("rbp.50") == elsewhere("rbp.0.50")
    True
    """
    head = _HEAD.match(text)
    if head is None:
        return None
    name = head["name"].lower()
    rest = head["rest"] or ""
    instead = ELSEWHERE.get(name) or (ELSEWHERE.get(f"{name}.") if rest.startswith(".") else None)
    digits = rest[1:].strip(".,")  # rbp.95 of ranx, rbp.0.95 of trec_eval
    return instead and instead.format(p=digits if "." in digits else f"0.{digits}")


def _peers_of(preset: str) -> Iterator[tuple[str, str, Peer]]:
    """Yield the measures that a preset's tools print: the form, the tools' name of it, and the row that says so."""
    for row in DEFINITIONS.values():
        for peer in row.peers:
            if preset in peer.presets.split():
                named = (("", peer.whole), ("@k", peer.cut))
                yield from ((f"{row.name}{peer.own}{cut}", name, peer) for cut, name in named if name)


def _named(preset: str) -> Mapping[str, str]:
    """Return what the tools of a preset call the measures that they print; ``standard`` is no tool, and has ours."""
    if preset == "standard":
        return {form: form.replace("@k", "@{k}") for row in DEFINITIONS.values() for form in row.forms}
    return {form: name for form, name, peer in _peers_of(preset) if not peer.written}


#: Preset -> its tools' names of the measures that it covers, by form; {k} is the cutoff.
PEER_NAMES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {preset: MappingProxyType(_named(preset)) for preset in PRESETS}
)
#: Preset -> the measures that its tools print, k for any cutoff: under it they are the tools' numbers, others are ours.
COVERS: Mapping[str, tuple[str, ...]] = MappingProxyType({preset: tuple(named) for preset, named in PEER_NAMES.items()})


def _written(preset: str) -> Mapping[str, str]:
    forms = {form: peer.written or form for form, _, peer in _peers_of(preset) if peer.written or peer.own}
    plain = {
        form.partition("(")[0] + form.rpartition(")")[2] if "(" in form else form: written
        for form, written in forms.items()
    }
    return {form: written for form, written in plain.items() if form not in COVERS[preset]}


#: Preset -> measures that the tools print by axes or parameters of their own, and how these are written.
WRITTEN: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {preset: MappingProxyType(written) for preset in PRESETS if (written := _written(preset))}
)


def peer_name(preset: str, form: str) -> str | None:
    """Return the name that a preset's tools give a measure, {k} for the cutoff; None where they do not print it.

    >>> peer_name("trec_eval-9", "nDCG@k"), peer_name("standard", "AP@k"), peer_name("gdeval", "AP")
    ('ndcg_cut_{k}', 'AP@{k}', None)
    """
    return PEER_NAMES[preset].get(form)


_BESIDE = tuple(axis for axis in AXIS_NAMES if axis not in SPELLED)
_SHAPE = re.compile(
    r"\s*+(?:(?P<preset>[A-Za-z0-9_.-]++)\s*+:)?\s*+(?P<name>[A-Za-z][A-Za-z0-9_-]*+)(?:\.(?P<dotted>[0-9]{1,18}+))?\s*+"
    r"(?:\((?P<parameters>.*)\))?\s*+(?:@\s*+(?P<k>[0-9]{1,18}+)\s*+)?$",
    re.DOTALL,
)
_TREC_CUT = re.compile(r"^(?P<name>.+?)(?:_at)?_(?P<k>[0-9]{1,18})$")
LARGEST_CUTOFF = 10**9
#: The relevance level of ranx, as in map@100-l2, or as trec_eval's option, as in map_l2.
_LEVEL = re.compile(r"[-_]l(?P<level>[0-9]{1,9})(?=\s*(?:@|\Z))")
#: Several cutoffs, as in P.5,10 of trec_eval.
_SEVERAL = re.compile(r"\s*(?P<name>[A-Za-z_]{1,40}[._@])(?P<cuts>[0-9]{1,18}(?:,[0-9]{1,18})+)\s*\Z")
#: Parameters in one piece, whatever stands between their quotes; a gap before another name, though not behind the colon
#: of a preset; any other sign.
_GAPS = re.compile(r"""\((?:'[^']*+'|"[^"]*+"|[^()'"])*\)|(?P<gap>(?<![:\s,])[\s,]++(?=[A-Za-z]))|.""", re.DOTALL)
#: A name with a slip of the pen: letters, and perhaps a cutoff at the end, however it is set apart.
_ALMOST = re.compile(r"\s*(?P<name>[A-Za-z][A-Za-z_-]*)(?:.*?(?P<k>[0-9]{1,9})\s*\Z)?", re.DOTALL)
_LONGEST_NAME = 80


@frozen
class Measure:
    """A measure ready to be computed: its definition, cutoff, own parameters and the convention in force.

    Equality and hash follow everything but the printed ``name``, so that two spellings are one measure.
    """

    definition: Definition = field(compare=False)
    key: str  # the name of the definition
    k: int | None
    parameters: tuple[tuple[str, float | str | None], ...]
    convention: Convention
    name: str = field(compare=False)

    @property
    def title(self) -> str:
        """The label, with the unit of its values where they have one."""
        return f"{self.label} ({self.definition.unit})" if self.definition.unit else self.label

    @cached_property
    def base_name(self) -> str:
        """The name of the definition with the parameters that are not its usual ones, without cutoff or convention."""
        return _print(self.definition, None, dict(self.parameters), STANDARD, STANDARD, None)

    @property
    def good(self) -> int:
        """The sign of a difference that is better: -1 where less is better."""
        return -1 if self.definition.higher_is_better is False else 1

    @cached_property
    def meaning(self) -> Hashable:
        """What decides its values: measures of equal meaning have the same values for the same lists."""
        axes = (*self.definition.axes, *_BESIDE)
        return self.key, self.k, self.parameters, tuple((axis, getattr(self.convention, axis)) for axis in axes)

    @cached_property
    def label(self) -> str:
        """The name as people are shown it: by the preset that is its convention, where that says everything that the
        parentheses of ``name`` say: quepid:nDCG@10. It is parsed to the same measure.
        """
        known = conventions.preset_name(self.convention)
        if known is None or "(" not in self.name:
            return self.name
        short = f"{known}:{self.key}{'' if self.k is None else f'@{self.k}'}"
        return short if parse_measure(short) == self else self.name

    @property
    def preset(self) -> str | None:
        """The preset before the colon of ``name``; None where the active convention decides what it leaves open."""
        return self.name.partition("(")[0].rpartition(":")[0] or None

    def under(self, active: Convention) -> Measure:
        """Return this measure as it is printed under a convention: equal to the one that its name means there.

        Axes that it does not read become those of the convention.
        """
        if self.preset:
            return self
        unread = AXIS_NAMES if self.compares_lists else [axis for axis in SPELLED if axis not in self.definition.axes]
        resolved = self.convention.with_axes({axis: getattr(active, axis) for axis in unread})
        name = _print(self.definition, self.k, dict(self.parameters), resolved, active, None)
        return replace(self, convention=resolved, name=name)

    @property
    def fades(self) -> bool:
        """Whether its gains fade with the age of the documents."""
        return dict(self.parameters).get("half_life") is not None

    @property
    def compares_lists(self) -> bool:
        """Whether it compares the lists of A and B instead of scoring a list."""
        return self.definition.of_pair is not None

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Measure({self.name!r})"


def parse_measure(text: object, convention: Convention = STANDARD) -> Measure:
    """Return the measure that a name means under the active convention, or an object of ir_measures.

    MeasureError says what is not understood.
    """
    name = measure_text(text)
    if name is None:
        raise _no_measure(text)
    return _parsed(name, convention)


# A comparison asks for the same few names at every step.
@lru_cache(maxsize=1024)
def _parsed(text: str, convention: Convention) -> Measure:
    instead = elsewhere(text)
    if instead is not None:
        raise MeasureError(f"{text!r}: {instead}")
    level = _LEVEL.search(text)
    shape = _SHAPE.match(text[: level.start()] + text[level.end() :] if level else text)
    if shape is None:
        raise _no_measure(text)
    definition, inside, axes = _definition(shape["name"], text)
    given = _parameters(shape["parameters"], text)
    digits = (int(shape[part]) for part in ("k", "dotted") if shape[part] is not None)
    k = _cutoff((*digits, inside, given.pop("cutoff", None)), text)
    given = {**axes, **given, **_level(level, definition, given, text)}
    definition = next(
        (DEFINITIONS[definition.instead[axis]] for axis in given if axis in definition.instead), definition
    )
    if k is None and shape["name"].lower() not in ALIASES and inside is None:
        raise _uncut(text, shape["name"], ".", definition)
    _check_cutoff(definition, k, text)
    own = {name: given.pop(name) for name in list(given) if name in definition.defaults}
    unknown = [name for name in given if name not in AXIS_NAMES]
    if unknown:
        parameters_taken = (*definition.defaults, *AXIS_NAMES)
        raise MeasureError(
            f"{text!r}: {unknown[0]!r} is not a parameter of {definition.name}."
            f"{did_you_mean(nearest(unknown[0], parameters_taken))} It takes {_list(parameters_taken)}."
        )
    try:
        base = convention if shape["preset"] is None else preset(shape["preset"])
        resolved = base.with_axes(given)
        unread = [axis for axis in SPELLED if axis not in definition.axes]
        resolved = resolved.with_axes({axis: getattr(base, axis) for axis in unread})
    except ConventionError as error:
        raise MeasureError(f"{text!r}: {error}") from None
    parameters = tuple(
        (name, _own_value(name, own.get(name, value), text)) for name, value in definition.defaults.items()
    )
    name = _print(definition, k, dict(parameters), resolved, base, shape["preset"])
    return Measure(definition, definition.name, k, parameters, resolved, name)


def check_tool(measure: Measure, active: Convention) -> Measure:
    """Return the measure. MeasureError where the tool of its preset, or else of the active convention, prints another
    number under this name: the sentence says how that number is written.
    """
    tool = measure.preset or _tool(active)
    cut = "" if measure.k is None else f"@{measure.k}"
    written = WRITTEN.get(tool or "", {}).get(f"{measure.key}{'@k' * bool(cut)}")
    if tool is None or written is None or measure.definition.empty is None:
        return measure  # Judged@k only says how much the other numbers rest on
    usual, instead = PRESETS[tool], parse_measure(written.replace("@k", cut), PRESETS[tool])
    own = [axis for axis in AXIS_NAMES if getattr(instead.convention, axis) != getattr(usual, axis)]
    as_usual = all(getattr(measure.convention, axis) == getattr(usual, axis) for axis in own)
    if not as_usual or measure.parameters != tuple(measure.definition.defaults.items()):
        return measure  # it spells the axes or parameters in which the tool is special
    prefix = f"{measure.preset}:" if measure.preset and not instead.preset else ""
    raise MeasureError(f"{measure.name}: {tool} computes {measure.key}{cut} otherwise. Write {prefix}{instead.name}.")


@lru_cache(maxsize=64)
def _tool(active: Convention) -> str | None:
    """Return the preset that a convention is, whatever it says about missing queries; None where there is none."""
    alike = (name for name in WRITTEN if replace(PRESETS[name], missing_query=active.missing_query) == active)
    return conventions.preset_name(active) or next(alike, None)


def definition_of(text: str) -> Definition:
    """Return the definition of a measure by its name, with a cutoff or without. MeasureError where there is none."""
    instead, shape = elsewhere(text), _SHAPE.match(text)
    if instead is not None:
        raise MeasureError(f"{text!r}: {instead}")
    if shape is None:
        raise _no_measure(text)
    return _definition(shape["name"], text)[0]


def _no_measure(text: object) -> MeasureError:
    meant = did_you_mean(_meant(str(text)))
    return MeasureError(f"{text!r} is not a measure.{meant} A measure looks like nDCG@10, AP or P(rel=2)@5.")


def parse_measures(
    names: str | Measure | Iterable[str | Measure], convention: Convention = STANDARD
) -> tuple[Measure, ...]:
    """Return the measures of the names, in order and without repetition, each under its name in the convention. A
    single name need not be in a list; several may stand in one text, as ir_measures writes them ("nDCG@10 AP(rel=2)"),
    and a name of trec_eval may have several cutoffs (P.5,10).

    MeasureError with a line for each name that is not a measure, or not the number that the convention's tool prints.
    """
    if isinstance(names, (str, Measure)) or not isinstance(names, Iterable):
        names = [names]
    each = (single for name in names for part in _apart(name) for single in _one_by_one(part))
    measures, wrong = list[Measure](), list[str]()
    for name in each:
        try:
            measure = name.under(convention) if isinstance(name, Measure) else parse_measure(name, convention)
            measures.append(check_tool(measure, convention))
        except MeasureError as error:
            wrong.append(str(error))
    if wrong:
        raise MeasureError("\n".join(dict.fromkeys(wrong)))
    return tuple(dict.fromkeys(measures))


def _apart(name: str | Measure) -> Sequence[str | Measure]:
    """Return the names in a text, between blanks and commas.

    >>> _apart("nDCG@10, AP(rel=2) P.5,10"), _apart("quepid: P(p_denominator='min(k, n)') @ 5")
    (['nDCG@10', 'AP(rel=2)', 'P.5,10'], ["quepid: P(p_denominator='min(k, n)') @ 5"])
    """
    if not isinstance(name, str):
        return [name]
    text, parts, begins = name.strip(", \t\r\n"), list[str](), 0
    for piece in _GAPS.finditer(text):
        if piece["gap"]:
            parts.append(text[begins : piece.start()])
            begins = piece.end()
    return [*parts, text[begins:]]


def _one_by_one(name: str | Measure) -> Sequence[str | Measure]:
    """Return a name for each of its cutoffs.

    >>> _one_by_one("P.5,10"), _one_by_one("AP")
    (['P.5', 'P.10'], ['AP'])
    """
    several = _SEVERAL.match(name) if isinstance(name, str) else None
    return [name] if several is None else [several["name"] + cut for cut in several["cuts"].split(",")]


def _definition(written: str, text: str) -> tuple[Definition, int | None, Mapping[str, Any]]:
    """Return the definition behind a spelling, the cutoff inside it (P_10) and the axes that it sets (ndcg_burges)."""
    spelling = written.lower()
    cut = _TREC_CUT.match(spelling)
    parts = [(spelling, None), *([(cut["name"], int(cut["k"]))] if cut else [])]
    for name, k in parts:
        for alias in (name, f"{name}_"):
            if alias in ALIASES:
                return DEFINITIONS[ALIASES[alias]], k, VARIANTS.get(alias, {})
    meant = did_you_mean(_meant(text))
    raise MeasureError(f"{text!r}: there is no measure {written!r}.{meant} There are {_list(DEFINITIONS)}.")


def _cutoff(written: Iterable[Any], text: str) -> int | None:
    """Return the cutoff, wherever it is written. MeasureError for several that differ, or for no whole number."""
    numbers = [k for k in written if k is not None]
    if any(type(k) is not int for k in numbers):
        raise MeasureError(f"{text!r}: a cutoff is a whole number from 1 to {LARGEST_CUTOFF:,}.")
    cuts = set[int](numbers)
    if len(cuts) > 1:
        raise MeasureError(f"{text!r}: it has {len(cuts)} cutoffs. Write it with one, as in P@10.")
    return next(iter(cuts), None)


def _level(
    level: re.Match[str] | None, definition: Definition, given: Mapping[str, Any], text: str
) -> Mapping[str, Any]:
    """Return the axis that a relevance level of ranx sets. MeasureError where the measure takes no level."""
    if level is None:
        return {}
    if "rel" in given:
        raise MeasureError(f"{text!r}: -l{level['level']} is rel={level['level']}; write one of the two.")
    if "rel" not in definition.axes:
        raise MeasureError(
            f"{text!r}: {definition.name} reads grades, not a relevance level. Write what each grade gains, "
            "as in nDCG(gain={2:2,3:3})@10."
        )
    return {"rel": int(level["level"])}


def _meant(text: str) -> str | None:
    """Return the measure that an unknown name probably means, with its cutoff where it takes one; None where nothing is
    similar.

    >>> _meant("NDGC@5"), _meant("nDCG10"), _meant("precison"), _meant("map@20 "), _meant("great")
    ('nDCG@5', 'nDCG@10', 'P@10', 'AP@20', None)
    """
    parts = _ALMOST.match(text[:_LONGEST_NAME])
    alias = None if parts is None else nearest(parts["name"].strip("_-"), ALIASES)
    if parts is None or alias is None:
        return None
    definition = DEFINITIONS[ALIASES[alias]]
    k = parts["k"] or ("10" if definition.cutoff == "required" else None)
    return definition.name if k is None or definition.cutoff == "none" else f"{definition.name}@{int(k)}"


def _uncut(text: str, name: str, before: str, definition: Definition) -> MeasureError:
    """Return that a cutoff is missing, and what reads a whole list where the row says it."""
    return MeasureError(f"{text!r}: {name} needs a cutoff, as in {name}{before}10. {definition.uncut}".rstrip())


def _check_cutoff(definition: Definition, k: int | None, text: str) -> None:
    if k is None and definition.cutoff == "required":
        raise _uncut(text, definition.name, "@", definition)
    if k is not None and definition.cutoff == "none":
        raise MeasureError(f"{text!r}: {definition.name} takes no cutoff; it reads the whole list.")
    if k is not None and not 1 <= k <= LARGEST_CUTOFF:
        raise MeasureError(f"{text!r}: a cutoff is a whole number from 1 to {LARGEST_CUTOFF:,}.")


def _parameters(written: str | None, text: str) -> dict[str, Any]:
    """Return the parameters between the parentheses, as Python literals; never evaluated."""
    if not written or not written.strip():
        return {}
    try:
        call = ast.parse(f"f({written})", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise ValueError  # P(rel=2)(rel=3): a second pair of parentheses would hide the first
        if call.args or any(word.arg is None for word in call.keywords):
            raise ValueError
        given = {
            str(word.arg): word.value.id if isinstance(word.value, ast.Name) else ast.literal_eval(word.value)
            for word in call.keywords
        }
        if len(given) < len(call.keywords):
            raise ValueError
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise MeasureError(f"{text!r}: parameters are written as axis=value, as in nDCG(gain='exp2')@10.") from None
    return _translated(given, text)


#: Parameters of ir_measures, with their values, as axes.
_FOREIGN: Mapping[str, Mapping[Any, tuple[str, str]]] = {
    "dcg": {"exp-log2": ("gain", "exp2"), "log2": ("gain", "linear")},
    "judged_only": {True: ("unjudged", "condensed"), False: ("unjudged", "nonrelevant")},
}


def _translated(given: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Return parameters, those of ir_measures as axes. MeasureError for an axis that is given twice."""
    pairs = [
        ("gain" if name == "gains" else name, value)
        if not isinstance(value, (str, bool)) or value not in _FOREIGN.get(name, {})
        else _FOREIGN[name][value]
        for name, value in given.items()
    ]
    axes = dict(pairs)
    if len(axes) < len(pairs):
        raise MeasureError(f"{text!r}: an axis is given twice.")
    return axes


#: Own parameters that are positive numbers where they are given, and those that are one of some words.
_POSITIVE = ("max_grade", "half_life", "within", "n_users")
_ONE_OF = {"by": ("category", "vector")}
#: What the others must be, where any number will not do.
_NUMBERS: Mapping[str, tuple[str, Callable[[float], bool]]] = {
    "p": ("number between 0 and 1", lambda x: 0 < x < 1),
    "alpha": ("number from 0 to 1", lambda x: 0 <= x <= 1),
    "beta": ("number from 0 to below 1", lambda x: 0 <= x < 1),
    **dict.fromkeys(_POSITIVE, ("positive number", lambda x: 0 < x < math.inf)),
}


def _own_value(name: str, value: Any, text: str) -> float | str | None:
    """Return a measure's own parameter, checked: one of some words, or a number; None for a positive one left open."""
    if value is None and name in _POSITIVE:
        return None
    if name in _ONE_OF:
        if value not in _ONE_OF[name]:
            raise MeasureError(f"{text!r}: {name}={value!r} is none of {_list(map(repr, _ONE_OF[name]))}.")
        return str(value)
    number = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else float("nan")
    what, is_one = _NUMBERS.get(name, ("number", math.isfinite))
    if not is_one(number):
        raise MeasureError(f"{text!r}: {name}={value!r} is not a {what}.")
    return number


def _print(
    definition: Definition,
    k: int | None,
    parameters: Mapping[str, float | str | None],
    resolved: Convention,
    active: Convention,
    prefix: str | None,
) -> str:
    """Return the name as it is printed: relative to standard and to the active convention, or to its own preset."""
    reference = (active,) if prefix else (STANDARD, active)
    spelled = [
        f"{axis}={_literal(getattr(resolved, axis))}"
        for axis in SPELLED
        if axis in definition.axes and any(getattr(resolved, axis) != getattr(other, axis) for other in reference)
    ]
    spelled += [f"{name}={_literal(value)}" for name, value in parameters.items() if value != definition.defaults[name]]
    spelled += [
        f"{axis}={_literal(getattr(resolved, axis))}"
        for axis in _BESIDE
        if definition.of_pair is None and getattr(resolved, axis) != getattr(active, axis)
    ]
    inside = f"({','.join(spelled)})" if spelled else ""
    return f"{prefix + ':' if prefix else ''}{definition.name}{inside}{'' if k is None else f'@{k}'}"


def _literal(value: Any) -> str:
    if isinstance(value, Gains):
        return repr(value)
    if isinstance(value, str):
        return value if value in ("0", "1") else repr(value)
    return number(value)


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)
