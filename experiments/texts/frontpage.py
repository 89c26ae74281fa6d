"""The parts of README.md that hold numbers, written from the findings: python -m experiments.texts.frontpage."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

from celm.base.files import write_whole
from celm.render.document import Table
from celm.render.markdown import table_text
from experiments.command import command
from experiments.config.entries import ROOT
from experiments.config.schema import register
from experiments.texts.answer import answer, headline_rows, plain_conclusion
from experiments.texts.facts import facts, found_in

README = ROOT / "README.md"


def parts() -> dict[str, str]:
    """Name of a marked part -> its text.

    The answer is three lines: the conclusion, the counts, the cause. What goes further stands below figure and table.
    """
    told = facts()
    said = answer(told)
    return {
        "badges": badges(told),
        "answer": f"**Does the paper hold up? {plain_conclusion(told)}**\n{said['numbers']}\n\n{said['cause']}",
        "table": _headline(),
        "more": "\n\n".join(words for name, words in said.items() if name not in ("numbers", "cause")),
        "commands": _commands(told),
    }


def badges(told: dict[str, str]) -> str:
    """What the package asks for, as its metadata say, and what was found."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    asked = dict(re.findall(r'^(requires-python|license) = "(?:>=)?(.+)"$', project, re.M))
    shown = {
        "python": f"{asked['requires-python']} or newer",
        "licence": asked["license"],
        "numbers equivalent": f"{told['cells_equivalent']} of {told['cells_total']}, {told['cells_different']} differ",
        "sentences that hold": f"{told['claims_held']} of {told['claims_total']}",
    }
    images = {name: quote(f"{name}-{words}-blue") for name, words in shown.items()}
    return "\n".join(f"![{name}: {shown[name]}](https://img.shields.io/badge/{images[name]})" for name in shown)


def _headline() -> str:
    rows = headline_rows(found_in())
    heads = ["" if title == "table" else title for title in rows[0]]
    return table_text(Table(heads, [list(row.values()) for row in rows]))


def _commands(told: dict[str, str]) -> str:
    """What the two commands print and how long they take, from the published records of Table I."""
    cells, rows = told["table1_cells"], told["table1_records"]
    return (
        f"The first creates `.venv` from a lock, fetches six data sets and checks their digests, fits {cells} cells in "
        f"about {told['table1_minutes']} minutes on {told['cores']} cores, prints Table I with the paper's numbers "
        "beside ours, and ends with\n\n"
        f"```text\nIn {cells} of {cells} published cells {rows} of {rows} records are equal to the last digit.\n"
        "```\n\nThe second runs the linter, the type checker and the tests, and ends with pytest's count. It is the "
        "longest wait here (several minutes), so start it and read on."
    )


def filled(text: str, told: dict[str, str]) -> str:
    """``text`` with every marked part as it is told.

    Raises
    ------
    ValueError
        If a part has no place in the text.
    """
    for name, words in told.items():
        place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.S)
        if not place.search(text):
            raise ValueError(f"README.md: the part {name!r} has no place; mark it by <!-- {name} --> and its end.")
        text = place.sub(lambda found, words=words: f"{found[1]}{words}\n{found[2]}", text)  # type: ignore[misc]
    return text


def main(path: Path = README) -> None:
    """Write the parts into README.md."""
    register()
    write_whole(path, filled(path.read_text(encoding="utf-8"), parts()))
    print(f"written: {path.name}")


if __name__ == "__main__":
    command(main, __doc__)
