"""Threads of BLAS: what may be used now, and one for the length of a with block."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

from threadpoolctl import threadpool_info, threadpool_limits

from celm.base.threads import blas_threads, one_blas_thread


def test_blas_is_held_to_one_thread_and_then_restored():
    with threadpool_limits(2, user_api="blas"):
        with one_blas_thread():
            assert {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"} == {1}
            assert blas_threads() == 1
        assert blas_threads() == 2


def test_the_limit_lasts_until_the_last_thread_leaves():
    inside, may_leave, seen = Event(), Event(), []

    def stay():
        with one_blas_thread():
            inside.set()
            may_leave.wait(10)
            seen.append(blas_threads())

    other = Thread(target=stay)
    before = blas_threads()
    with one_blas_thread():
        other.start()
        assert inside.wait(10)
    assert blas_threads() == 1
    may_leave.set()
    other.join(10)
    assert seen == [1]
    assert blas_threads() == before


def test_threads_that_come_and_go_leave_the_limit_as_they_found_it():
    before = blas_threads()
    with ThreadPoolExecutor(4) as pool:
        seen = set(pool.map(lambda _: limit_inside(), range(500)))
    assert seen == {1}
    assert blas_threads() == before


def test_a_limit_that_a_thread_has_set_itself_holds_inside_and_afterwards():
    stay = Event()
    other = Thread(target=stay.wait)
    other.start()
    with threadpool_limits(2, user_api="blas"):
        assert limit_inside() == 1
        assert blas_threads() == 2
    stay.set()
    other.join()


def limit_inside():
    with one_blas_thread():
        return blas_threads()
