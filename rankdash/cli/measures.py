"""`rankdash measures`: every measure and convention, with its definition."""

from __future__ import annotations

import argparse
import sys

from rankdash import DEFINITIONS, PRESETS
from rankdash.cli.telling import DONE
from rankdash.report.text import measures_text


def measures_(_: argparse.Namespace) -> int:
    """Print them."""
    sys.stdout.write(measures_text(DEFINITIONS, PRESETS))
    return DONE
