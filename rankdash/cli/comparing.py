"""`rankdash compare`: the comparison of files, its verdict and its outputs; `rankdash report`, one output; `rankdash
score`, the queries alone.

Each form of output is imported where it is needed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from rankdash import Comparison, ComparisonError, PerQuery, Policy, VotesAlone, decide
from rankdash.case import compared
from rankdash.cli import BAD_INPUT, DONE, ArgumentError, print_mistakes, progress, tell, warn, write
from rankdash.cli.inputs import check_judged, decided, given_case, given_policy, of_lists, read_files, several_models
from rankdash.report import EXPORTS, ExportError, exported, format_of
from rankdash.report.sections import Reported
from rankdash.report.text import to_text, warnings
from rankdash.scoring import check_settings, compare_scored
from rankdash.scoring.blocks import LARGE, score_files
from rankdash.scoring.score import scored_in_memory
from rankdash.scoring.table import is_scored, load, save


def compare_(options: argparse.Namespace) -> int:
    """Compare two runs, or queries that were scored before, and write the outputs that were named."""
    outputs = _outputs(options)
    models = None if _are_scored(options) else several_models(options)
    if options.more or models is not None:
        from rankdash.cli.candidates import compare_candidates

        return compare_candidates(options, outputs, models)
    if options.github is not None and options.job is None:
        raise ArgumentError("--github works in GitHub Actions only. GITHUB_ACTIONS is not set here.")
    if options.github is not None and any(path == "-" for path, _ in outputs):
        raise ArgumentError("--github cannot write to standard output. Name a file instead of -.")
    if options.save and (options.looks, options.candidates) != (1, 1):
        raise ArgumentError("--save counts looks and candidates itself. Remove --looks and --candidates.")
    if options.save and _are_scored(options):
        raise ArgumentError("--save does not take scored queries. Remove --save.")
    link = _saved_link(options) if options.save else ""
    return _judged(options, outputs, _decided(options, _compared(options), link))


def _saved_link(options: argparse.Namespace) -> str:
    """Save the comparison, say how it is opened, and return its link; "" where there is none."""
    from rankdash.cli.saved import opened_store, saved_id, tell_saved

    id = saved_id(options, silent=True)
    if id is None:
        return ""
    with opened_store() as store:  # the verdict here is the one that the link shows
        saved = store.load(id)
        options.looks, options.candidates = store.looks(saved), store.candidates(saved)
    return tell_saved(options, id)


def _outputs(options: argparse.Namespace) -> list[tuple[str, str]]:
    """Return the files that were named, each with its form. ExportError where an ending stands for none."""
    outputs = [(path, format_of(path)) for path in options.outputs]
    return outputs if options.json is None else [(options.json, "json"), *outputs]


def _decided(options: argparse.Namespace, comparison: Comparison | VotesAlone, link: str = "") -> Reported:
    return Reported(comparison, decide(comparison, options.looks, options.candidates), name=options.name, link=link)


def _judged(options: argparse.Namespace, outputs: Sequence[tuple[str, str]], reported: Reported) -> int:
    """Write every output, the warnings, and last the verdict; return the exit status."""
    comparison, verdict = reported.comparison, reported.verdict
    if not options.gate and print_mistakes(comparison):
        return BAD_INPUT
    with progress("writing"):
        contents = [(path, exported(reported, form)) for path, form in outputs]  # any may need whole lists
    for path, content in contents:
        if path != "-":
            write(path, content)
    elsewhere = any(not EXPORTS[form].per_query for _, form in outputs)  # values of queries are no report
    brief = options.quiet or elsewhere
    warn(warnings(comparison, verdict, brief=brief, verbose=options.verbose), verbose=options.verbose)
    if options.github is not None:
        from rankdash.report.ci import publish

        sentences, options.annotations = publish(options.job, options.github, reported)
        tell(sentences)
    if printed := [content for path, content in contents if path == "-"]:
        sys.stdout.buffer.write(b"".join(printed))
        sys.stdout.flush()
    elif elsewhere:
        tell([] if options.quiet else [verdict.line])
    elif not options.quiet:
        sys.stdout.write(to_text(comparison, verdict))
    return verdict.exit_code if options.gate else DONE


def report_(options: argparse.Namespace) -> int:
    """Write the report on two runs, on scored queries, on votes alone, or on a saved comparison."""
    return _judged(options, [(options.out, _form(options))], _reported(options))


def _form(options: argparse.Namespace) -> str:
    """Return the name of the form: as it was named, else by the ending of the file; a page on standard output."""
    if options.format is not None:
        return str(options.format)
    try:
        return "html" if options.out == "-" else format_of(options.out)
    except ExportError as error:
        raise ExportError(f"{error} Or name one with --format.") from None


def _reported(options: argparse.Namespace) -> Reported:
    """Return what is reported, with everything on record about it."""
    from rankdash.cli.saved import named_id

    id = named_id(options)
    if id is not None:
        return _of_saved(id)
    return _decided(options, _compared(options))


def _compared(options: argparse.Namespace) -> Comparison | VotesAlone:
    """Return the comparison of queries that were scored before, of large files block by block, or of files."""
    if _are_scored(options):
        return scored_comparison(options)
    policy = given_policy(options)
    scored = scored_in_blocks(options, policy)
    if scored is not None:
        return _of_scored(options, scored, policy)
    case = given_case(options)
    with progress("comparing"):
        return compared(case, policy, measures=options.measures, experts=options.experts)


def _of_saved(id: str) -> Reported:
    """Return a saved comparison with its decisions. Whoever reads the report looks at its verdict, so it counts."""
    from rankdash.cli.saved import link_to, opened_store

    with opened_store() as store, progress("comparing"):
        from rankdash.store import case_of, comparison_of

        saved = store.load(id)
        comparison = comparison_of(saved.content, saved.state)
        verdict = decide(comparison, store.looks(saved), store.candidates(saved))
        if not store.refusal:
            store.seen(saved, comparison, verdict)
        return Reported(
            comparison,
            verdict,
            case_of(saved.content, saved.state).edits,
            saved.state.title,
            link_to(saved.id),
            store.decisions(saved.id),
            store.observations(saved.id),
        )


# --- scored queries ----------------------------------------------------------------------------------------------


def score_(options: argparse.Namespace) -> int:
    """Score the queries of two runs, and write them as one Parquet file."""
    if Path(options.out).suffix not in ("", ".parquet"):
        raise ArgumentError(f"{options.out}: scored queries are Parquet. Let its name end with .parquet.")
    policy = given_policy(options)
    scored = scored_in_blocks(options, policy)
    if scored is None:
        case = given_case(options)
        if case.runs is None:
            raise ComparisonError("Name the lists of A and B.")
        check_judged({options.a: case.a, options.b: case.b}, case.judgments)
        with progress("scoring"):
            scored = scored_in_memory(*case.runs, case.judgments, policy, tuple(options.measures), items=case.items)
    wrong = () if scored.inputs is None else scored.inputs.wrong or ()
    if any(mistake.fatal for mistake in wrong):
        raise ComparisonError("\n".join(mistake.sentence for mistake in wrong))
    tell(mistake.sentence for mistake in wrong)
    save(scored, Path(options.out))
    return DONE


def scored_in_blocks(options: argparse.Namespace, policy: Policy) -> PerQuery | None:
    """Return the per-query table of two large files, scored block by block; None where they are read whole."""
    if None in (options.a, options.b, options.judgments) or options.seen is not None:
        return None
    paths = (options.a, options.b)
    if sum(os.path.getsize(path) for path in paths if os.path.isfile(path)) <= LARGE:
        return None
    tables = read_files(options, ("judgments", *(() if options.items is None else ("items", "queries"))))
    judgments = tables.pop("judgments", None)
    if judgments is None:
        return None
    a, b = ({"order": options.order, **decided(options, side)} for side in ("a", "b"))
    with progress("scoring"):
        return score_files(paths, judgments, policy, options.measures, how=(a, b), **tables)


def _are_scored(options: argparse.Namespace) -> bool:
    """Return whether A alone is a file of scored queries."""
    return options.a is not None and options.b is None and is_scored(Path(options.a))


def scored_comparison(options: argparse.Namespace) -> Comparison:
    """Return the comparison of scored queries, under the policy that is named or that they were scored for."""
    before = ("judgments", "groups", "seen", "items")
    named = [f"--{option}" for option in before if getattr(options, option) is not None]
    if decided_before := [*named, *of_lists(options)]:
        raise ArgumentError(f"{options.a} is scored already. Remove {decided_before[0]}.")
    with progress("reading"):
        scored = load(Path(options.a))
    policy = given_policy(options, None if scored.inputs is None else scored.inputs.policy)
    lacking = scored.scope.lacking(options.measures)
    if lacking is not None:
        there = ", ".join(measure.name for measure in (*scored.scope.measures, *scored.scope.alike))
        raise ComparisonError(f"{lacking} was not scored. Scored: {there}. To add it, run rankdash score -m {lacking}.")
    return _of_scored(options, scored, policy)


def _of_scored(options: argparse.Namespace, scored: PerQuery, policy: Policy) -> Comparison:
    """Return the comparison of scored queries, with the votes and queries that were named."""
    check_settings(scored, policy)
    names = None if scored.inputs is None else (scored.inputs.a.name, scored.inputs.b.name)
    beside = read_files(options, ("votes", "queries", "items"), names)
    with progress("comparing"):
        return compare_scored(scored, policy, **beside, experts=options.experts)
