"""The published records as files: what is there holds, what is spoilt is named, the first format is carried over."""

import json
import shutil
from pathlib import Path

import pytest

from celm.study.store import PublishedStore
from celm.study.store.row_text import LAST_COLUMNS, SORT_COLUMNS, to_text
from experiments import records, verify
from experiments.records import faults, rewrite

ROOT = Path(__file__).resolve().parents[2]
SMALL = ["codebook", "fit_times", "table3_readings", "table1+orthogonal_uniform_bias"]


@pytest.fixture
def folder(tmp_path):
    """A copy of a few published experiments."""
    for name in SMALL:
        for path in (ROOT / "results" / "records").glob(f"{name}.*"):
            shutil.copy(path, tmp_path)
    return tmp_path


def test_the_command_says_what_holds_and_names_what_does_not(folder, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["records", "verify", "--folder", str(folder)])
    records.main()
    assert capsys.readouterr().out.startswith("4 experiments, ")
    path = folder / "codebook.csv"
    path.write_text(path.read_text().replace("0.7", "0.8", 1))
    with pytest.raises(SystemExit, match="1 faults in"):
        records.main()
    assert "codebook.csv: its content is not what its manifest's digest says" in capsys.readouterr().out


def test_a_file_that_no_manifest_knows_is_named(folder):
    (folder / "codebook.surfaces.csv.xz").write_bytes(b"")
    assert faults(folder) == [f"{folder / 'codebook.surfaces.csv.xz'} is in no manifest"]


def in_first_format(folder, name):
    """Write an experiment as it was before records carried digests: one CSV of all rows."""
    store = PublishedStore(folder)
    manifest, rows = store.manifest(name), []
    for key, document in store.documents(name).items():
        origin = manifest["provenance"].index(document["provenance"])
        rows += [
            {**row, "seconds": document["seconds"], "cell": key, "provenance": origin} for row in document["records"]
        ]
    known = {*manifest["constants"], *SORT_COLUMNS, *LAST_COLUMNS}
    known |= {column for by in ("dataset", "model") for group in manifest[f"by_{by}"].values() for column in group}
    middle = sorted({column for row in rows for column in row} - known)
    for path in folder.glob(f"{name}.*"):
        path.unlink()
    (folder / f"{name}.csv").write_text(to_text(rows, [*SORT_COLUMNS, *middle, *LAST_COLUMNS]))
    new = ("format", "files", "cell_digests", "digest")
    (folder / f"{name}.json").write_text(json.dumps({k: v for k, v in manifest.items() if k not in new}))


def test_the_first_format_is_carried_over_without_a_change(folder):
    name = "table1+orthogonal_uniform_bias"
    before = PublishedStore(folder).documents(name), {path.name: path.read_bytes() for path in folder.iterdir()}
    in_first_format(folder, name)
    assert faults(folder) == [f"{folder / name}.json is of format None, this code reads format 2"]
    assert rewrite(folder) == [name]
    assert PublishedStore(folder).documents(name) == before[0]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before[1]
    assert rewrite(folder) == []


def test_a_rerun_of_what_is_not_published_is_refused_in_a_sentence(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["verify", "tabel1"])
    with pytest.raises(SystemExit) as stop:
        verify.main()
    assert stop.value.code == 2
    assert "tabel1 is not published. Did you mean 'table1'?" in capsys.readouterr().err


def test_a_folder_without_records_is_no_success(tmp_path):
    for folder in (tmp_path, tmp_path / "nowhere"):
        assert faults(folder) == [f"{folder} holds no published records: there is nothing to check"]
        with pytest.raises(ValueError, match="holds no published records: there is nothing to rewrite"):
            rewrite(folder)
