"""A gate in GitHub Actions: what ``rankdash compare --github NAME`` leaves behind on the job and its pull request.

Nothing here changes the exit status: where GitHub refuses something, that is told, and the verdict stands.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rankdash import Verdict
from rankdash.cli.arguments import ArgumentError
from rankdash.cli.telling import tell
from rankdash.gate import Comments, CommentsError, Job, annotation, annotations, without_commands
from rankdash.report.exports import Reported, exported
from rankdash.verdict import Outcome


@contextmanager
def on_github(options: argparse.Namespace) -> Iterator[None]:
    """Have GitHub take what is printed meanwhile for text, where the gate is one of GitHub's; and nothing elsewhere.

    ArgumentError for --github outside of GitHub Actions.
    """
    if options.github is None:
        yield
        return
    _job()
    with without_commands(sys.stderr):
        yield


def publish(gate: str, reported: Reported, wrong: tuple[str, ...]) -> None:
    """Write the summary of the job, one comment on its pull request, and what there is to mind as warnings."""
    job, verdict = _job(), reported.verdict
    job.tell("outcome", verdict.outcome.value)
    if not job.summarise(exported(reported, "markdown").decode()):
        tell(["The job has no summary, or it would be longer than GitHub keeps: nothing was written there."])
    _comment(job, gate, exported(reported, "comment").decode())
    minded = (*wrong, *(caveat.sentence for caveat in verdict.caveats))
    lines = [annotation(_level(verdict), f"{verdict.screen}: {verdict.tag}. {verdict.sentence}", gate)]
    sys.stdout.writelines(f"{line}\n" for line in (*lines, *annotations("warning", minded, gate)))
    sys.stdout.flush()


def _job() -> Job:
    job = Job.from_environment(os.environ)
    if job is None:
        raise ArgumentError("--github is for a job of GitHub Actions: GITHUB_ACTIONS is not set here. Leave it out.")
    return job


def _comment(job: Job, gate: str, markdown: str) -> None:
    """Write the comment of the gate, or say why there is none."""
    if job.pull_request is None or not job.token:
        return
    try:
        address = Comments(job.api, job.token, job.pull_request).put(gate, markdown)
    except CommentsError as error:
        why = "a fork's token may only read" if job.pull_request.is_fork else str(error)
        tell([f"No comment on the pull request: {why} The verdict is in the summary of the job."])
    else:
        tell([f"The comment on the pull request: {address}"])


def _level(verdict: Verdict) -> str:
    return "notice" if verdict.outcome is Outcome.LAUNCH else "error"
