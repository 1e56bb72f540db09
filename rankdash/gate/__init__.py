"""What a gate leaves behind on GitHub: the job's summary, one comment on the pull request, and annotations."""

from rankdash.gate.job import PullRequest, WorkflowJob, annotation, annotation_lines, commands_stopped
from rankdash.gate.publishing import Published, publish
from rankdash.gate.pull_request_comment import Comments, CommentsError

__all__ = [
    "Comments",
    "CommentsError",
    "Published",
    "PullRequest",
    "WorkflowJob",
    "annotation",
    "annotation_lines",
    "commands_stopped",
    "publish",
]
