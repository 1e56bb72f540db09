"""Many replicates at once -> the numbers that the rules see, one ``Evidence`` each.

The arithmetic of ``rankdash.evidence.paired`` over a whole block; ``check`` holds it against that path.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from benchmarks.policy.population import AP, MEASURES, PRIMARY, Floats, Ints
from benchmarks.policy.worlds import Draw
from rankdash.evidence.gsb import gsb
from rankdash.evidence.paired import EXACT_UP_TO, NO_SPREAD, p_flip
from rankdash.metrics import parse_measures
from rankdash.policy import Policy
from rankdash.scoring import Counts
from rankdash.scoring.results import QuerySample, weigh
from rankdash.verdict import Evidence, VoteNumbers, decide_from
from rankdash.verdict.records import Numbers, Reading, Severe, reading_of

#: Simulated raters: what they call a difference of the primary measure that is clear, and how often.
CLEAR, RIGHTLY, WRONGLY = 0.04, 0.60, 0.15


@dataclass(frozen=True)
class Block:
    """Replicates, summed up. Axes: m measures, r replicates; ``se`` is NaN where no interval can be drawn."""

    n: Ints  # (r,) queries of the population that counts
    delta: Floats  # (m, r)
    se: Floats  # (m, r)
    changed: Ints  # (m, r)
    wins: Ints  # (r,) of the primary measure, like all that follows
    losses: Ints
    severe_wins: Ints
    severe_losses: Ints

    def half(self, level: float) -> Floats:
        """Half the width of the interval of that level, (m, r)."""
        return stdtrit(np.maximum(self.n - 1, 1), 0.5 + level / 2) * self.se

    def p_below(self) -> Floats:
        """P(T <= t), the p of harm, (m, r)."""
        return stdtr(np.maximum(self.n - 1, 1), self.delta / self.se)


def block(draw: Draw, policy: Policy) -> Block:
    """The replicates under a policy: over all queries, or over the affected ones, outside of which nothing differs."""
    delta, primary = draw.delta, draw.delta[PRIMARY]
    everything = np.full(len(primary), primary.shape[1])
    n = draw.affected.sum(axis=1) if policy.population == "affected" else everything
    safe = np.maximum(n, 1)
    mean = delta.sum(axis=2) / safe
    squares = np.einsum("mrn,mrn->mr", delta, delta) - safe * mean**2
    sd = np.sqrt(np.maximum(squares, 0.0) / np.maximum(safe - 1, 1))
    defined = (n >= 2) & (sd > NO_SPREAD * np.maximum(1.0, np.abs(mean)))
    return Block(
        n=n,
        delta=mean,
        se=np.where(defined, sd / np.sqrt(safe), np.nan),
        changed=(delta != 0).sum(axis=2),
        wins=(primary > 0).sum(axis=1),
        losses=(primary < 0).sum(axis=1),
        severe_wins=(primary >= policy.severe).sum(axis=1),
        severe_losses=(primary <= -policy.severe).sum(axis=1),
    )


def votes(draw: Draw, random: np.random.Generator) -> list[VoteNumbers]:
    """What raters say about each replicate, one label per query; what is not clear is "same"."""
    primary, chance = draw.delta[PRIMARY], random.random(draw.delta[PRIMARY].shape)
    said = np.select((chance < RIGHTLY, chance < RIGHTLY + WRONGLY), (1, -1), 0) * np.sign(primary)
    said = np.where(np.abs(primary) >= CLEAR, said, 0)
    good, bad = (said > 0).sum(axis=1).tolist(), (said < 0).sum(axis=1).tolist()
    return [_counted(g, primary.shape[1] - g - b, b) for g, b in zip(good, bad, strict=True)]


def _counted(good: int, same: int, bad: int) -> VoteNumbers:
    table = gsb(good, same, bad)
    (low, high), (lower90, _) = table.ci95 or (None, None), table.ci90 or (None, None)
    return VoteNumbers(good, same, bad, table.delta, low, high, lower90)


def evidences(draw: Draw, found: Block, rated: list[VoteNumbers] | None) -> Iterator[Evidence]:
    """One ``Evidence`` for each replicate; every document is judged, so nothing stands in the way of comparing."""
    half95, half90, harm = found.half(0.95)[PRIMARY], found.half(0.90), found.p_below()
    everywhere, all_queries = draw.delta[PRIMARY].mean(axis=1), draw.delta.shape[2]
    affected = draw.affected.sum(axis=1)
    for i in range(len(found.n)):
        yield Evidence(
            data_of(all_queries, int(affected[i])),
            Reading(
                _primary(draw, found, i, half95, half90, float(everywhere[i]), all_queries),
                (_tested(draw, found, AP, i, half90, harm),),
                tuple(_tested(draw, found, m, i, half90, harm) for m in range(AP + 1, AP + 3)),
                severe=Severe(int(found.severe_wins[i]), int(found.severe_losses[i])),
            ),
            votes=None if rated is None else rated[i],
        )


def _tested(draw: Draw, found: Block, m: int, i: int, half90: Floats, harm: Floats) -> Numbers:
    """What the rules read of a guardrail or a watch measure."""
    delta, lower90, upper90 = _bounds(found, m, i, half90)
    return Numbers(
        measure=MEASURES[m],
        delta=delta,
        n=int(found.n[i]),
        changed=int(found.changed[m, i]),
        lower90=lower90,
        upper90=upper90,
        p_harm=_known(harm[m, i]),
        p_flip=_flipped(draw, found, m, i),
    )


def _flipped(draw: Draw, found: Block, m: int, i: int) -> float | None:
    """The p of sign flips, where so few queries changed that the rules ask for it."""
    return p_flip(draw.delta[m, i]) if found.changed[m, i] <= EXACT_UP_TO else None


def _primary(
    draw: Draw, found: Block, i: int, half95: Floats, half90: Floats, everywhere: float, all_queries: int
) -> Numbers:
    delta, lower90, upper90 = _bounds(found, PRIMARY, i, half90)
    return Numbers(
        n=int(found.n[i]),
        changed=int(found.wins[i] + found.losses[i]),
        wins=int(found.wins[i]),
        losses=int(found.losses[i]),
        delta=delta,
        lower95=_known(delta - half95[i]),
        upper95=_known(delta + half95[i]),
        lower90=lower90,
        upper90=upper90,
        se=_known(found.se[PRIMARY, i]),
        df=float(max(found.n[i] - 1, 1)),
        p_flip=_flipped(draw, found, PRIMARY, i),
        n_all=all_queries,
        delta_all=everywhere,
    )


def _bounds(found: Block, m: int, i: int, half90: Floats) -> tuple[float, float | None, float | None]:
    delta, half = float(found.delta[m, i]), half90[m, i]
    return delta, _known(delta - half), _known(delta + half)


def data_of(queries: int, affected: int) -> Counts:
    """Return the checks of data without a fault: every document is judged, every query answered."""
    return Counts(
        judged=queries,
        common=queries,
        missing_a=0,
        missing_b=0,
        without_relevant=0,
        primary_rises=queries,
        same_file=False,
        ask=None,
        repeated_texts=None,
        likeness=None,
        distinct_grades=4,
        unjudged_shown=0,
        identical=False,
        kind="judged",
        judged_a=1.0,
        judged_b=1.0,
        affected=affected,
    )


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def check(draw: Draw, policy: Policy, evidence: Evidence, i: int, candidates: int) -> None:
    """Hold replicate i against rankdash's way from per-query values to a reading. RuntimeError if they differ."""
    measures = parse_measures(policy.measures, policy.scoring)
    delta = draw.delta[: len(measures), i]
    counted = draw.affected[i] if policy.population == "affected" else np.ones(delta.shape[1], bool)
    theirs = reading_of(weigh(policy, measures, np.zeros(delta.shape), delta, QuerySample(counted, None, {})))
    ours = evidence.plain
    same = np.allclose(_numbers(ours), _numbers(theirs), rtol=0, atol=1e-10, equal_nan=True)
    other = decide_from(Evidence(evidence.data, theirs, votes=evidence.votes), policy, candidates=candidates)
    mine = decide_from(evidence, policy, candidates=candidates)
    if not same or (other.outcome, other.rule) != (mine.outcome, mine.rule):
        raise RuntimeError(f"The fast path is wrong: {ours} and {theirs}, {mine.rule} and {other.rule}.")


def _numbers(reading: Reading | None) -> list[float]:
    assert reading is not None
    one, severe = reading.primary, reading.severe or Severe(0, 0)
    values = [one.n, one.size, one.wins, one.losses, severe.wins, severe.losses]
    values += [one.delta, one.lower95, one.upper95, one.lower90, one.upper90]
    values += [value for rail in reading.guardrails for value in (rail.delta, rail.lower90, rail.upper90)]
    values += [value for watch in reading.watch for value in (watch.delta, watch.p_harm)]
    return [np.nan if value is None else float(value) for value in values]
