"""Where every data set comes from, whom to cite and what it must hash to: python -m experiments.data_statement."""

from __future__ import annotations

import math
from pathlib import Path

from celm.datasets import images, uci
from celm.datasets.dataset import TASKS
from celm.datasets.registry import REGISTRY
from celm.datasets.suite import LEFT_OUT, RELEASES, SuiteSet, suite_table, tried_before
from celm.datasets.tables import MAX_ROWS
from celm.render.document import Code, Table
from celm.render.markdown import table_text
from experiments.command import command

#: What the paper's sets must turn out to be is said by their own modules.
OWN = {spec.name: spec for spec in (*uci.SPECS, *images.SPECS)}
TARGET = Path(__file__).resolve().parent.parent / "docs" / "data.md"
#: Sets whose citation was not found again when all were checked.
FROM_MEMORY = frozenset({"ele-1", "fars"})

INTRODUCTION = f"""# The data

Written by `python -m experiments.data_statement` from `celm/datasets/suite.csv`; not edited by hand.

No data set is part of this repository. Each is fetched when it is first needed, from an installed library or from a
released package, checked by the digest of the package and by the digest of its decoded arrays, and kept in the cache
folder. `dataset=NAME` runs on one, `grid.datasets=${{suite:classification}}` on all of a task. Nominal columns become
one column of zeros and ones per level, rows with gaps are left out, and a table of more than {MAX_ROWS} rows gives that
many, evenly spaced. "Tried before" marks sets that trials had seen, themselves or the same objects in another set:
hypotheses that come from those trials are tested on the others.

Citations were compared with what the packages say beside their files, with scikit-learn's descriptions, and with how
public repositories that use a set quote the request of its donors; those marked † were not found there and are from
memory. UCI's page for donors puts its sets under CC BY 4.0, which is what stands here for sets of UCI; no page of a
single set was opened. "Not stated": the package that holds the set names no licence for it. The page of MNIST names
none either; others pass it on as CC BY-SA 3.0.
"""


def statement() -> str:
    """The whole page."""
    wheels = [[name, release.version, Code(release.sha256)] for name, release in RELEASES.items()]
    parts = [INTRODUCTION, _table(["package", "version", "sha256"], wheels)]
    for task in TASKS:
        rows = [row for row in suite_table() if row.task == task]
        parts.append(f"## {task.capitalize()}: {len(rows)} sets of {len({row.group for row in rows})} sources\n")
        heads = ["set", "kind", "package", "rows", "features", "classes", "tried before", "origin", "licence", "cite"]
        parts.append(_table(heads, [_cells(row) for row in rows]))
    remarks = [[row.name, _remark(row)] for row in suite_table() if row.task != LEFT_OUT and _remark(row)]
    parts += ["## Columns left out, and remarks\n", _table(["set", "remark"], remarks)]
    left = [[row.name, row.package, row.note] for row in suite_table() if row.task == LEFT_OUT]
    parts += ["## Sets of the packages that are not used\n", _table(["set", "package", "why"], left)]
    digests = [[name, Code(entry.digest)] for name, entry in sorted(REGISTRY.items()) if entry.digest]
    parts += ["## Digests of the decoded content\n", _table(["set", "sha256"], digests)]
    return "\n".join(parts)


def _table(heads: list[str], rows: list[list[str]]) -> str:
    return table_text(Table(heads, rows)) + "\n"


def _cells(row: SuiteSet) -> list[str]:
    spec = OWN.get(row.name)
    sizes = (row.rows, row.features, len(row.classes))
    if spec is not None:
        sizes = (spec.x_shape[0], math.prod(spec.x_shape[1:]), len(spec.classes))
    shape = [str(number or "") for number in sizes]
    tried = "yes" if tried_before(row.name) else ""
    mark = " †" if row.name in FROM_MEMORY else ""
    source = [tried, row.origin, row.licence or "not stated", f"{row.citation}{mark}"]
    return [row.name, row.kind, row.package, *shape, *source]


def _remark(row: SuiteSet) -> str:
    dropped = f"columns {' '.join(map(str, row.drop))} dropped: {row.drop_reason}" if row.drop else ""
    kin = f"same objects as others of the group {row.group}" if row.group != row.name else ""
    return "; ".join(filter(None, [dropped, row.note, kin]))


def main() -> None:
    """Write docs/data.md."""
    TARGET.write_text(statement(), encoding="utf-8")
    print(f"written: {TARGET.relative_to(TARGET.parent.parent)}")


if __name__ == "__main__":
    command(main, __doc__)
