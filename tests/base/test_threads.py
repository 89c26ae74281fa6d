"""Threads of BLAS: what may be used now, and one for the length of a with block."""

from threadpoolctl import threadpool_info, threadpool_limits

from celm.base.threads import blas_threads, one_blas_thread


def test_blas_is_held_to_one_thread_and_then_restored():
    with threadpool_limits(2, user_api="blas"):
        with one_blas_thread():
            assert {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"} == {1}
            assert blas_threads() == 1
        assert blas_threads() == 2
