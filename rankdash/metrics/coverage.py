"""Which measures each tool prints: under its preset they are that tool's numbers, every other measure is ours alone.

Where a tool computes a measure by other axes than the rest, the preset does not cover the plain name: the measure is
written with its axes, and then it is the tool's number.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rankdash.metrics.definitions import DEFINITIONS

_CUTOFFS = {"required": ("@k",), "optional": ("", "@k"), "none": ("",)}
_TREC = ("nDCG", "nDCG@k", "AP", "AP@k", "P@k", "R@k", "RR", "Rprec", "Bpref", "Success@k")

#: Preset -> the measures that it covers, k for any cutoff.
COVERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "standard": tuple(f"{name}{cut}" for name, row in DEFINITIONS.items() for cut in _CUTOFFS[row.cutoff]),
        "trec_eval-9": _TREC,
        "trec_eval-10": (*_TREC, "DCG", "IDCG"),
        "scikit-learn": ("nDCG", "nDCG@k", "DCG", "DCG@k"),
        "ranklib": ("nDCG@k", "DCG@k", "P@k", "AP", "RR@k", "ERR(max_grade=4)@k"),
        "lightgbm": ("nDCG@k", "AP@k"),
        "xgboost": ("nDCG@k", "AP@k", "P@k"),
        "gdeval": ("nDCG@k", "ERR(max_grade=4)@k"),
        "ir_measures": (*_TREC, "RBP", "AUC"),
        "textbook": ("CG", "CG@k", "DCG", "DCG@k", "IDCG", "IDCG@k", "nDCG", "nDCG@k", "P@k", "AP", "RR"),
    }
)

#: Preset -> measures that the tool prints by axes of their own, and how they are written to be its numbers.
WRITTEN: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "ir_measures": MappingProxyType(
            {
                "RR@k": "ir_measures:RR(ties='docid_asc',score_type='float64')@k",
                "Judged@k": "ir_measures:Judged(ties='docid_asc',negative='clip',score_type='float64')@k",
            }
        )
    }
)
