"""The verdict as JUnit XML: a test case per rule, for CI systems that show such a file."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from rankdash.installation import __version__
from rankdash.report.sections import Reported, models_words
from rankdash.report.svg import allowed
from rankdash.scoring import Comparison
from rankdash.style import STATUS
from rankdash.verdict import RULE_OF, Check, Status

#: The kind of a status in JUnit: a rule that failed or is not proven prevents a launch.
_KINDS = {Status.FAILED: "failure", Status.NOT_PROVEN: "failure", Status.NOT_APPLICABLE: "skipped"}


def to_junit(reported: Reported) -> bytes:
    """Return the checklist as a suite of test cases, with the verdict in its properties."""
    verdict = reported.verdict
    kinds = [_KINDS.get(check.status) for check in verdict.checks]
    counts = {
        "tests": str(len(kinds)),
        "failures": str(kinds.count("failure")),
        "errors": "0",
        "skipped": str(kinds.count("skipped")),
        "time": "0",
    }
    whole = ET.Element("testsuites", {"name": "rankdash", **counts})
    name = allowed(reported.name or models_words(reported.comparison))
    at = f"{reported.at:%Y-%m-%dT%H:%M:%S}"
    suite = ET.SubElement(whole, "testsuite", {"name": name, **counts, "timestamp": at})
    properties = ET.SubElement(suite, "properties")
    for key, value in _properties(reported).items():
        ET.SubElement(properties, "property", name=key, value=allowed(value))
    for check in verdict.checks:
        _case(suite, check)
    ET.SubElement(suite, "system-out").text = allowed(verdict.line)
    ET.indent(whole, " ")
    content: bytes = ET.tostring(whole, encoding="utf-8", xml_declaration=True)
    return content + b"\n"


def _case(suite: ET.Element, check: Check) -> None:
    name = f"{check.rule} {RULE_OF[check.rule].name}"
    case = ET.SubElement(suite, "testcase", name=name, classname=f"rankdash.{check.question}", time="0")
    kind, sentence = _KINDS.get(check.status), allowed(check.sentence)
    if kind == "failure":
        ET.SubElement(case, kind, type=STATUS[check.status.value], message=sentence).text = sentence
    elif kind is not None:
        ET.SubElement(case, kind, message=sentence)


def _properties(reported: Reported) -> dict[str, str]:
    """Return the verdict and the number that decides, with every digit."""
    verdict, comparison = reported.verdict, reported.comparison
    properties = {
        "rankdash": __version__,
        "outcome": verdict.outcome.value,
        "launch": str(verdict.launch).lower(),
        "rule": verdict.rule,
        "policy_version": str(verdict.version),
    }
    if isinstance(comparison, Comparison):
        paired = comparison.primary.paired
        properties |= {
            "measure": comparison.primary.measure,
            "delta": "" if paired.delta is None else repr(paired.delta),
        }
    stamps = {"mind": " ".join(reported.stamps)} if reported.stamps else {}
    return properties | stamps | ({"link": reported.link} if reported.link else {})
