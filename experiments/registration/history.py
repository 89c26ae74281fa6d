"""What git knows of files that a registration fixes: when they changed, what a commit held, which commit was first."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path


class NoHistory(Exception):
    """Git cannot say: no repository, a shallow one, or no git at all."""


class History:
    """The commits of a repository.

    Parameters
    ----------
    root : path
        The top folder of its work tree.
    remembering : bool
        Ask git the same question once only: for reading, while nobody commits.
    """

    def __init__(self, root: str | Path, *, remembering: bool = False) -> None:
        self.root = Path(root)
        if remembering:
            self._git = cache(self._git)  # type: ignore[method-assign]

    def check_whole(self) -> None:
        """Raise :class:`NoHistory` unless this folder is the top of a repository with all its commits."""
        found = self._git("rev-parse", "--is-shallow-repository", "--show-toplevel")
        if found is None:
            raise NoHistory("there is no git repository here")
        shallow, top = found.decode().splitlines()
        if Path(top).resolve() != self.root.resolve():
            raise NoHistory("there is no git repository here")
        if shallow != "false":
            raise NoHistory("this clone is shallow")

    def is_clean(self) -> bool:
        """Whether the work tree is that of a commit, new files counted too."""
        return self._git("status", "--porcelain") == b""

    def knows(self, commit: str) -> bool:
        """Whether there is such a commit."""
        return self._git("cat-file", "-e", f"{commit}^{{commit}}") is not None

    def is_before(self, first: str, second: str) -> bool:
        """Whether the first commit is the second or one of those that it builds on."""
        return self._git("merge-base", "--is-ancestor", first, second) is not None

    def commits_of(self, path: str) -> list[str]:
        """The commits up to now that changed a file, oldest first."""
        found = self._git("log", "--format=%H", "--reverse", "--topo-order", "--full-history", "--", path) or b""
        return found.decode().split()

    def contents(self, commit: str, paths: Iterable[str]) -> dict[str, bytes]:
        """Path -> content in a commit, for those files that it has."""
        wanted = sorted(set(paths))
        asked = "".join(f"{commit}:{path}\n" for path in wanted).encode()
        answer = self._git("cat-file", "--batch", asked=asked) or b""
        found = {}
        for path in wanted:
            head, _, answer = answer.partition(b"\n")
            if not head.endswith(b" missing"):
                size = int(head.split()[-1])
                found[path], answer = answer[:size], answer[size + 1 :]
        return found

    def here(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Path -> content in the work tree, for those files that it has."""
        return {path: (self.root / path).read_bytes() for path in paths if (self.root / path).is_file()}

    def _git(self, *words: str, asked: bytes | None = None) -> bytes | None:
        """What git answers; None where it refuses or is not there."""
        try:
            answer = subprocess.run(["git", *words], cwd=self.root, input=asked, capture_output=True, timeout=60)
        except (OSError, subprocess.SubprocessError):
            return None
        return answer.stdout if answer.returncode == 0 else None
