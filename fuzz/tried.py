"""What a long form has tried so far, kept in a file: stopped, it goes on where it was; done, it begins anew."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from celm.base.files import check_place, read_json, write_whole
from celm.study.environment import commit


class Tried:
    """Outcomes of every part of a long form. A block with a fault is not counted: once mended, it is tried again."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        if path is not None:
            check_place(path.parent)  # else known after the first block alone
        kept: Any = read_json(path) if path and path.exists() else {"commits": [], "parts": {}}
        if not isinstance(kept, dict) or not all(isinstance(one, dict) for one in kept.get("parts", {"": 0}).values()):
            raise ValueError(f"{path} does not hold counts; name another file with --keep.")
        self.outcomes = {part: Counter(counts) for part, counts in kept["parts"].items()}
        self._commits: list[str] = list(kept["commits"])

    def begin_anew(self) -> None:
        """Forget what was counted."""
        self.outcomes, self._commits = {}, []

    def count(self, part: str) -> int:
        """Tried so far in a part."""
        return self.outcomes.get(part, Counter()).total()

    def add(self, part: str, outcomes: Mapping[str, int]) -> None:
        """Count a block without faults and keep it."""
        self.outcomes[part] = self.outcomes.get(part, Counter()) + Counter(outcomes)
        self._commits += [commit()] if commit() not in self._commits else []
        if self._path is not None:
            parts = {name: dict(counts.most_common()) for name, counts in self.outcomes.items()}
            write_whole(self._path, json.dumps({"commits": self._commits, "parts": parts}, indent=1) + "\n")

    def blocks(self, parts: Mapping[str, int], size: int) -> Iterator[tuple[str, range]]:
        """The numbers still to try, all parts in turn and ``size`` at a time, until each has as many as it should."""
        for start in range(0, max(parts.values(), default=0), size):
            for part, wanted in parts.items():
                numbers = range(max(start, self.count(part)), min(start + size, wanted))
                if numbers:
                    yield part, numbers

    def told(self) -> str:
        """One line per part."""
        return "\n".join(
            f"{part}: {counts.total()} tried ({', '.join(f'{n} {name}' for name, n in counts.most_common())})"
            for part, counts in self.outcomes.items()
        )


def try_all(
    tried: Tried, parts: Mapping[str, int], size: int, block: Callable[[str, range], tuple[Counter[str], list[Any]]]
) -> None:
    """Try every part as often as it should be; ends with exit code 1 at the first block that finds a fault."""
    if all(tried.count(part) >= wanted for part, wanted in parts.items()):
        tried.begin_anew()
    for part, numbers in tried.blocks(parts, size):
        outcomes, faults = block(part, numbers)
        if faults:
            print(tried.told(), *(f"  {part}: {fault}" for fault in faults[:20]), sep="\n")
            raise SystemExit(f"{len(faults)} faults in {part}, numbers {numbers.start} to {numbers.stop - 1}")
        tried.add(part, outcomes)
    print(tried.told(), "no fault", sep="\n")
