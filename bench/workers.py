"""The processes that are timed: one per library and task, asked by lines of text and answering in JSON."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from celm.base.threads import THREAD_VARIABLES

PROGRAM = Path(__file__).with_name("worker.py")
TOO_LONG = "no answer within"
# Times the patience for one answer that workers have to start.
STARTING = 4


class WorkerFailed(RuntimeError):
    """A worker answered with an error, died or took too long."""


class Worker:
    """One process with one library and one task; answers are awaited for at most ``patience`` seconds."""

    def __init__(self, python: Path, order: dict[str, Any], threads: int, patience: float) -> None:
        environment = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(threads))}
        command = [str(python), "-W", "ignore", str(PROGRAM), json.dumps(order)]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, env=environment, text=True, **pipes)
        self._patience = patience
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def version(self) -> str:
        """The library's version, which a worker tells as soon as it is ready; those that start together wait longer."""
        return str(self._answer(STARTING * self._patience)["version"])

    def _listen(self) -> None:
        for line in self._process.stdout or []:
            self._answers.put(line)
        self._answers.put("")

    def _answer(self, patience: float) -> dict[str, Any]:
        try:
            line = self._answers.get(timeout=patience)
        except queue.Empty:
            self.stop()
            raise WorkerFailed(f"{TOO_LONG} {patience:g} s") from None
        answer = json.loads(line) if line else {"error": f"ended with code {self._process.wait()}"}
        if "error" in answer:
            raise WorkerFailed(answer["error"])
        return dict(answer)

    def ask(self, order: str) -> dict[str, Any]:
        """Send an order and await its answer."""
        try:
            print(order, file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise WorkerFailed("ended before it was asked") from None
        return self._answer(self._patience)

    def stop(self) -> None:
        """End the process, whatever it does."""
        with suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait()
        self._listener.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
