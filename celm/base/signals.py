"""Ctrl-C, SIGTERM and SIGHUP taken alike: whoever tells a run to stop, and however often, it ends in order."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType

# What batch systems and closed terminals send.
STOPPING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))

# An option -W of Python's.
SILENT = "ignore:resource_tracker:UserWarning"


class Stopped(KeyboardInterrupt):
    """A signal has asked this process to stop."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def exit_code(stop: KeyboardInterrupt) -> int:
    """What a shell reports for a process that a signal ended: 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP.

    Examples
    --------
    >>> exit_code(KeyboardInterrupt()), exit_code(Stopped(15))
    (130, 143)
    """
    return 128 + (stop.number if isinstance(stop, Stopped) else int(signal.SIGINT))


@contextmanager
def stopping_in_order() -> Iterator[None]:
    """Within the block Ctrl-C, SIGTERM and SIGHUP raise :class:`Stopped`, once: the first is being answered already.

    A signal that someone else answers or ignores is left so: ``nohup`` has a process ignore SIGHUP, and launchers of
    batch systems answer SIGTERM themselves. After a stop further signals stay ignored when the block is left, so that
    a second Ctrl-C does not break what the first one has begun; a process that goes on calls :func:`hearing_again`.
    """
    mine = [number for number in STOPPING if signal.getsignal(number) is signal.SIG_DFL]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        mine.append(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread():
        mine = []
    stopped = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal stopped
        stopped = True
        for one in mine:
            signal.signal(one, signal.SIG_IGN)
        raise Stopped(number)

    for number in mine:
        signal.signal(number, stop)
    try:
        yield
    finally:
        if not stopped:
            hearing_again(mine)


@contextmanager
def interrupts_waiting() -> Iterator[None]:
    """A stop within the block is answered at its end; processes and threads that are started in it hear no Ctrl-C.

    They inherit the mask of signals, which outlives the start of another program, unlike a handler. Threads that were
    there before have no such mask, so the handler waits too; and so do those of the other signals that stop us, which
    whatever is started here must hear.
    """
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    start_tracker()  # started by the first process, it would lift the mask of the thread that starts it
    heard: list[int] = []
    answered = [number for number in (signal.SIGINT, *STOPPING) if callable(signal.getsignal(number))]
    handlers = {one: signal.signal(one, lambda number, frame: heard.append(number)) for one in answered}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if heard:
            signal.raise_signal(heard[0])


def start_tracker(module: str = "multiprocessing.resource_tracker") -> None:
    """Start the process that keeps account of semaphores so that it hears no SIGHUP, as it hears no other stop.

    A terminal that is closed sends one to all: without it, everything that is then given back is told in a traceback.
    What killed processes have left behind it clears away, without a word.
    """
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING) if hasattr(signal, "pthread_sigmask") else None
    sys.warnoptions.append(SILENT)
    try:
        import_module(module).ensure_running()
    finally:
        sys.warnoptions.remove(SILENT)
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def hearing_again(numbers: Iterable[int] = (*STOPPING, signal.SIGINT)) -> None:
    """Answer these signals as a fresh process does."""
    for number in numbers:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
