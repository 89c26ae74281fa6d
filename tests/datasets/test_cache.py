"""The cache gives back what it was given, verified, or says what is wrong."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import numpy as np
import pytest

from celm.datasets.cache import (
    CorruptCacheError,
    array_path,
    cache_folder,
    read_arrays,
    work_folder,
    write_arrays,
    write_file,
)
from celm.datasets.dataset import SourceError, array_digest


def test_cache_folder_follows_the_environment(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("CELM_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"
    monkeypatch.setenv("CELM_CACHE", "~/mine")
    assert cache_folder() == Path.home() / "mine"
    monkeypatch.setenv("CELM_CACHE", "")
    unset = cache_folder()
    assert unset.is_absolute()
    assert "celm" in unset.parts


@pytest.fixture
def kept(tmp_path, tiny_arrays):
    write_arrays(tmp_path, "tiny", tiny_arrays)
    return tmp_path, array_digest(tiny_arrays.X), array_digest(tiny_arrays.y)


def test_arrays_come_back_memory_mapped_and_read_only(kept, tiny_arrays) -> None:
    cache, *digests = kept
    X, y = read_arrays(cache, "tiny", *digests)
    np.testing.assert_array_equal(X, tiny_arrays.X)
    np.testing.assert_array_equal(y, tiny_arrays.y)
    assert isinstance(X.base, np.memmap)
    assert not X.flags.writeable
    assert [path.name for path in cache.iterdir()] == ["tiny"]


def test_absent_is_not_corrupt(kept) -> None:
    cache, *digests = kept
    with pytest.raises(SourceError, match="no copy at") as caught:
        read_arrays(cache, "other", *digests)
    assert not isinstance(caught.value, CorruptCacheError)


def test_a_device_in_the_place_of_the_cache_holds_no_copies(kept) -> None:
    with pytest.raises(SourceError, match="no copy at /dev/null") as caught:
        read_arrays(Path("/dev/null"), "tiny", *kept[1:])
    assert not isinstance(caught.value, CorruptCacheError)


def test_the_home_of_nobody_is_no_cache(monkeypatch) -> None:
    monkeypatch.setenv("CELM_CACHE", "~nobody_of_that_name/cache")
    with pytest.raises(ValueError, match="nobody of that name has a home here"):
        cache_folder()


@pytest.mark.parametrize("spoil", ["flip", "cut", "empty", "text", "header", "pickle"])
@pytest.mark.parametrize("part", ["X", "y"])
def test_spoiled_files_are_found(kept, spoil, part) -> None:
    cache, x_digest, y_digest = kept
    path = array_path(cache, "tiny", part, x_digest if part == "X" else y_digest)
    whole = path.read_bytes()
    path.unlink()
    match spoil:
        case "pickle":
            np.save(path, np.array([{}], dtype=object), allow_pickle=True)
        case _:
            path.write_bytes(
                {
                    "flip": whole[:-1] + bytes([whole[-1] ^ 1]),
                    "cut": whole[:-1],
                    "empty": b"",
                    "text": b"not an array",
                    "header": whole[:20] + b"@" + whole[21:],
                }[spoil]
            )
    with pytest.raises(CorruptCacheError, match=r"delete it to fetch it anew"):
        read_arrays(cache, "tiny", x_digest, y_digest)


def test_writing_repairs(kept, tiny_arrays) -> None:
    cache, *digests = kept
    array_path(cache, "tiny", "X", digests[0]).write_bytes(b"spoiled")
    write_arrays(cache, "tiny", tiny_arrays)
    np.testing.assert_array_equal(read_arrays(cache, "tiny", *digests).X, tiny_arrays.X)


def test_unwritable_folder_says_what_to_do(tmp_path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SourceError, match="set CELM_CACHE"), work_folder(tmp_path / "file" / "cache"):
        pytest.fail("a folder below a file cannot be made")


def test_work_folder_is_gone_even_after_an_error(tmp_path) -> None:
    def interrupted() -> None:
        with work_folder(tmp_path) as folder:
            (folder / "half").write_bytes(b"half of it")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_write_file_replaces_whole(tmp_path) -> None:
    for content in (b"first", b"second"):
        write_file(tmp_path, tmp_path / "entry" / "index.json", content)
        assert (tmp_path / "entry" / "index.json").read_bytes() == content
    assert [path.name for path in tmp_path.rglob("*")] == ["entry", "index.json"]


def test_a_pipe_in_the_place_of_an_array_is_corrupt_not_a_wait(kept) -> None:
    cache, *digests = kept
    path = array_path(cache, "tiny", "X", digests[0])
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(CorruptCacheError, match="is not a regular file"):
        read_arrays(cache, "tiny", *digests)


def test_no_pickle_is_ever_loaded() -> None:
    """Every np.load says so, and nothing that unpickles is called in the library or the harness."""
    root = Path(__file__).resolve().parent.parent.parent
    for path in [*(root / "celm").rglob("*.py"), *(root / "experiments").rglob("*.py")]:
        for call in (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)):
            name = ast.unparse(call.func)
            assert name not in ("pickle.load", "pickle.loads", "joblib.load", "pd.read_pickle"), path
            if name in ("np.load", "numpy.load"):
                allowed = {word.arg: ast.unparse(word.value) for word in call.keywords}
                assert allowed.get("allow_pickle") == "False", path
