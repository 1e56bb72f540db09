"""What a verdict leaves behind on a job of GitHub and on its pull request.

Nothing here changes the exit status: where GitHub refuses something, a sentence says so, and the verdict stands.
"""

from __future__ import annotations

from dataclasses import dataclass

from rankdash.gate.job import WorkflowJob, annotation, annotation_lines
from rankdash.gate.pull_request_comment import Comments, CommentsError
from rankdash.report.exports import exported
from rankdash.report.sections.reported import Reported
from rankdash.verdict import Outcome

_NO_SUMMARY = "The job has no summary, or it would be longer than GitHub keeps: nothing was written there."
_NO_TOKEN = "No comment on the pull request: GITHUB_TOKEN is not set. The verdict is in the summary of the job."


@dataclass(frozen=True)
class Published:
    """The sentences to print about what was published, and the lines that make GitHub show annotations."""

    sentences: tuple[str, ...]
    annotations: tuple[str, ...]


def publish(job: WorkflowJob, gate: str, reported: Reported, wrong: tuple[str, ...]) -> Published:
    """Write the job's summary and the gate's comment on its pull request, and return what is left to print.

    ``wrong`` are the sentences about what is wrong between the files: they and the caveats become warnings.
    """
    verdict = reported.verdict
    job.tell("outcome", verdict.outcome.value)
    sentences = [] if job.summarise(exported(reported, "markdown").decode()) else [_NO_SUMMARY]
    sentences += _comment(job, gate, exported(reported, "comment").decode())
    level = "notice" if verdict.outcome is Outcome.LAUNCH else "error"
    said = annotation(level, verdict.line, gate)
    minded = (*wrong, *(caveat.sentence for caveat in verdict.caveats))
    return Published(tuple(sentences), (said, *annotation_lines("warning", minded, gate)))


def _comment(job: WorkflowJob, gate: str, markdown: str) -> list[str]:
    """Write the comment of the gate; return a sentence that says where it is, or why there is none."""
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
