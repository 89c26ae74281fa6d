"""Protocols as plain tables: one row each, best first; and what they say together in a sentence."""

from __future__ import annotations

import pandas as pd

from celm.analysis.protocols.identification import Identified
from celm.analysis.protocols.measures import ProtocolFindings
from celm.base.names import dataset_label

COLUMNS = ("name", "bias", "rms", "gap", "paper_gap", "inside", "cells", "log_likelihood", "log_likelihood_none",
           "chance", "chance_p", "kept")  # fmt: skip


def fits_table(findings: ProtocolFindings) -> pd.DataFrame:
    """One row per protocol, the most probable first."""
    rows = [{name: getattr(fit, name) for name in COLUMNS} for fit in findings.fits]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def answer(found: Identified) -> str:
    """What the published numbers say of the list, in a sentence or two."""
    if found.most_probable is None:
        where = f"; it fails on {', '.join(map(dataset_label, found.fails_on))}" if found.fails_on else ""
        return f"No listed protocol fits. The nearest is {found.nearest}{where}."
    others = [name for name in found.indistinguishable if name != found.most_probable]
    told = f"It cannot be told from {', '.join(others)}." if others else "It stands alone."
    return f"The most probable protocol is {found.most_probable}. {told}"
