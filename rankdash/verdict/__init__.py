"""Evidence and policy become a verdict, by an ordered table of rules over plain numbers: the first rule that does not
pass decides.

Comes in: ``Evidence`` (``rule_evidence.py`` makes it of a comparison) and a ``Policy``. Goes out: a ``Verdict``; both
are in ``records.py``. ``rules/`` has the table with its sentences, ``outcome.py`` applies it to plain numbers and
``decide.py`` to a comparison, ``caveats.py`` has what to know beside the verdict, and ``fragility.py``,
``sensitivity.py`` and ``robustness.py`` decide again under other conditions. ``VERSION`` is that of the rules and
words, stored with every result.
"""

from rankdash.verdict.caveats import CaveatInput, caveats, ordered, with_caveats
from rankdash.verdict.decide import decide
from rankdash.verdict.outcome import FIXED, RULE_OF, RULES, VOTES_RULES, decide_from, rules_of
from rankdash.verdict.records import (
    VERSION,
    Caveat,
    Check,
    DataChecks,
    Evidence,
    Fragility,
    Guardrail,
    Leak,
    Outcome,
    Primary,
    Reading,
    Segment,
    Severe,
    Status,
    Verdict,
    Watch,
)
from rankdash.verdict.records import VoteNumbers as Votes
from rankdash.verdict.robustness import Robustness, Setting, robustness
from rankdash.verdict.rule_evidence import evidence_of
from rankdash.verdict.rules.words import answer

__all__ = [
    "FIXED",
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
    "Leak",
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
    "answer",
    "caveats",
    "decide",
    "decide_from",
    "evidence_of",
    "ordered",
    "robustness",
    "rules_of",
    "with_caveats",
]
