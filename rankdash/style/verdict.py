"""The words of the method page on how the verdict is decided."""

from __future__ import annotations

VERDICT_TITLE = "How the verdict is decided: policy version {version}"
VERDICT_RULES = (
    "The rules in order. The first that is failed or not proven decides; among H1 to H5 a proven harm goes first."
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
        "Few changed queries are counted out",
        (
            "Up to 20 changed queries a claim of harm uses every pattern of signs of their differences instead of"
            " the t-test. The same difference on 6 queries or more is decided by the same test, without an "
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
        "Votes are averaged over both sides",
        (
            "ΔGSB is taken at a balanced side, so that the pull of a side is no preference; its own effect is "
            "shown. Where B nearly always stood on one side the two cannot be told apart, and the votes are "
            "ignored. A rater’s last vote on a query counts."
        ),
    ),
    (
        "How few queries carry it",
        (
            "The fewest queries without which the outcome would be of another class are searched: one, then the "
            "best pair and triple of twelve, then one after the other. A launch or a “worse” that hangs on very "
            "few says so."
        ),
    ),
    (
        "Looking again costs",
        (
            "Whoever looks until it launches would launch up to 4.0% of models that are no better after 2 looks, "
            "7.2% after 5, 12.3% after 20; one look launches 2.5%. The command line takes the number of looks."
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
