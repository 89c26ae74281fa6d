"""Signals that mean stop: raised in the block alone, and only where nobody else answers them."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from celm.base import signals
from celm.base.signals import Stopped, exit_code, hearing_again, interrupts_waiting, stopping_in_order


@pytest.fixture(autouse=True)
def _as_before():
    """Signals are answered after a test as before it: a program that is started later would inherit a deaf ear."""
    before = {one: signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    yield
    for one, answer in before.items():
        signal.signal(one, answer)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_a_signal_ends_the_block_as_ctrl_c_would(number, code):
    def told_to_stop():
        with stopping_in_order():
            os.kill(os.getpid(), number)
            threading.Event().wait(10)

    hearing_again()
    with pytest.raises(Stopped) as stopped:
        told_to_stop()
    assert exit_code(stopped.value) == code
    os.kill(os.getpid(), number)  # a second one breaks nothing of what the first has begun
    hearing_again()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_block_that_is_not_stopped_leaves_everything_as_it_was():
    before = {one: signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    with stopping_in_order():
        pass
    assert {one: signal.getsignal(one) for one in before} == before


def test_an_interrupt_during_a_start_waits_for_its_end():
    seen = []
    signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    with interrupts_waiting():
        os.kill(os.getpid(), signal.SIGINT)
        child = subprocess.run(
            [sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('deaf')"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert seen == []
    assert seen == [signal.SIGINT]
    assert child.stdout == "deaf\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_what_stops_a_run_waits_too_and_what_is_started_hears_it(number):
    ends = f"import os, signal; os.kill(os.getpid(), {int(number)}); print('deaf')"
    started = []
    hearing_again()

    def start_and_be_stopped():
        with stopping_in_order(), interrupts_waiting():
            os.kill(os.getpid(), number)
            started.append(subprocess.run([sys.executable, "-c", ends], capture_output=True, check=False).returncode)

    with pytest.raises(Stopped) as stop:
        start_and_be_stopped()
    assert stop.value.number == number
    assert started == [-number]


SPAWNS = """
import multiprocessing, os, signal
from signals import interrupts_waiting

def strike():
    os.kill(os.getpid(), signal.SIGINT)

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with interrupts_waiting():
        child = multiprocessing.get_context("spawn").Process(target=strike)
        child.start()
    child.join()
    print(child.exitcode)
"""


def run_alone(source, folder, **how):
    """A script that imports the module alone: the library behind it would be most of a test, twice."""
    script = folder / "script.py"
    script.write_text(source)
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(signals.__file__)}
    command = [sys.executable, str(script)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, **how)


def test_the_first_process_that_is_spawned_hears_none_either(tmp_path):
    """The tracker of resources starts with it and lifts the mask of the thread that starts it."""
    done = run_alone(SPAWNS, tmp_path)
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_a_signal_that_is_ignored_stays_so():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with stopping_in_order():
        os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


def test_another_thread_changes_nothing():
    seen = []

    def enter():
        with stopping_in_order():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join(10)
    assert seen == [signal.getsignal(signal.SIGTERM)]


TRACKED = """
import os, signal, sys
from multiprocessing import resource_tracker
from signals import start_tracker

start_tracker()
resource_tracker.register("/zzz-nobody-gives-this-back", "semaphore")
os.killpg(0, signal.SIGHUP) if signal.signal(signal.SIGHUP, signal.SIG_IGN) is signal.SIG_DFL else None
resource_tracker._resource_tracker._check_alive() or sys.exit("the tracker is gone")
"""


def test_the_tracker_outlives_a_closed_terminal_and_says_nothing(tmp_path):
    done = run_alone(TRACKED, tmp_path, start_new_session=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
