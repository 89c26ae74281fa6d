"""Which protocol wrote Table I? Whole protocols in 100 rounds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from celm.analysis.intervals import PAPER_ROUNDS
from celm.analysis.protocols import Panel, Trial, document, identify, panel_of, protocol_findings, trial
from celm.analysis.protocols.crossed import CODE, TEXT, crossed, protocol_name
from celm.analysis.protocols.identification import PAPERS
from celm.analysis.protocols.likelihood import CORRELATIONS
from celm.analysis.protocols.measures import ProtocolFindings, chance_region
from celm.analysis.protocols.protocol_tables import answer, fits_table
from celm.analysis.protocols.selections import blocks_of
from celm.analysis.protocols.unseen import LEAST_ROUNDS, unseen_held
from celm.analysis.summary import chosen_rows
from celm.base.names import CELMS
from celm.render.document import Block, Document, Heading, Items, Paragraph, Table
from celm.render.document import document as written
from celm.render.figures.protocol_plane import draw_protocols
from experiments.analysis import Analysis, Frames, Picture
from experiments.papers import papers

TABLE = papers()["celm"].tables["table1"]
RUNS = {TEXT: "protocols", CODE: "protocols_code"}
# Runs of our own default under other seeds, and the protocol that they are: every ten of their rounds are a paper.
OWN, DEFAULT = ("table1_second_seed", "confirm_table1"), "per_feature/joint/text"
# The published models whose inputs, choices and weights a protocol is about.
FAMILY = ("elm", "orthogonal_elm", *CELMS)
# Where weights come from, in words.
WEIGHTS = {TEXT: "weights of the text", CODE: "weights of the authors' code"}
# What is assumed of the paper's splits, in words.
ASSUMED = {"ours": "the paper's models shared their splits, as ours do", "none": "they did not"}
HOW_TO_READ = (
    "Bias, RMS and gap (CELMs − ELM) in points, ours − paper. Inside: published numbers inside the prediction "
    "interval, which has both errors. By chance: how many would be if the published numbers were random within ±3 "
    "points. ln L: joint log-likelihood with our correlation between models, and with none. Kept: the published "
    "numbers cannot be told from this protocol's, with cutoffs from simulated papers (docs/statistics.md)."
)


class OwnPapers(NamedTuple):
    """Papers that our default wrote under seeds of their own: how many, and by assumption in how many it is kept."""

    papers: int
    held: dict[str, int]


class Judged(NamedTuple):
    """All protocols against the published numbers, and how the method does on papers of known origin."""

    findings: ProtocolFindings
    trials: dict[str, Trial]
    panel: Panel
    unseen: dict[str, float] | None = None
    own: OwnPapers | None = None

    @property
    def rounds(self) -> int:
        """Rounds per protocol."""
        return self.panel.rounds

    def nearest(self) -> str:
        """The most probable protocol, or the nearest where none fits."""
        found = self.findings.identified["ours"]
        return found.most_probable or found.nearest

    def document(self) -> dict[str, Any]:
        """What verdict.json says of them."""
        trials = {name: one._asdict() for name, one in self.trials.items()}
        for name, held in (self.unseen or {}).items():
            trials[name]["unseen_held"] = held
        own = {} if self.own is None else {"own_papers": {"protocol": DEFAULT, **self.own._asdict()}}
        return {**document(self.findings), "trials": trials, **own}


def judged(rounds: pd.DataFrame, published: pd.DataFrame) -> Judged:
    """Every protocol of some rounds against the published numbers, and trials of the method."""
    panel = panel_of(rounds, published)
    findings = protocol_findings(panel)
    trials = {name: trial(panel, findings.cutoffs[name], correlation=name) for name in CORRELATIONS}
    return Judged(findings, trials, panel)


def find(frames: Frames) -> Judged:
    """Scaling × selection × weights; those of the authors' code once they are run."""
    run = {weights: frames[name] for weights, name in RUNS.items() if name in frames}
    found = judged(crossed(run), frames[TABLE.printed])
    if found.rounds >= LEAST_ROUNDS:
        found = found._replace(unseen={name: unseen_held(found.panel, correlation=name) for name in CORRELATIONS})
    papers = [paper for name in OWN if name in frames for paper in written_by(chosen_rows(frames[name]))]
    return found._replace(own=_kept_of(papers, found)) if papers and DEFAULT in found.panel.protocols else found


def written_by(rounds: pd.DataFrame) -> list[pd.DataFrame]:
    """Every ten rounds as a paper: means to three digits."""
    numbers = sorted(rounds["round"].unique())
    blocks = [rounds[rounds["round"].isin(numbers[block])] for block in blocks_of(len(numbers))]
    return [one.groupby(["dataset", "model"])["accuracy"].mean().round(3).reset_index() for one in blocks]


def _kept_of(papers: list[pd.DataFrame], found: Judged) -> OwnPapers:
    held = {
        name: sum(DEFAULT in identify(found.panel.against(one), cutoffs, name).indistinguishable for one in papers)
        for name, cutoffs in found.findings.cutoffs.items()
    }
    return OwnPapers(len(papers), held)


def fits_block(findings: ProtocolFindings) -> Table:
    """Every protocol, the most probable first."""
    rows = [
        [
            fit.name,
            *(f"{100 * value:+.2f}" for value in (fit.bias, fit.rms, fit.gap)),
            f"{fit.inside} of {fit.cells}",
            f"{fit.chance:.1f}",
            f"{fit.log_likelihood:.1f}",
            f"{fit.log_likelihood_none:.1f}",
            "yes" if fit.kept else "",
        ]
        for fit in findings.fits
    ]
    return Table(["protocol", "bias", "RMS", "gap", "inside", "by chance", "ln L", "ln L, none", "kept"], rows)


def trials_block(trials: dict[str, Trial]) -> Iterator[Block]:
    """How the method does on simulated papers."""
    yield Heading("Does the method find the protocol of a simulated paper?")
    yield Paragraph(
        "Papers of ten rounds. Held: the set of protocols that cannot be told apart holds the one that wrote the "
        "paper; its size is the median share of the list. None fits: share of papers that no protocol fits, when "
        "written by a listed one, by one taken off the list, and at random within ±3 points."
    )
    header = ["splits", "papers", "held", "size of the set", "none fits: listed", "removed", "random"]
    rows = [[name, f"{one.papers}", *(f"{100 * value:.1f} %" for value in one[:-1])] for name, one in trials.items()]
    yield Table(header, rows)


def told_of(found: Judged, remark: str) -> Iterator[Block]:
    """A remark, the answers, every protocol, the trials."""
    if remark:
        yield Paragraph(remark)
    for name, words in ASSUMED.items():
        yield Paragraph(f"If {words}: {answer(found.findings.identified[name])}")
    paper_gap = found.findings.fits[0].paper_gap
    yield Paragraph(f"{HOW_TO_READ} The paper's own gap is {100 * paper_gap:.2f} points.")
    yield fits_block(found.findings)
    yield from trials_block(found.trials)
    if found.unseen is not None:
        ours, none = (f"{100 * found.unseen[name]:.1f} %" for name in CORRELATIONS)
        yield Paragraph(
            "There cutoffs and papers are drawn from the same rounds. With a paper's ten rounds taken out and its "
            f"protocol's cutoffs made of the other {found.rounds - PAPER_ROUNDS} alone, the protocol is kept in {ours} "
            f"of {PAPERS} papers (splits shared) and in {none} (not shared)."
        )
    if found.own is not None:
        held = "; ".join(f"if {words}, in {found.own.held[name]}" for name, words in ASSUMED.items())
        yield Paragraph(
            f"Our own default ({DEFAULT}) wrote {found.own.papers} papers of ten rounds under seeds of their own; it "
            f"is kept, {held}."
        )


def told(found: Judged) -> Document:
    """The answer, every protocol, the trials."""
    return written("Which protocol wrote Table I?", told_of(found, listed(found)))


def listed(found: Judged) -> str:
    """What the list of protocols is made of."""
    parts = zip(*(protocol_name(fit.name) for fit in found.findings.fits), strict=True)
    scalings, selections, weights = ({*names} for names in parts)
    told = " and ".join(words for name, words in WEIGHTS.items() if name in weights)
    missing = "".join(f"; {words} are not run yet" for name, words in WEIGHTS.items() if name not in weights)
    return (
        f"{len(found.findings.fits)} whole protocols of Table I, {found.rounds} rounds each: {len(scalings)} scalings, "
        f"{len(selections)} selections, {told}{missing}. A name is scaling/selection/weights."
    )


def answered(found: Judged) -> Items:
    """What the published numbers say of the protocols, under either assumption on splits."""
    lines = [f"If {words}: {answer(found.findings.identified[name])}" for name, words in ASSUMED.items()]
    return Items(lines, listed(found))


def drawn(found: Judged) -> Picture:
    """Bias against RMS, chance shaded; the nearest protocol by name."""
    fits = fits_table(found.findings)
    points = fits.assign(bias=100 * fits["bias"], rms=100 * fits["rms"])
    chance = {name: 100 * value for name, value in chance_region(found.panel.cells)._asdict().items()}
    word = "most probable" if found.findings.identified["ours"].most_probable else "nearest, though none fits"
    return Picture(draw_protocols(points, chance, {found.nearest(): word}), fits)


def as_json(found: Judged) -> dict[str, str]:
    """results/protocols.json: what verdict.json says of the protocols."""
    return {"protocols.json": json.dumps(found.document(), indent=1, ensure_ascii=False) + "\n"}


PROTOCOLS = Analysis(
    name="protocols",
    about="Which protocol wrote Table I: whole protocols, and those that cannot be told apart",
    reads=(TABLE.printed, *RUNS.values(), *OWN),
    needs=(TABLE.printed, RUNS[TEXT]),
    find=find,
    document=told,
    numbers=lambda found: fits_table(found.findings),
    picture=drawn,
    files=as_json,
    answer=answered,
    chapter="Protocols",
)
