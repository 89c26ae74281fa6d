"""A machine that fails as CELM_CHAOS says; Python imports this file first when its folder is on PYTHONPATH.

``full:N`` is a disk that takes N more files, ``read-only`` one that takes none, ``clock`` a clock that is set back an
hour now and then.
"""

import errno
import os
import tempfile
import time


def _full(left: int) -> None:
    fsync = os.fsync

    def writing(handle: int) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(handle)

    os.fsync = writing


def _read_only() -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    tempfile.mkstemp = refused
    tempfile.TemporaryFile = refused


def _clock() -> None:
    now, calls = time.time, 0

    def going_back() -> float:
        nonlocal calls
        calls += 1
        return now() - 3600 * (calls // 20)

    time.time = going_back


_fault = os.environ.get("CELM_CHAOS", "")
if _fault.startswith("full:"):
    _full(int(_fault.partition(":")[2]))
elif _fault == "read-only":
    _read_only()
elif _fault == "clock":
    _clock()
