"""Times rankdash and its peers in one run, checks that they agree, and holds the result against the requirements.

``python benchmarks/run.py [--sets large graded small] [--reps 5] [--slow-reps 2] [--only NAME ...] [--before COMMIT]
[--trec-eval ARCHIVE] [--write]``

Contenders run in turn (A B C A B C ...), each as a process of its own, so that a slow minute of the machine hits all of
them; ratios are medians over repetitions. Exit status: 0; 1 if a requirement is missed, a value disagrees or a
contender fails.
Standard library only, because the memory of this process counts into the peaks that it measures (``measure.py``).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tables
import trec_eval
from contenders import BEFORE, BY_NAME, CONTENDERS, HERE, ROOT, SETS as USUAL, Contender, environment
from measure import Failed, run
from results import REQUIREMENTS, Results

SETS = (*USUAL, "diverse")
FORMS_OF_LARGE = ("large-gz", "large-parquet", "large-shuffled")
#: How often two commits run in turn at least, so that the interval of their ratio tells 5%.
PAIRS = 15
#: Sets of another size or form, timed in the same turn with rankdash alone: does cost grow linearly, and what does a
#: form cost?
SIZES = {"large": ("tenth", *FORMS_OF_LARGE), "graded": ("graded10",), "small": (), "diverse": ()}


def main() -> int:
    """Generate, time, compare, print; returns the exit status."""
    options = _options()
    _export(options.before)
    _build_trec_eval(options)
    contenders = [BY_NAME[name] for name in options.only if _can_run(BY_NAME[name])]
    chosen = [name for name in SETS if name in options.sets]
    wanted = sorted({"small", *chosen, *(other for name in chosen for other in SIZES[name])})
    forms = [name for name in wanted if name in FORMS_OF_LARGE]
    _python("generate.py", "--work", str(options.work), "--sets", *(name for name in wanted if name not in forms))
    if forms:
        _python("forms.py", "--work", str(options.work), *forms)
    answers = options.work / "answers"
    shutil.rmtree(answers, ignore_errors=True)
    answers.mkdir()
    results = Results()
    contenders = [contender for contender in contenders if _warm_up(contender, options.work, results)]
    if ("small", "rankdash") in results.failures:
        return 1
    for name in chosen:
        taking = [contender for contender in contenders if name in contender.sets]
        _time(name, taking, options, results)
        answered = [c for c in taking if c.script and c.answers and (name, c.name) not in results.failures]
        _compare(name, answered, options.work, results)
        if BY_NAME["rankdash"] in answered:
            results.again[name] = json.loads(_python("again.py", *_files(options.work / name)))
    text = _text(chosen, results, options)
    print(text)
    if options.write and not results.failures:
        tables.write(HERE / "README.md", text)
    return int(_failed(results))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time rankdash and its peers, and check that they agree.")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--only", nargs="+", choices=list(BY_NAME), default=[c.name for c in CONTENDERS])
    parser.add_argument("--reps", type=int, default=5, help="repetitions of each contender on each set")
    parser.add_argument("--slow-reps", type=int, default=2, help="the same, for contenders that are slow on a set")
    parser.add_argument("--before", metavar="COMMIT", help="time the rankdash of an older commit in the same run")
    parser.add_argument("--trec-eval", metavar="ARCHIVE", type=Path, help="build trec_eval from its packed sources")
    parser.add_argument("--work", type=Path, default=HERE / ".work", help="folder of the generated data")
    parser.add_argument("--write", action="store_true", help="keep the tables in benchmarks/README.md")
    return parser.parse_args()


def _export(commit: str | None) -> None:
    """Lays an older commit's package, and what times it, beside the data, in place of those that were there."""
    shutil.rmtree(BEFORE, ignore_errors=True)
    if commit:
        BEFORE.mkdir(parents=True)
        what = ("rankdash", "benchmarks/peers")
        packed = subprocess.run(["git", "archive", commit, *what], cwd=ROOT, stdout=subprocess.PIPE, check=True)
        subprocess.run(["tar", "-x", "-C", str(BEFORE)], input=packed.stdout, check=True)


def _build_trec_eval(options: argparse.Namespace) -> None:
    """trec_eval from the archive that was named stands first on the PATH of its contender."""
    if options.trec_eval:
        try:
            folder = trec_eval.build(options.trec_eval, options.work / "trec_eval")
        except trec_eval.NotBuilt as error:
            sys.exit(f"trec_eval: {error}")
        os.environ["PATH"] = f"{folder.resolve()}{os.pathsep}{os.environ['PATH']}"


def _can_run(contender: Contender) -> bool:
    missing = contender.missing()
    if missing:
        print(f"{contender.name}: left out, not installed: {missing}", file=sys.stderr, flush=True)
    return not missing


def _warm_up(contender: Contender, work: Path, results: Results) -> bool:
    """One run on the small set that does not count: compiled files and caches are there for everybody afterwards."""
    try:
        run(contender.command(work / "small", work / "answers" / "warm-up"), environment(contender.root))
    except Failed as error:
        results.failures["small", contender.name] = str(error)
        print(f"{contender.name}: left out, {error}", file=sys.stderr, flush=True)
        return False
    finally:
        for path in (work / "answers").glob("warm-up*"):
            path.unlink()
    return True


def _time(name: str, contenders: Sequence[Contender], options: argparse.Namespace, results: Results) -> None:
    """All repetitions of one set, contenders in turn; and rankdash on the sets of other sizes in the same turn."""
    plan = [(name, contender) for contender in contenders]
    plan += [(other, BY_NAME["rankdash"]) for other in SIZES[name] if BY_NAME["rankdash"] in contenders]
    for folder in {folder for folder, _ in plan}:
        for path in (options.work / folder).iterdir():
            _read(path)
    for repetition in range(max(options.reps, PAIRS if options.before else 0)):
        for folder, contender in plan:
            if (
                repetition < _repetitions(contender, folder, name, options)
                and (folder, contender.name) not in results.failures
            ):
                _time_one(folder, contender, options.work, results)


def _repetitions(contender: Contender, folder: str, name: str, options: argparse.Namespace) -> int:
    """How often a contender runs on a set; rankdash and its older commit often enough for an interval."""
    if options.before and folder == name and contender.name in ("rankdash", "before"):
        return max(options.reps, PAIRS)
    return options.slow_reps if name in contender.slow_on else options.reps


def _time_one(folder: str, contender: Contender, work: Path, results: Results) -> None:
    """One process, its sample kept and shown; a contender that fails is said to have failed."""
    case = (folder, contender.name)
    try:
        command = contender.command(work / folder, work / "answers" / f"{folder}-{contender.name}")
        sample = run(command, environment(contender.root))
    except Failed as error:
        results.failures[case] = str(error)
        results.samples.pop(case, None)
        print(f"{folder} {contender.name}: {error}", file=sys.stderr, flush=True)
        return
    results.add(case, sample)
    line = f"{folder} {contender.name}: {sample.wall:.2f} s, {sample.cpu:.2f} s cpu, {sample.peak:.0f} MB"
    print(line, file=sys.stderr, flush=True)


def _compare(name: str, contenders: Sequence[Contender], work: Path, results: Results) -> None:
    """The answers of all against rankdash's (against the first one's, where rankdash did not run)."""
    names = [contender.name for contender in contenders]
    if len(names) < 2:
        return
    reference = "rankdash" if "rankdash" in names else min(names, key=lambda name: BY_NAME[name].tolerance)
    others = [other for other in names if other != reference]
    prefixes = [f"{name}-{other}" for other in others]
    answers = str(work / "answers")
    printed = _python("agreement.py", str(work / name), answers, f"{name}-{reference}", *prefixes)
    rows = [json.loads(line) for line in printed.splitlines()]
    results.agreements[name] = [
        {**row, "name": other, "reference": reference, "verdict": _verdict(row, BY_NAME[other])}
        for row, other in zip(rows, others, strict=True)
    ]


def _verdict(row: dict[str, Any], contender: Contender) -> str:
    """OK, or what is different; ties excuse only a contender whose order of ties is undefined."""
    means = row["means"] or 0.0
    if row["largest"] <= contender.tolerance and means <= contender.tolerance:
        return "OK" if contender.tolerance <= 1e-6 else "OK, to the four decimals that it prints"
    if contender.unstable_ties and row["largest_settled"] <= contender.tolerance:
        return f"differs, only in lists that equal scores leave open ({row['open_lists']:,} lists)"
    return "DIFFERS"


def _text(chosen: Sequence[str], results: Results, options: argparse.Namespace) -> str:
    """Everything as Markdown."""
    parts = [f"{tables.machine()} {options.reps} repetitions, {options.slow_reps} of slow contenders."]
    parts += [f"Failed: {contender} on {name}: {error}" for (name, contender), error in results.failures.items()]
    parts += ["### Requirements", tables.requirements(results)]
    for name in chosen:
        parts += [f"### {name}", tables.whole_process(name, results, SIZES[name])]
    if results.again:
        parts += ["### In one process", tables.again(results)]
    if results.agreements:
        parts += ["### Agreement", tables.agreement(results)]
    return "\n\n".join(parts)


def _failed(results: Results) -> bool:
    verdicts = [requirement.verdict(results)[2] for requirement in REQUIREMENTS]
    verdicts += [row["verdict"] for rows in results.agreements.values() for row in rows]
    return bool(results.failures) or "MISSED" in verdicts or "DIFFERS" in verdicts


def _read(path: Path) -> None:
    """Bring a file into the page cache, piece by piece."""
    with path.open("rb") as file:
        while file.read(1 << 20):
            pass


def _files(folder: Path) -> list[str]:
    return [str(folder / name) for name in ("a.trec", "b.trec", "qrels.txt")]


def _python(script: str, *arguments: str) -> str:
    """What one of the scripts beside this one prints; its errors go to the terminal."""
    command = [sys.executable, str(HERE / script), *arguments]
    return subprocess.run(command, env=environment(), stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(main())
