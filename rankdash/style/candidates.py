"""What is said of several candidates."""

from __future__ import annotations

TITLE = "Candidates"
TABLE = "Candidates, the best first"
PICTURE = "{measure}, difference to A, 95% interval"
PICTURE_ALT = "{measure}, differences to A: {rows}."
SECTION = "{name}: {screen}"
COLUMNS = ("Candidate", "{measure}", "Δ", "95% interval", "won / tied / lost", "Verdict")
GUARDRAIL = "Δ {measure}"
MODELS = "{a} and {n}"
CANDIDATE, CANDIDATES = "candidate", "candidates"
LAUNCH = "{screen} {name}"
BEST = "the best of {n}"
NONE = "none of {n} launches"
GAIN = "{name} {moves} {measure} by {size}, from {a} to {b}{interval} on {queries}."
EVEN = "{name} leaves {measure} at {b}{interval} on {queries}."
MOVES = {True: "raises", False: "lowers"}
LEVELS = {
    "improve": "With {n} tried{apart}, each gain has to be proven at the {level} level.",
    "do_no_harm": "With {n} tried{apart}, a loss on {measure} has to be ruled out at the {level} level.",
}
APART = ", {n} of them in other comparisons with this A"
LEADS = "{name} is {size} ahead of {other}{chance}."
BEHIND = "{name} is {size} behind {other}{chance}."
EQUAL = "{name} is level with {other}."
CHANCE = ", which could be chance"
NO_CHANCE = ", more than chance explains"
INTERVAL = " (95% interval {ends})"
DIFFERENCE = "{measure}, difference to A"
OPEN = "Open"
OPEN_HELP = "Open the comparison of A and {name}"
SWITCH = "Candidate"
DIFFER = "Where they differ"
DIFFER_COUNT = "On {n} some candidates are better than A and others worse. The widest spread:"
DIFFER_NONE = "On no query are some candidates better than A and others worse."
EDITED = "Edited by hand, so not compared on the same lists and grades as the others: {names}."
VALUE = "{name} {value}"
EXPORT, FILE = "Export", "{a} candidates"
EXPORTS = ("html", "markdown", "json")
