"""`rankdash compare`: the comparison of files, its verdict and its outputs.

Each form of output is imported where it is needed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankdash import Comparison, ComparisonError, VotesAlone, decide
from rankdash.case import compared
from rankdash.cli.decisions import ArgumentError
from rankdash.cli.inputs import further_measures, given_case, given_policy, with_edits
from rankdash.cli.telling import BAD_INPUT, DONE, check_ending, progress, tell, write
from rankdash.report.exports import exported, format_of
from rankdash.report.notes import mistakes_of, notes_of, query_lines
from rankdash.report.sections import Reported, stands_first

if TYPE_CHECKING:
    from rankdash.edits import Edit


def compare_(options: argparse.Namespace) -> int:
    """Compare two runs, or queries that were scored before, and write the outputs that were named."""
    outputs = _outputs(options)
    if options.github is not None and options.job is None:
        raise ArgumentError(f"--github {options.github} is for GitHub Actions: GITHUB_ACTIONS is not set here.")
    if options.github is not None and any(path == "-" for path, _ in outputs):
        raise ArgumentError("--github and - as a file: GitHub reads commands from what is printed. Name a file.")
    if options.save and (options.looks, options.candidates) != (1, 1):
        raise ArgumentError("--save counts looks and candidates by itself: leave --looks and --candidates out.")
    if options.scored is not None:
        from rankdash.cli import scoring

        if options.save:
            raise ArgumentError(f"--save is for files; rankdash save {options.scored} saves scored queries.")
        return _judged(options, outputs, "", scoring.scored_comparison(options))
    policy = given_policy(options)
    link = _saved_link(options) if options.save else ""
    case = given_case(options)
    progress("comparing")
    case = with_edits(case, options, policy)
    comparison = compared(case, policy, measures=further_measures(options), experts=options.experts)
    return _judged(options, outputs, link, comparison, case.edits)


def _saved_link(options: argparse.Namespace) -> str:
    """Save the comparison, say how it is opened, and return its link; "" where there is none."""
    from rankdash.cli.saved import OPENED_WITH, link_to, opened_store, saved_id

    id = saved_id(options, silent=True)
    if id is None:
        return ""
    with opened_store() as store:  # the verdict here is the one that the link shows
        saved = store.load(id)
        options.looks, options.candidates = store.looks(saved), store.candidates(saved)
    link = link_to(id)
    if not options.quiet:
        tell([f"Saved: {link or OPENED_WITH.format(id=id)}"])
    return link


def _outputs(options: argparse.Namespace) -> list[tuple[str, str]]:
    """Return the files that were named, each with its form. ExportError where an ending stands for none."""
    outputs = [(path, format_of(path)) for path in options.outputs]
    if options.json is not None:
        outputs.insert(0, (options.json, "json"))
    if options.per_query is not None:
        check_ending(options.per_query, "--per-query", (".csv", ".parquet", ".pq"))
        is_parquet = options.per_query.lower().endswith((".parquet", ".pq"))
        outputs.insert(0, (options.per_query, "parquet" if is_parquet else "csv"))
    return outputs


def _judged(
    options: argparse.Namespace,
    outputs: Sequence[tuple[str, str]],
    link: str,
    comparison: Comparison | VotesAlone,
    edits: tuple[Edit, ...] = (),
) -> int:
    """Decide, report what is wrong between the files, write every output, and return the exit status."""
    reported = Reported(comparison, decide(comparison, options.looks, options.candidates), edits, options.name, link)
    wrong = () if isinstance(comparison, VotesAlone) else mistakes_of(comparison)
    progress("")
    tell(mistake.sentence for mistake in wrong)
    if any(mistake.fatal for mistake in wrong) and not options.gate:
        return BAD_INPUT
    _write(options, outputs, reported)
    warnings = notes_of(comparison)
    tell(stands_first(reported.verdict))
    tell(notes_of(comparison, verbose=options.verbose))  # after the output, which may turn out to need whole lists
    if options.github is not None:
        from rankdash.report.github import publish

        published = publish(
            options.job, options.github, reported, (*(mistake.sentence for mistake in wrong), *warnings)
        )
        tell(published.sentences)
        options.annotations += published.annotations
    return reported.verdict.exit_code if options.gate else DONE


def _write(options: argparse.Namespace, outputs: Sequence[tuple[str, str]], reported: Reported) -> None:
    """Write every file that was named; where none was, print the short table. Beside files, print the lines on the
    queries, and the verdict of a gate that prints nothing else.
    """
    if options.per_query is not None and isinstance(reported.comparison, VotesAlone):
        raise ComparisonError("--per-query needs the lists of A and B; there are only votes.")
    contents = [(path, exported(reported, form)) for path, form in outputs]  # any may need whole lists: nothing before
    for path, content in contents:
        sys.stdout.write(content.decode()) if path == "-" else write(path, content)
    if options.quiet:
        return
    if outputs:
        tell(query_lines(reported.comparison))
        if options.gate and all(path != "-" for path, _ in outputs):
            tell([reported.verdict.line])
        return
    from rankdash.report.text import to_text

    sys.stdout.write(to_text(reported.comparison, reported.verdict, reported.edits))
