"""The words of the method page on how the verdict is decided."""

from __future__ import annotations

VERDICT_TITLE = "How the verdict is decided: policy version {version}"
VERDICT_RULES = (
    "The rules in order. The first that is failed or not proven decides; "
    "among those whose name begins with H a proven harm goes first."
)
VERDICT_COLUMNS = ("Rule", "Question", "Asks", "Outcome where it stops")
VERDICT: tuple[tuple[str, str], ...] = (
    (
        "One measure decides",
        (
            "The primary measure of the policy, by the mean difference per query and its 95% paired-t interval. A"
            " launch needs an interval above 0 and a gain that matters; guardrails must be shown safe."
        ),
    ),
    (
        "“Worse” is a claim",
        (
            "Harm that is only possible stops a launch, but nobody is told that B is worse before it is proven. "
            "Each guardrail, each watched measure, each large enough segment of the policy and the big changes "
            "are one family of harm tests, adjusted by Holm; a measure that changed on fewer than 6 queries "
            "proves nothing. What stops a launch is decided measure by measure, watched measures and segments "
            "each in a family of their own."
        ),
    ),
    (
        "A few broken queries among many",
        (
            "Big losses stop a launch where they are more than chance makes of as many big changes, and where they "
            "exceed the big gains by more than 1% of the queries: among thousands of queries some break whatever one "
            "does. The policy says how big, and how many."
        ),
    ),
    (
        "Queries that belong together are one voice",
        (
            "Ten wordings of one question win or lose together, so they tell little more than one of them. A column "
            "“cluster” in the table of queries says which belong together; intervals, tests and limits then count "
            "groups. Without it, groups of 5 fairly alike queries launch 8.6% of models that are no better; with it, "
            "2.3%."
        ),
    ),
    (
        "A golden set is not a sample",
        (
            "Where the policy says that these queries are all that matters, nothing is inferred: no interval, no "
            "least number of queries; the numbers are held against the limits as they are. That is for regression "
            "tests, and says nothing about other queries."
        ),
    ),
    (
        "Few queries that differ in score are counted out",
        (
            "Up to 20 queries that differ in score a claim of harm uses every pattern of signs of their differences "
            "instead of the t-test. The same difference on 6 queries or more is decided by the same test, without an "
            "interval."
        ),
    ),
    (
        "Too small is not harmless",
        (
            "“Gain too small” is said only where the interval also rules out a loss that matters; otherwise there"
            " is no gain in sight, and more queries can only tell how large the loss is."
        ),
    ),
    (
        "Votes are averaged, by query and over both sides",
        (
            "ΔGSB is the mean of the queries’ mean votes, taken at a balanced side, so that the pull of a side is no "
            "preference; its own effect is shown. Where B nearly always stood on one side the two cannot be told "
            "apart, and the votes are ignored. A rater’s last vote on a query counts. That raters agree little "
            "ignores nothing: queries may differ, and the interval knows it."
        ),
    ),
    (
        "How few queries carry it",
        (
            "Queries are taken out one by one, each time the one that moves the deciding number most, until the "
            "outcome is of another class. A launch or a “worse” that hangs on very few says so."
        ),
    ),
    (
        "Looking again costs",
        (
            "One look launches 2.5% of models that are no better. Whoever looks until it launches, or tries several "
            "models, would launch up to 4.9% with 2, 11.9% with 5, 39.7% with 20. What is saved here is counted; the "
            "command line takes --looks and --candidates."
        ),
    ),
    (
        "What more queries can do",
        (
            "“Needs about N queries” is the size at which a two-sided 5% t-test would find that difference 4 "
            "times in 5, by the spread seen. It is no promise: where A is ahead, more queries do not make B "
            "better."
        ),
    ),
)
