"""rankdash with five candidates, as its command line compares them: B under five names. It answers nothing."""

from __future__ import annotations

import os

from shared import arguments

from rankdash.__main__ import main

run_a, run_b, judgments, out = arguments()
candidates = [f"{out}.{letter}{os.path.splitext(run_b)[1]}" for letter in "bcdef"]
for path in candidates:
    if not os.path.lexists(path):
        os.symlink(run_b, path)
main(["compare", run_a, *candidates, "-q", judgments, "--quiet", "--json", f"{out}.json"])
