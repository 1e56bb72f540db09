"""Evidence + policy -> verdict: an ordered table of rules over plain numbers; the first that does not pass decides.

``records.py`` says what goes in and out, ``rules/`` is the table and its sentences, ``outcome.py`` reads it for plain
numbers and ``decide.py`` for a comparison, ``caveats/`` says what to know beside it, and ``fragility.py``,
``sensitivity.py`` and ``robustness.py`` ask again under other conditions. ``VERSION`` is that of the policy, stored
with every result.
"""

from rankdash.verdict.caveats.caveat_input import CaveatInput
from rankdash.verdict.caveats.table import caveats, ordered, with_caveats
from rankdash.verdict.decide import decide
from rankdash.verdict.evidence import evidence_of
from rankdash.verdict.outcome import RULE_OF, RULES, VOTES_RULES, decide_from
from rankdash.verdict.records import (
    Caveat,
    Check,
    DataChecks,
    Evidence,
    Fragility,
    Guardrail,
    Leaning,
    Outcome,
    Primary,
    Reading,
    Segment,
    Severe,
    Status,
    Verdict,
    Votes,
    Watch,
)
from rankdash.verdict.robustness import Robustness, Setting, robustness

#: Of the policy: rules, gates and words.
VERSION = 2

__all__ = [
    "RULES",
    "RULE_OF",
    "VERSION",
    "VOTES_RULES",
    "Caveat",
    "CaveatInput",
    "Check",
    "DataChecks",
    "Evidence",
    "Fragility",
    "Guardrail",
    "Leaning",
    "Outcome",
    "Primary",
    "Reading",
    "Robustness",
    "Segment",
    "Setting",
    "Severe",
    "Status",
    "Verdict",
    "Votes",
    "Watch",
    "caveats",
    "decide",
    "decide_from",
    "evidence_of",
    "ordered",
    "robustness",
    "with_caveats",
]
