"""What a verdict leaves behind on a job of GitHub and on its pull request.

Nothing here changes the exit status: where GitHub refuses something, that is told, and the verdict stands.
"""

from __future__ import annotations

from dataclasses import dataclass

from rankdash.gate.comments import Comments, CommentsError
from rankdash.gate.job import WorkflowJob, annotation, annotation_lines
from rankdash.report.exports import exported
from rankdash.report.sections.reported import Reported
from rankdash.verdict import Outcome

_NO_SUMMARY = "The job has no summary, or it would be longer than GitHub keeps: nothing was written there."
_NO_TOKEN = "No comment on the pull request: GITHUB_TOKEN is not set. The verdict is in the summary of the job."


@dataclass(frozen=True)
class Published:
    """What there is to tell of it on a terminal, and the lines that have GitHub show annotations."""

    told: tuple[str, ...]
    annotations: tuple[str, ...]


def publish(job: WorkflowJob, gate: str, reported: Reported, wrong: tuple[str, ...]) -> Published:
    """Write the summary of the job and one comment of the gate on its pull request, and return what is left to print.

    ``wrong`` are the sentences on what is wrong between the files: they and the caveats are warnings.
    """
    verdict = reported.verdict
    job.tell("outcome", verdict.outcome.value)
    told = [] if job.summarise(exported(reported, "markdown").decode()) else [_NO_SUMMARY]
    told += _comment(job, gate, exported(reported, "comment").decode())
    level = "notice" if verdict.outcome is Outcome.LAUNCH else "error"
    said = annotation(level, verdict.line, gate)
    minded = (*wrong, *(caveat.sentence for caveat in verdict.caveats))
    return Published(tuple(told), (said, *annotation_lines("warning", minded, gate)))


def _comment(job: WorkflowJob, gate: str, markdown: str) -> list[str]:
    """Write the comment of the gate; return where it is, or why there is none."""
    if job.pull_request is None:
        return []
    if not job.token:
        return [_NO_TOKEN]
    try:
        address = Comments(job.api, job.token, job.pull_request).put(gate, markdown)
    except CommentsError as error:
        why = "a fork's token may only read." if job.pull_request.is_fork else str(error)
        return [f"No comment on the pull request: {why} The verdict is in the summary of the job."]
    return [f"The comment on the pull request: {address}"]
