"""What is done to a file: functions of its path. ``signed`` faults carry the digest of what they now say, as a program
with an error would write them.
"""

import hashlib
import json
import lzma
import os

import numpy as np

from celm.base.files import content_digest

# What must happen where nothing is wrong, and where a file counts as absent.
HARMLESS, ABSENT = "nothing is wrong with it", "it is not there"
DEEP = "[" * 100_000


def gone(path):
    path.unlink()


def folder(path):
    path.unlink()
    path.mkdir()


def pipe(path):
    path.unlink()
    os.mkfifo(path)


def nowhere(path):
    path.unlink()
    path.symlink_to(path.parent / "nowhere")


def holds(content):
    """The file holds this text instead."""

    def change(path):
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    return change


def cut(share):
    """The file ends early, as when a disk was full."""

    def change(path):
        whole = path.read_bytes()
        path.write_bytes(whole[: int(share * len(whole))])

    return change


def flip(share, bit=1):
    """One bit differs, so far into the file."""

    def change(path):
        content = bytearray(path.read_bytes())
        content[min(int(share * len(content)), len(content) - 1)] ^= bit
        path.write_bytes(content)

    return change


def longer(more):
    def change(path):
        path.write_bytes(path.read_bytes() + more)

    return change


def text(old, new):
    """One text in the file is replaced."""

    def change(path):
        content = path.read_bytes()
        assert old.encode() in content, f"{old!r} is not in the file: the fault would be none"
        path.write_bytes(content.replace(old.encode(), new.encode(), 1))

    return change


def beside(name):
    """The file is replaced by another one of its folder."""

    def change(path):
        path.write_bytes((path.parent / name).read_bytes())

    return change


def put(value, *where):
    """A value is set, so deep in a JSON file."""

    def change(content):
        for step in where[:-1]:
            content = content[step]
        content[where[-1]] = value

    return change


def drop(*where):
    def change(content):
        for step in where[:-1]:
            content = content[step]
        del content[where[-1]]

    return change


def double(*where):
    """An entry of a list stands in it twice."""

    def change(content):
        for step in where[:-1]:
            content = content[step]
        content.append(content[where[-1]])

    return change


def swap(first, second):
    """Two values change places."""

    def change(content):
        ends = []
        for where in (first, second):
            at = content
            for step in where[:-1]:
                at = at[step]
            ends.append((at, where[-1]))
        (a, i), (b, j) = ends
        a[i], b[j] = b[j], a[i]

    return change


def plain(change):
    """The JSON is changed by hand: its digest is the old one."""

    def done(path):
        content = json.loads(path.read_text())
        change(content)
        path.write_text(json.dumps(content))

    return done


def signed(change):
    """The JSON is changed and carries the digest of what it now says."""

    def done(path):
        content = json.loads(path.read_text())
        content.pop("digest")
        change(content)
        path.write_text(json.dumps({**content, "digest": content_digest(content)}))

    return done


def forged(change):
    """A published file is changed, and its manifest gives the new digest, signed: only the cells' digests are left."""

    def done(path):
        packed = path.suffix == ".xz"
        if packed:
            path.write_bytes(lzma.decompress(path.read_bytes()))
        change(path)
        lines = path.read_text().splitlines()
        if packed:
            path.write_bytes(lzma.compress(path.read_bytes()))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        described = {"sha256": digest, "rows": len(lines) - 1, "columns": lines[0].split(",")}
        signed(put(described, "files", path.name))(path.parent / "table1.json")

    return done


def array(change):
    """A kept array is loaded, changed and saved."""

    def done(path):
        changed = change(np.load(path))
        path.unlink()
        np.save(path, changed)

    return done


def laid_out(path):
    path.write_text(json.dumps(json.loads(path.read_text()), indent=7))
