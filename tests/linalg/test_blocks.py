"""Row blocks are shared out between threads, the calling one among them; the first failure ends the pass."""

import threading

import pytest

from celm.linalg.blocks import share_out


def test_the_calling_thread_takes_its_share_of_the_tasks():
    met, names = threading.Barrier(2, timeout=10), []

    def work(_):
        met.wait()  # two threads pass together, so that neither can take both tasks
        names.append(threading.current_thread().name)

    share_out(range(2), lambda: work, 2)
    assert threading.current_thread().name in names
    assert len(set(names)) == 2


@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_a_failure_in_either_thread_ends_the_pass_and_is_raised(where):
    met, caller, done = threading.Barrier(2, timeout=10), threading.current_thread(), []

    def work(task):
        if task < 2:
            met.wait()
        if (threading.current_thread() is caller) == (where == "here"):
            raise ValueError(f"failed {where}")
        done.append(task)

    with pytest.raises(ValueError, match=f"failed {where}"):
        share_out(range(10_000), lambda: work, 2)
    assert len(done) < 10_000
