"""Words of decisions, and of what online tests showed later."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

DECISION = "Decision"
NONE_YET = "Nothing is decided yet. A decision stays on record beside the verdict that it was made on."
IN_FORCE = "**{choice}** :gray[· {by} · {at}]"
#: What a decision was made on, and what was done to the comparison since then.
DECIDED_ON = "on revision {revision}{since}, whose verdict was “{verdict}”"
OF_MODELS = "{models}: "
#: On the banner of the verdict: {choice} is the decision, {since} what was done to the comparison since then.
STAMP = "Decided: {choice}, {by}, {at}, on revision {revision}{since}"
STAMP_SINCE = "; {since}"
DELTA_WAS = ", {delta}"
#: The same behind the decision in a list: {choice} is the decision.
SINCE: Mapping[str, str] = MappingProxyType(
    {
        "": "",
        "edited": "edited since",
        "exchanged": "A and B exchanged",
        "other_lists": "about other lists",
        "deleted": "deleted since",
    }
)
CHOSEN, ON_REVISION = "{choice} ({since})", " ({since})"
EARLIER = "Earlier entries: {n}"
RECORD = "Record a decision"
ON_VERDICT = "On the verdict “{verdict}”."
WHY = "It is added to the record and never overwritten; a correction is a new entry."
CHOICE, BY, REASON = "Decision", "Decided by", "Reason"
CHOICE_MISSING = "Choose what is decided."
BY_HELP = "A name, as it shall stand on record; nobody checks it here."
ADD = "Add to the record"

ONLINE = "Online result"
ONLINE_WHY = "What the online test of these two models showed, once it has ended."
METRIC, METRIC_HINT = "Metric", "Clicks per session"
UNIT, UNIT_HINT = "Unit of the difference", "%, points, clicks"
UNIT_MISSING = "Say in what the difference is counted: 0.4 may be clicks, percent or percentage points."
MEASURED = "{metric} ({unit})"
DELTA, WRITTEN_BY = "Difference, B − A", "Written by"
DELTA_MISSING = "Say how large the difference was."
OBSERVED = "Online, {models}{metric} **{delta}**{since} :gray[· {by}]"

LOG = "Launch log"
LOG_WHY = (
    "Every decision as it was made, the newest first: names, verdict and numbers are those of then, also where the "
    "comparison was changed or deleted since."
)
LOG_CSV = "Save as CSV"
LOG_HELP = "Every decision with its verdict, and what the online test showed; what looks like a formula is disarmed."
LOG_FILE = "launch_log.csv"
#: The columns, and how wide they are in pixels: together as wide as a laptop shows. The models stand there where the
#: name of the comparison does not tell them.
LOG_MODELS = "Models"
LOG_COLUMNS: Mapping[str, int] = MappingProxyType(
    {
        "Decided (UTC)": 122,
        "Comparison": 208,
        LOG_MODELS: 150,
        "Decision": 100,
        "By": 110,
        "Verdict then": 170,
        "Difference then": 126,
        "Since": 134,
        "Online": 112,
    }
)
LOG_ALT = "{n} decisions: when, comparison, models, decision, by whom, verdict and difference then, what changed since"
#: What stands in the place of "since" for a decision that a later one has corrected.
CORRECTED = "corrected"
LOG_MORE = "The newest {n}; all of them are in the file."
CHART = "Offline against online"
CHART_WHY = "One point for each comparison that was decided and tested online; measures and metrics may differ."
CHART_ALT = "{n} comparisons: the difference measured offline across, the one observed online upwards"
OFFLINE_AXIS, ONLINE_AXIS = "Δ offline", "Δ online"
