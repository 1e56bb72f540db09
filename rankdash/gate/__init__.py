"""What a gate leaves behind on GitHub: the job's summary, one comment on the pull request, and annotations."""

from rankdash.gate.comments import Comments, CommentsError
from rankdash.gate.job import PullRequest, WorkflowJob, annotation, annotation_lines, commands_stopped
from rankdash.gate.publishing import Published, publish

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
