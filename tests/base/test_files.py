"""Files on a machine that fails: pipes in their place, folders that cannot be written, text that is no JSON."""

import errno
import os
import threading
from pathlib import Path

import pytest

from celm.base import files
from celm.base.files import check_place, check_writable, put_aside, read_json, read_regular, set_aside, write_whole


def read_only(*_, **__):
    raise OSError(errno.EROFS, "Read-only file system")


def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    answers = []

    def read():
        for reader in (read_regular, read_json):
            with pytest.raises(OSError, match="regular file"):
                reader(tmp_path / "pipe")
            answers.append(reader)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(10)
    assert len(answers) == 2


@pytest.mark.parametrize("content", [b"{", b"\xff", b"[" * 200_000, b""])
def test_what_is_no_json_is_a_value_error(tmp_path, content):
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(ValueError, match=r"."):
        read_json(tmp_path / "a.json")


def test_a_file_beyond_any_of_ours_is_not_read(tmp_path):
    with (tmp_path / "a.json").open("wb") as file:
        file.truncate(files.MAX_JSON + 1)
    with pytest.raises(OSError, match=r"a.json has 256 MB, no file of ours has more than 256"):
        read_json(tmp_path / "a.json")


def test_a_file_that_cannot_be_moved_stays_and_is_said_to(tmp_path, monkeypatch):
    (tmp_path / "a").write_text("x")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", read_only)
        assert set_aside(tmp_path / "a") == tmp_path / "a"
        assert put_aside(tmp_path / "a") == "passed over where it is, it cannot be moved"
    assert put_aside(tmp_path / "a") == "set aside as a.aside"


def test_a_folder_that_cannot_be_written_is_known_beforehand(tmp_path, monkeypatch):
    check_writable(tmp_path / "new" / "folder")
    assert list((tmp_path / "new" / "folder").iterdir()) == []
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match="file"):
        check_writable(tmp_path / "file" / "folder")
    monkeypatch.setattr(files.tempfile, "TemporaryFile", read_only)
    with pytest.raises(OSError, match="Read-only"):
        check_writable(tmp_path)


def test_a_full_disk_leaves_the_earlier_file_and_no_other(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    write_whole(tmp_path / "a", "whole")
    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "a", "half")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["whole"]


def test_a_place_is_looked_at_without_making_it(tmp_path):
    check_place(tmp_path / "not" / "yet")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for folder in (tmp_path / "file", tmp_path / "file" / "below", Path("/dev/null"), tmp_path / "link" / "below"):
        with pytest.raises(OSError, match=r"Not a directory|No such file"):
            check_place(folder)
