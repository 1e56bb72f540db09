"""What a gate leaves behind on GitHub: the job's summary, one comment on the pull request, and annotations."""

from rankdash.gate.comments import Comments, CommentsError
from rankdash.gate.job import Job, PullRequest, annotation, annotation_lines, commands_stopped
from rankdash.gate.publishing import Published, publish

__all__ = [
    "Comments",
    "CommentsError",
    "Job",
    "Published",
    "PullRequest",
    "annotation",
    "annotation_lines",
    "commands_stopped",
    "publish",
]
