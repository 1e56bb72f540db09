"""Evidence + policy -> verdict: an ordered table of rules over plain numbers; the first that does not pass decides.

``records.py`` says what goes in and out, ``rule.py`` what a rule is, ``comparable.py``, ``harm.py``, ``gain.py`` and
``votes_only.py`` are the table, ``decide.py`` reads it, ``words.py`` and ``caveats.py`` say what people read.
"""

from rankdash.verdict.caveats import CaveatInput, caveats, with_caveats
from rankdash.verdict.decide import RULES, VOTES_RULES, decide_from
from rankdash.verdict.decision import decide
from rankdash.verdict.evidence import evidence_of
from rankdash.verdict.records import (
    Caveat,
    Check,
    DataChecks,
    Evidence,
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

__all__ = [
    "RULES",
    "VOTES_RULES",
    "Caveat",
    "CaveatInput",
    "Check",
    "DataChecks",
    "Evidence",
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
    "robustness",
    "with_caveats",
]
