"""One wording for a lost scheduler, and no other error mistaken for it."""

from concurrent.futures import CancelledError
from types import SimpleNamespace

import pytest
from distributed.comm import CommClosedError

from celm.base.clusters import ClusterError, naming_a_lost_scheduler


def client(status):
    return SimpleNamespace(status=status, scheduler=SimpleNamespace(address="tcp://127.0.0.1:1"))


@pytest.mark.parametrize(
    ("status", "error"),
    [
        ("running", CancelledError("sums")),
        ("running", CommClosedError("closed")),
        ("connecting", TimeoutError("no answer")),
        ("closed", OSError("gone")),
    ],
)
def test_a_lost_scheduler_is_named_with_what_to_do(status, error):
    words = "^owner: the scheduler at tcp://127.0.0.1:1 was lost; start it again$"
    with pytest.raises(ClusterError, match=words), naming_a_lost_scheduler(client(status), "owner", "start it again"):
        raise error


def test_an_error_of_a_task_is_left_alone():
    with pytest.raises(FileNotFoundError, match=r"rows\.parquet"), naming_a_lost_scheduler(client("running"), "", ""):
        raise FileNotFoundError("rows.parquet")
