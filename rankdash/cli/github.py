"""A gate in GitHub Actions: what ``rankdash compare --github NAME`` leaves behind on the job and its pull request.

Nothing here changes the exit status: where GitHub refuses something, that is told, and the verdict stands.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from rankdash import Verdict
from rankdash.cli.arguments import ArgumentError
from rankdash.cli.telling import tell
from rankdash.gate import Comments, CommentsError, Job, annotation, annotation_lines, commands_stopped
from rankdash.report.exports import exported
from rankdash.report.sections.reported import Reported
from rankdash.verdict import Outcome


@contextmanager
def without_commands(options: argparse.Namespace) -> Iterator[None]:
    """Have GitHub take what is printed meanwhile for text; ``annotations`` of the options are printed behind it."""
    options.annotations = []
    is_read = Job.from_environment(os.environ) is not None
    with commands_stopped(sys.stderr) if is_read else nullcontext():
        yield
    sys.stdout.writelines(f"{line}\n" for line in options.annotations)
    sys.stdout.flush()


def publish(options: argparse.Namespace, reported: Reported, wrong: tuple[str, ...]) -> None:
    """Write the summary of the job, one comment on its pull request, and what there is to mind as annotations.

    ArgumentError outside of GitHub Actions.
    """
    job, verdict, gate = job_of(options), reported.verdict, options.github
    job.tell("outcome", verdict.outcome.value)
    if not job.summarise(exported(reported, "markdown").decode()):
        tell(["The job has no summary, or it would be longer than GitHub keeps: nothing was written there."])
    _comment(job, gate, exported(reported, "comment").decode())
    minded = (*wrong, *(caveat.sentence for caveat in verdict.caveats))
    said = annotation(_level(verdict), f"{verdict.screen}: {verdict.tag}. {verdict.sentence}", gate)
    options.annotations += [said, *annotation_lines("warning", minded, gate)]


def job_of(options: argparse.Namespace) -> Job:
    """Return the job that this is. ArgumentError outside of GitHub Actions."""
    job = Job.from_environment(os.environ)
    if job is None:
        raise ArgumentError(f"--github {options.github} is for GitHub Actions: GITHUB_ACTIONS is not set here.")
    return job


def _comment(job: Job, gate: str, markdown: str) -> None:
    """Write the comment of the gate, or say why there is none."""
    if job.pull_request is None or not job.token:
        return
    try:
        address = Comments(job.api, job.token, job.pull_request).put(gate, markdown)
    except CommentsError as error:
        why = "a fork's token may only read." if job.pull_request.is_fork else str(error)
        tell([f"No comment on the pull request: {why} The verdict is in the summary of the job."])
    else:
        tell([f"The comment on the pull request: {address}"])


def _level(verdict: Verdict) -> str:
    return "notice" if verdict.outcome is Outcome.LAUNCH else "error"
