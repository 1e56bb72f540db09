"""`rankdash report`: a verdict written in a form that can be passed on."""

from __future__ import annotations

import argparse
import sys

from rankdash import ComparisonError, VotesAlone, decide
from rankdash.case import compared
from rankdash.cli.inputs import further_measures, given_case, given_policy, with_edits
from rankdash.cli.saved import link_to, named_id, opened_store
from rankdash.cli.telling import BAD_INPUT, DONE, progress, tell, write
from rankdash.report.exports import ExportError, exported, format_of
from rankdash.report.notes import mistakes_of, notes_of
from rankdash.report.sections import Reported, stands_first


def report_(options: argparse.Namespace) -> int:
    """Write the report on two runs, on scored queries, on votes alone, or on a saved comparison."""
    form = _form(options)
    reported = _reported(options)
    wrong = () if isinstance(reported.comparison, VotesAlone) else mistakes_of(reported.comparison)
    progress("")
    tell(mistake.sentence for mistake in wrong)
    if any(mistake.fatal for mistake in wrong):
        return BAD_INPUT
    progress("writing")
    content = exported(reported, form)
    progress("")
    if options.out == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
    else:
        write(options.out, content)
    tell(stands_first(reported.verdict))
    tell(notes_of(reported.comparison, verbose=options.verbose))
    return DONE


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
    if options.scored is not None:
        from rankdash.cli import scoring

        comparison = scoring.scored_comparison(options)
        return Reported(comparison, decide(comparison, options.looks, options.candidates), name=options.name)
    if options.a is None and options.votes is None:
        raise ComparisonError("Name the lists of A and B, or the id or link of a saved comparison (rankdash list).")
    id = named_id(options)
    return _of_files(options) if id is None else _of_saved(id)


def _of_files(options: argparse.Namespace) -> Reported:
    policy = given_policy(options)
    case = given_case(options)
    progress("comparing")
    case = with_edits(case, options, policy)
    comparison = compared(case, policy, measures=further_measures(options), experts=options.experts)
    return Reported(comparison, decide(comparison, options.looks, options.candidates), case.edits, options.name)


def _of_saved(id: str) -> Reported:
    """Return a saved comparison with its decisions. Whoever reads the report looks at its verdict, so it counts."""
    progress("reading")
    with opened_store() as store:
        from rankdash.store import case_of

        saved = store.load(store.named(id))
        progress("comparing")
        comparison = store.comparison(saved)
        verdict = decide(comparison, store.looks(saved), store.candidates(saved))
        if not store.read_only:
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
