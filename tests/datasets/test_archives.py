"""Members are read by name; links, ways out, cuts and alterations are refused."""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from celm.datasets import archives
from celm.datasets.archives import check_archive, read_members
from celm.datasets.dataset import SourceError

MEMBERS = {"package/b": b"bb" * 5000, "package/a": b"a", "package/c": b""}


def zip_of(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_members_come_in_the_order_asked(tmp_path, make_tarball) -> None:
    for archive in (make_tarball(tmp_path / "x.tgz", MEMBERS), zip_of(tmp_path / "x.whl", MEMBERS)):
        assert read_members(archive, ["package/a", "package/b", "package/c"]) == [b"a", b"bb" * 5000, b""]


def test_missing_member_is_named(tmp_path, make_tarball) -> None:
    for archive in (make_tarball(tmp_path / "x.tgz", MEMBERS), zip_of(tmp_path / "x.whl", MEMBERS)):
        with pytest.raises(SourceError, match="does not hold package/z"):
            read_members(archive, ["package/a", "package/z"])


@pytest.mark.parametrize("name", ["../evil", "package/../../evil", "/etc/evil", "..\\evil", "C:\\evil"])
def test_members_that_lead_out_are_refused(tmp_path, make_tarball, name) -> None:
    members = {**MEMBERS, name: b"x"}
    for archive in (make_tarball(tmp_path / "x.tgz", members), zip_of(tmp_path / "x.whl", members)):
        with pytest.raises(SourceError, match="leads out of it"):
            read_members(archive, ["package/a"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.tgz", "x.whl"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_in_tarballs_are_refused(tmp_path, kind) -> None:
    with tarfile.open(tmp_path / "x.tgz", "w:gz") as archive:
        info = tarfile.TarInfo("package/a")
        info.type, info.linkname = kind, "/etc/hostname"
        archive.addfile(info, io.BytesIO())
    with pytest.raises(SourceError, match="is a link or a device"):
        read_members(tmp_path / "x.tgz", ["package/a"])


def test_links_in_wheels_are_refused(tmp_path) -> None:
    with zipfile.ZipFile(tmp_path / "x.whl", "w") as archive:
        info = zipfile.ZipInfo("package/a")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/hostname")
    with pytest.raises(SourceError, match="is a link or a device"):
        read_members(tmp_path / "x.whl", ["package/a"])


def test_archives_cut_anywhere_are_source_errors(tmp_path, make_tarball) -> None:
    for archive in (make_tarball(tmp_path / "x.tgz", MEMBERS), zip_of(tmp_path / "x.whl", MEMBERS)):
        whole = archive.read_bytes()
        for length in (0, 1, 10, len(whole) // 2, len(whole) - 30):
            archive.write_bytes(whole[:length])
            with pytest.raises(SourceError):
                read_members(archive, list(MEMBERS))


def test_check_archive_names_both_digests(tmp_path) -> None:
    path = tmp_path / "x.tgz"
    path.write_bytes(b"content")
    right = hashlib.sha256(b"content").hexdigest()
    check_archive(path, right)
    path.write_bytes(b"conten")
    with pytest.raises(SourceError, match=f"6 bytes.*expected {right}.*cut short or altered"):
        check_archive(path, right)


def test_archives_that_unpack_beyond_the_limit_are_refused(tmp_path, make_tarball, monkeypatch) -> None:
    """Also when the bomb is a member that nobody asked for: a tarball must be unpacked to pass over it."""
    monkeypatch.setattr(archives, "MAX_BYTES", 10**6)
    large = {"package/large": b"0" * 3 * 10**6}
    with zipfile.ZipFile(tmp_path / "x.whl", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("package/large", large["package/large"])
    for path, name in (
        (tmp_path / "x.whl", "package/large"),
        (make_tarball(tmp_path / "x.tgz", large), "package/large"),
        (make_tarball(tmp_path / "y.tgz", {**large, "package/a": b"a"}), "package/a"),
    ):
        with pytest.raises(SourceError, match="is refused: it unpacks to more than 0 MB"):
            read_members(path, [name])


def test_several_members_share_the_limit(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(archives, "MAX_BYTES", 100)
    path = zip_of(tmp_path / "x.whl", {"a": b"0" * 60, "b": b"0" * 60})
    assert len(read_members(path, ["a"])[0]) == 60
    with pytest.raises(SourceError, match="unpacks to more than"):
        read_members(path, ["a", "b"])


@pytest.mark.parametrize(("offset", "value"), [(6, 1), (8, 99)])
def test_encrypted_and_oddly_packed_members_are_named(tmp_path, offset, value) -> None:
    """The flag of encryption and an unknown way of packing, set in both headers of a member."""
    path = zip_of(tmp_path / "x.whl", {"package/a": b"content"})
    content = bytearray(path.read_bytes())
    content[offset] = value
    content[content.index(b"PK\x01\x02") + offset + 2] = value
    path.write_bytes(bytes(content))
    with pytest.raises(SourceError, match=r"x\.whl holds a member that cannot be unpacked"):
        read_members(path, ["package/a"])
