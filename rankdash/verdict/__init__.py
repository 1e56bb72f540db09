"""Evidence and policy become a verdict, by an ordered table of rules over plain numbers: the first rule that does not
pass decides.

Comes in: ``Evidence`` of a comparison, and a ``Policy``. Goes out: a ``Verdict``; both are in ``records.py``. The rules
with their sentences are in ``gain.py``, ``harm.py`` and ``rules.py``, which has the tables; ``outcome.py`` applies them
to plain numbers and ``decide.py`` to a comparison, ``caveats.py`` has what to know beside the verdict, and
``fragility.py`` decides again without some queries. ``VERSION`` is that of the rules and words, stored with every
result.
"""

from rankdash.verdict.decide import Robustness, decide, robustness
from rankdash.verdict.outcome import RULE_OF, decide_from, evidence_of
from rankdash.verdict.records import VERSION, Caveat, Check, Evidence, Fragility, Outcome, Status, Verdict, VoteNumbers
from rankdash.verdict.rule import answer
from rankdash.verdict.rules import RULES, VOTES_RULES
