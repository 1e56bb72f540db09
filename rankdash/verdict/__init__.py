"""Evidence and policy become a verdict, by an ordered table of rules over plain numbers: the first rule that does not
pass decides.

Comes in: ``Evidence`` of a comparison, and a ``Policy``. Goes out: a ``Verdict``; both are in ``records.py``. The rules
with their sentences are in ``gain.py``, ``harm.py`` and ``rules.py``, which has the tables; ``decide.py`` applies them
to plain numbers and to a comparison, and again without some queries, and ``caveats.py`` has what to know beside the
verdict. ``VERSION`` is that of the rules and words, stored with every result.
"""

from rankdash.verdict.decide import RULE_OF, Robustness, decide, decide_from, evidence_of, robustness
from rankdash.verdict.records import VERSION, Caveat, Check, Evidence, Fragility, Outcome, Status, Verdict, VoteNumbers
from rankdash.verdict.rule import answer
from rankdash.verdict.rules import RULES, VOTES_RULES
