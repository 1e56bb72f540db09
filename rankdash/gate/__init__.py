"""What a gate leaves behind on GitHub: the job's summary, one comment on the pull request, and warnings."""

from rankdash.gate.comments import Comments, CommentsError
from rankdash.gate.job import Job, PullRequest, annotation, annotations, without_commands

__all__ = ["Comments", "CommentsError", "Job", "PullRequest", "annotation", "annotations", "without_commands"]
