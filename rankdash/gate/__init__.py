"""What a gate leaves behind on GitHub: the job's summary, one comment on the pull request, and warnings."""

from rankdash.gate.comments import Comments, CommentsError
from rankdash.gate.job import Job, PullRequest, annotation, annotation_lines, commands_stopped

__all__ = ["Comments", "CommentsError", "Job", "PullRequest", "annotation", "annotation_lines", "commands_stopped"]
