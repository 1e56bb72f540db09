"""Which two runs of a file with several models are A and B."""

from __future__ import annotations

from dataclasses import replace

from rankdash.orientation import OrientationError, Oriented, Pair, models_in_order
from rankdash.reading.tables.voted_pair import unclear
from rankdash.tables import CONFIGURATIONS, Models, Run


def two_models(models: Models, pair: Pair | None = None) -> tuple[Run, Run]:
    """Return the runs of A and B, with a note on who was taken for whom.

    ``pair`` are their names, A first; None: only names that are A and B need no answer.
    ReadError where nothing says which is A, and for models that are not there.
    """
    try:
        chosen = models_in_order([run.name for run in models.runs], pair)
    except OrientationError as error:
        source = models.runs[0].source
        order = "".join(f"; {note[:1].lower()}{note[1:-1]}" for note in source.notes if note.startswith(CONFIGURATIONS))
        raise unclear(source.name or "the table", error, order) from None
    by_name = {run.name: run for run in models.runs}
    a, b = (_noted(by_name[name], chosen) for name in chosen.pair)
    return a, b


def _noted(run: Run, chosen: Oriented) -> Run:
    return replace(run, source=replace(run.source, notes=(*run.source.notes, chosen.note("Models"))))
