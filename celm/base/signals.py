"""SIGTERM and SIGHUP taken as Ctrl-C is: whoever tells a run to stop, it ends in order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# What batch systems and closed terminals send.
STOPPING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


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
    """Within the block SIGTERM and SIGHUP raise :class:`Stopped`; one that someone else answers or ignores is left so.

    ``nohup`` has a process ignore SIGHUP, and launchers of batch systems answer SIGTERM themselves.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped(number)

    mine = [number for number in STOPPING if signal.getsignal(number) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        mine = []
    for number in mine:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)
