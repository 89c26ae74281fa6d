"""Threads of BLAS: what may be used now, and one for the length of a with block."""

from threading import Event, Thread

from threadpoolctl import threadpool_info, threadpool_limits

from celm.base.threads import blas_threads, one_blas_thread, one_blas_thread_for_all


def test_blas_is_held_to_one_thread_and_then_restored():
    with threadpool_limits(2, user_api="blas"):
        with one_blas_thread():
            assert {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"} == {1}
            assert blas_threads() == 1
        assert blas_threads() == 2


def test_the_limit_for_all_lasts_until_the_last_thread_leaves():
    inside, may_leave, seen = Event(), Event(), []

    def stay():
        with one_blas_thread_for_all():
            inside.set()
            may_leave.wait(10)
            seen.append(blas_threads())

    other = Thread(target=stay)
    before = blas_threads()
    with one_blas_thread_for_all():
        other.start()
        assert inside.wait(10)
    assert blas_threads() == 1
    may_leave.set()
    other.join(10)
    assert seen == [1]
    assert blas_threads() == before
