"""Faults of published records and their manifest: an error names the file; one line of the table adds one."""

import pytest

import tests.faults.damage as do
from celm.study.store import PublishedStore, StoreError
from experiments.records import faults
from tests.faults.cells import CELLS, ONE, OTHER_DIGEST, TWO


def published(ending):
    def made(root):
        store = PublishedStore(root)
        store.write("table1", CELLS, {"title": "t", "planned_cells": 3})
        return root / f"table1.{ending}", lambda: store.documents("table1")

    return made


FILES = {
    "records": published("csv"),
    "unchosen": published("unchosen.csv.xz"),
    "surfaces": published("surfaces.csv.xz"),
    "manifest": published("json"),
}

BY_MANIFEST = "its content is not what its manifest's digest says"

TABLE = [
    # Published records.
    ("records", do.gone, "cannot be read"),
    ("records", do.folder, "cannot be read"),
    ("records", do.nowhere, "cannot be read"),
    ("records", do.holds(""), BY_MANIFEST),
    ("records", do.cut(0.5), BY_MANIFEST),
    ("records", do.cut(0.99), BY_MANIFEST),
    ("records", do.longer(b"\n"), BY_MANIFEST),
    ("records", do.flip(0.5), BY_MANIFEST),
    ("records", do.flip(0.99), BY_MANIFEST),
    ("records", do.text("0.75", "0.76"), BY_MANIFEST),
    ("records", do.text("true", "false"), BY_MANIFEST),
    ("records", do.text("\n", "\r\n"), BY_MANIFEST),
    ("records", do.text("cdelm", "cmelm"), BY_MANIFEST),
    ("records", do.beside("table1.json"), BY_MANIFEST),
    ("records", do.beside("table1.unchosen.csv.xz"), BY_MANIFEST),
    ("records", do.forged(do.text("0.75", "0.76")), "is not what its digest says"),
    ("records", do.forged(do.text("0.75", "")), "is not what its digest says"),
    ("records", do.forged(do.text("0.75", "nan")), "is not what its digest says"),
    ("records", do.forged(do.text("cdelm", "elm")), "is not what its digest says"),
    ("records", do.forged(do.text(TWO, ONE)), "cells"),
    ("records", do.forged(do.text(TWO, "f" * 32)), "cells"),
    ("records", do.forged(do.text("wdbc,cdelm,0", "wdbc,cdelm,4")), "is not what its digest says"),
    ("records", do.forged(do.text(f"{TWO},0", f"{TWO},9")), "table1.csv"),
    ("records", do.forged(do.text(f"{TWO},0", f"{TWO},-1")), "table1.csv"),
    ("records", do.forged(do.text("accuracy", "accurate")), "has other columns than table1.csv"),
    ("records", do.forged(do.longer(b"wdbc,elm\n")), "values for"),
    ("records", do.forged(do.text("\nwdbc", "\n")), "table1.csv"),
    # What was tried and not chosen, and the surfaces.
    ("unchosen", do.gone, "cannot be read"),
    ("unchosen", do.holds(""), BY_MANIFEST),
    ("unchosen", do.cut(0.5), BY_MANIFEST),
    ("unchosen", do.flip(0.5), BY_MANIFEST),
    ("unchosen", do.longer(b"\0"), BY_MANIFEST),
    ("unchosen", do.beside("table1.csv"), BY_MANIFEST),
    ("unchosen", do.beside("table1.surfaces.csv.xz"), BY_MANIFEST),
    ("unchosen", do.forged(do.text("0.5", "0.6")), "is not what its digest says"),
    ("unchosen", do.forged(do.text("false", "true")), "is not what its digest says"),
    ("unchosen", do.forged(do.text(TWO, ONE)), "is not what its digest says"),
    ("surfaces", do.gone, "cannot be read"),
    ("surfaces", do.cut(0.9), BY_MANIFEST),
    ("surfaces", do.flip(0.4), BY_MANIFEST),
    ("surfaces", do.beside("table1.unchosen.csv.xz"), BY_MANIFEST),
    ("surfaces", do.forged(do.text("[3, 4]", "[3, 5]")), "is not what its digest says"),
    ("surfaces", do.forged(do.text("[3, 5]", "[5, 3]")), "is not what its digest says"),
    ("surfaces", do.forged(do.text(TWO, ONE)), "surfaces of other cells"),
    # The manifest.
    ("manifest", do.laid_out, do.HARMLESS),
    ("manifest", do.gone, "is missing"),
    ("manifest", do.folder, "cannot be read"),
    ("manifest", do.holds(""), "cannot be read"),
    ("manifest", do.holds("[]"), "is of format None"),
    ("manifest", do.holds("{}"), "is of format None"),
    ("manifest", do.holds(b"\xff"), "cannot be read"),
    ("manifest", do.holds(do.DEEP), "cannot be read"),
    ("manifest", do.holds('{"format": 2}'), "digest"),
    ("manifest", do.cut(0.5), "cannot be read"),
    ("manifest", do.cut(0.98), "cannot be read"),
    ("manifest", do.beside("table1.csv"), "cannot be read"),
    ("manifest", do.plain(do.put(2, "constants", "seed")), OTHER_DIGEST),
    ("manifest", do.plain(do.put(2, "planned_cells")), OTHER_DIGEST),
    ("manifest", do.plain(do.put("0", "cell_digests", ONE)), OTHER_DIGEST),
    ("manifest", do.plain(do.put("0" * 64, "files", "table1.csv", "sha256")), OTHER_DIGEST),
    ("manifest", do.plain(do.put("d", "provenance", 0, "commit")), OTHER_DIGEST),
    ("manifest", do.plain(do.drop("digest")), "digest"),
    ("manifest", do.plain(do.put(None, "digest")), OTHER_DIGEST),
    ("manifest", do.signed(do.put(3, "format")), "is of format 3"),
    ("manifest", do.signed(do.put("2", "format")), "is of format 2"),
    ("manifest", do.signed(do.put("fig4", "experiment")), "is the manifest of fig4"),
    ("manifest", do.signed(do.put(2, "cells")), "cells"),
    ("manifest", do.signed(do.put(5, "rows")), "rows"),
    ("manifest", do.signed(do.put(2, "constants", "seed")), "is not what its digest says"),
    ("manifest", do.signed(do.put(0.9, "constants", "cv_accuracy")), "is not what its digest says"),
    ("manifest", do.signed(do.drop("constants", "seed")), "is not what its digest says"),
    ("manifest", do.signed(do.put("d", "provenance", 0, "commit")), "is not what its digest says"),
    ("manifest", do.signed(do.put([], "provenance")), "table1.json"),
    ("manifest", do.signed(do.drop("cell_digests", ONE)), "cells"),
    ("manifest", do.signed(do.put("0" * 32, "cell_digests", ONE)), "is not what its digest says"),
    ("manifest", do.signed(do.put(2, "files", "table1.csv", "rows")), "by its manifest 2"),
    ("manifest", do.signed(do.put(["dataset"], "files", "table1.csv", "columns")), "by its manifest dataset"),
    ("manifest", do.signed(do.put("0" * 64, "files", "table1.csv", "sha256")), BY_MANIFEST),
    ("manifest", do.signed(do.drop("files", "table1.unchosen.csv.xz")), "table1"),
    ("manifest", do.signed(do.drop("files", "table1.surfaces.csv.xz")), "has other columns than table1.csv"),
    ("manifest", do.signed(do.drop("files", "table1.csv")), "table1"),
    ("manifest", do.signed(do.put({}, "files")), "table1"),
    ("manifest", do.signed(do.drop("files", "table1.csv", "sha256")), "table1.json"),
    ("manifest", do.signed(do.drop("files")), "table1.json"),
    ("manifest", do.signed(do.drop("cell_digests")), "table1.json"),
    ("manifest", do.signed(do.drop("constants")), "table1.json"),
    ("manifest", do.signed(do.drop("provenance")), "table1.json"),
    ("manifest", do.signed(do.drop("by_dataset")), "table1.json"),
    ("manifest", do.signed(do.drop("rows")), "table1.json"),
    ("manifest", do.signed(do.put({"wdbc": {"seed": 9}}, "by_dataset")), "is not what its digest says"),
    ("manifest", do.signed(do.put({"elm": {"cv_accuracy": 0.9}}, "by_model")), "is not what its digest says"),
    ("manifest", do.signed(do.put([], "by_model")), "table1.json"),
    ("manifest", do.signed(do.put(None, "files")), "table1.json"),
]


def test_every_file_is_damaged_in_many_ways():
    assert len(TABLE) >= 80
    assert {file for file, _, _ in TABLE} == set(FILES)


@pytest.mark.parametrize(("file", "done", "must"), TABLE, ids=[f"{i}-{row[0]}" for i, row in enumerate(TABLE)])
def test_no_fault_changes_a_number_silently(survives, tmp_path, file, done, must):
    survives(FILES[file], done, must, refused=True)
    assert bool(faults(tmp_path)) == (must != do.HARMLESS)


@pytest.mark.parametrize(("file", "done"), [row[:2] for row in TABLE if row[0] != "unchosen"])
def test_rows_that_are_read_alone_are_as_they_were_or_refused(tmp_path, file, done):
    path, _ = FILES[file](tmp_path)
    store = PublishedStore(tmp_path)
    honest = store.documents("table1", chosen_alone=True)
    done(path)
    is_forged = done.__qualname__.startswith(("signed", "forged"))
    try:
        found = store.documents("table1", chosen_alone=True)
    except StoreError:
        return
    # Digests of whole cells need the rows that were not chosen: make verify-store has read them, see above.
    assert found == honest or is_forged


def test_a_file_that_no_manifest_knows_is_a_fault(tmp_path):
    published("csv")(tmp_path)
    (tmp_path / "table1.surfaces.csv").write_text("cell\n")
    assert faults(tmp_path) != []
