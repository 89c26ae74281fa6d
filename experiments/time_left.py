"""How long a study will take: learned from the cells that have finished, here and where they were published."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean, median

from celm.study.cells import Cell
from celm.study.store import Document

# Where nothing like a cell has been run yet, its model's entry says how long one takes; layers of many nodes, which
# are for large data, take so many seconds per node.
FIRST_GUESS_OF_EMBEDDING = 30.0
MANY_NODES, SECONDS_PER_NODE = 500, 0.01
# Cells that must have finished here before they tell how quick this machine is beside the guesses.
ENOUGH = 3

Place = tuple[str, str]


class Experience:
    """Seconds that cells took by data set and model, which tell how long those to come should take.

    published: those of cells like them that others ran. known: cells that were finished here. The first round of a
    model may carry the choice for all others, so it is counted apart; and guesses are multiplied by how much longer
    than they said the finished cells have taken.
    """

    def __init__(self, known: Iterable[Document], published: Mapping[Place, list[float]] = {}) -> None:
        self._published = {place: fmean(seconds) for place, seconds in published.items() if seconds}
        self._first: dict[Place, list[float]] = {}
        self._later: dict[Place, list[float]] = {}
        self._ratios: list[float] = []
        for document in known:
            self.learn(document)

    def learn(self, document: Document, cell: Cell | None = None) -> None:
        """Count a finished cell in; a failed one tells nothing. ``cell`` lets it judge the guess, too."""
        if document["status"] != "ok":
            return
        record = {**document["shared"], **document["records"][0]}
        place, seconds = (record["dataset"], record["model"]), document["seconds"]
        if cell is not None and (guess := self._guess(cell)) > 0:
            self._ratios.append(seconds / guess)
        seen = self._later if record.get("round", 0) else self._first
        seen.setdefault(place, []).append(seconds)

    def expect(self, cells: Iterable[Cell]) -> float:
        """Seconds of all these cells: the mean of the finished ones like them, else a guess at this machine's pace."""
        pace = median(self._ratios) if len(self._ratios) >= ENOUGH else 1.0
        first, later = ({p: fmean(s) for p, s in seen.items()} for seen in (self._first, self._later))
        total = 0.0
        for cell in cells:
            place = (cell.dataset_name, cell.model.name)
            like, unlike = (later, first) if cell.round else (first, later)
            known = like.get(place)
            if known is None and place not in self._published:
                known = unlike.get(place)
            total += known if known is not None else pace * self._guess(cell)
        return total

    def is_guess(self, cell: Cell) -> bool:
        """Whether nothing like a cell has been run, here or where records were published."""
        place = (cell.dataset_name, cell.model.name)
        return not any(place in known for known in (self._published, self._first, self._later))

    def _guess(self, cell: Cell) -> float:
        return self._published.get((cell.dataset_name, cell.model.name)) or first_guess(cell)


def first_guess(cell: Cell) -> float:
    """Seconds of a cell of which nothing like it has run."""
    if cell.task == "embed":
        return FIRST_GUESS_OF_EMBEDDING
    most = max(cell.n_hidden, default=0)
    return SECONDS_PER_NODE * most if most > MANY_NODES else cell.model.about.seconds
