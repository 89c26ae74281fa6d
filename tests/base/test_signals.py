"""Signals that mean stop: raised in the block alone, and only where nobody else answers them."""

import os
import signal
import threading

import pytest

from celm.base.signals import Stopped, exit_code, stopping_in_order


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_the_block_as_ctrl_c_would(number, code):
    def told_to_stop():
        with stopping_in_order():
            os.kill(os.getpid(), number)
            threading.Event().wait(10)

    before = signal.signal(number, signal.SIG_DFL)
    try:
        with pytest.raises(Stopped) as stopped:
            told_to_stop()
        assert exit_code(stopped.value) == code
        assert signal.getsignal(number) is signal.SIG_DFL
    finally:
        signal.signal(number, before)


def test_a_signal_that_is_ignored_stays_so():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stopping_in_order():
            os.kill(os.getpid(), signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_another_thread_changes_nothing():
    seen = []

    def enter():
        with stopping_in_order():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join(10)
    assert seen == [signal.getsignal(signal.SIGTERM)]
