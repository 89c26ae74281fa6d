"""Protocols as tables: one row each, best first, and what the simulated papers say of the method."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from celm.analysis.protocols.identification import Identified, Trial
from celm.analysis.protocols.measures import ProtocolFindings, ProtocolFit

COLUMNS = ("name", "bias", "rms", "gap", "paper_gap", "inside", "cells", "log_likelihood", "log_likelihood_none",
           "chance", "chance_p", "kept")  # fmt: skip


def to_csv(findings: ProtocolFindings) -> str:
    """One row per protocol, best first."""
    rows = [{name: getattr(fit, name) for name in COLUMNS} for fit in findings.fits]
    return pd.DataFrame(rows, columns=list(COLUMNS)).to_csv(index=False, float_format="%.6g", lineterminator="\n")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table."""
    return ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows)]


def answer(found: Identified) -> str:
    """What the published numbers say of the list, in a sentence or two."""
    if found.most_probable is None:
        where = f"; it fails on {', '.join(found.fails_on)}" if found.fails_on else ""
        return f"No listed protocol fits. The nearest is {found.nearest}{where}."
    others = [name for name in found.indistinguishable if name != found.most_probable]
    told = f"It cannot be told from {len(others)} others: {', '.join(others)}." if others else "It stands alone."
    return f"The most probable protocol is {found.most_probable}. {told}"


def to_markdown(findings: ProtocolFindings, title: str) -> str:
    """The answer under both assumptions on shared splits, then every protocol."""
    first = findings.fits[0]
    lines = [
        f"# {title}",
        "",
        f"If the paper's models shared their splits as ours do: {answer(findings.identified['ours'])}",
        "",
        f"If they did not: {answer(findings.identified['none'])}",
        "",
        f"Bias, RMS and gap (CELMs − ELM; the paper's is {100 * first.paper_gap:.2f}) in points, ours − paper. Inside: "
        f"published numbers of {first.cells} inside the prediction interval, which has both errors. By chance: how "
        "many would lie inside if the published numbers were random within ±3 points. ln L: joint log-likelihood with "
        "our correlation between models, and with none. Kept: cannot be told apart.",
        "",
        *table(
            ["protocol", "bias", "RMS", "gap", "inside", "by chance", "ln L", "ln L, none", "kept"],
            [_cells(fit) for fit in findings.fits],
        ),
    ]
    return "\n".join(lines) + "\n"


def _cells(fit: ProtocolFit) -> list[str]:
    points = [f"{100 * fit.bias:+.2f}", f"{100 * fit.rms:.2f}", f"{100 * fit.gap:.2f}"]
    likelihoods = [f"{fit.log_likelihood:.1f}", f"{fit.log_likelihood_none:.1f}"]
    return [fit.name, *points, f"{fit.inside}", f"{fit.chance:.1f}", *likelihoods, "yes" if fit.kept else ""]


def trials_markdown(trials: Mapping[str, Trial], title: str) -> str:
    """How the method does on papers of known origin, a row per panel."""
    lines = [
        f"# {title}",
        "",
        "Papers of ten rounds. Listed: written by a protocol of the list; the set of protocols that cannot be told "
        "apart holds it in the share named held, and has the share of the list named size (median). None fits: share "
        "of papers that no protocol fits, when written by a listed protocol, by one taken off the list, and at random "
        "within ±3 points.",
        "",
        *table(
            ["panel", "papers", "held", "size", "none fits: listed", "removed", "random"],
            [[name, f"{one.papers}", *(f"{100 * value:.1f} %" for value in one[:-1])] for name, one in trials.items()],
        ),
    ]
    return "\n".join(lines) + "\n"
