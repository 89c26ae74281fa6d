"""A user's file: cut into columns in one way, or refused in a sentence; no file can stall or fill the machine."""

from __future__ import annotations

import gzip
import os
import time
from pathlib import Path

import pytest

from celm.datasets import text_file
from celm.datasets.dataset import DatasetError
from celm.datasets.text_file import read_text_file

COLUMNS = {"a": ["1", "2"], "b": ["3", "4"], "y": ["u", "v"]}


@pytest.fixture
def read(tmp_path):
    def reading(content: str | bytes, separator="auto", *, header=True):
        path = tmp_path / "t.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_text_file(path, separator, header=header)

    return reading


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_separator_is_found(read, mark) -> None:
    assert read("a,b,y\n1,3,u\n2,4,v\n".replace(",", mark)) == COLUMNS


def test_decimal_commas_between_semicolons(read) -> None:
    assert read("a;y\n1,5;u\n2,25;v\n")["a"] == ["1,5", "2,25"]


def test_the_separator_is_found_where_fields_hold_line_ends(read) -> None:
    rows = [f'{i};"a note\nof two lines";{i % 2}\n' for i in range(30)]
    assert len(read("".join(["a;b;y\n", *rows]))["y"]) == 30


def test_lines_of_white_space_are_blank(read) -> None:
    assert read("a,b,y\n1,3,u\n \t \n2,4,v\n\t\n") == COLUMNS


@pytest.mark.parametrize(
    "text",
    [
        "a,b,y\n1,3,u\na,b,y\n2,4,v\n",
        "male,high,yes\nfemale,high,no\nmale,low,yes\n",
        "male,1,yes\nfemale,2,no\nmale,3,yes\n",
        "0,1,u\n1,1,v\n0,0,u\n",
    ],
)
def test_a_header_that_comes_again_or_is_a_row_of_data_is_refused(read, text) -> None:
    with pytest.raises(DatasetError, match=r"among the values of its column.*dataset.header=false; .* remove it there"):
        read(text)
    assert len(read(text, header=False)) == 3


def test_names_of_which_some_are_values_are_names(read) -> None:
    assert list(read("0,1,y\n5,6,y\n7,8,n\n")) == ["0", "1", "y"]
    assert list(read("a,yes\n5,yes\n7,no\n")) == ["a", "yes"]


def test_forty_thousand_equal_names_are_refused_at_once(read) -> None:
    started = time.process_time()
    with pytest.raises(DatasetError, match="two columns of one name: c; rename one"):
        read(",".join([f"c{i}" for i in range(40_000)] + ["c", "c"]) + "\n1\n")
    assert time.process_time() - started < 5


def test_quotes_blank_lines_and_other_line_ends(read) -> None:
    assert read('"a, of it",y\r\n"1",u\r\n\r\n2,"v, w"\r\n') == {"a, of it": ["1", "2"], "y": ["u", "v, w"]}


def test_without_a_header_columns_are_numbered(read) -> None:
    text = "5.1,3.5,setosa\n4.9,3.0,setosa\n"
    with pytest.raises(DatasetError, match=r"numbers in its first line \(5.1, 3.5\).*add dataset.header=false"):
        read(text)
    assert list(read(text, header=False)) == ["1", "2", "3"]
    assert len(read(text, header=False)["3"]) == 2


def test_counting_names_are_names(read) -> None:
    assert list(read("0,1,y\n5,6,u\n")) == ["0", "1", "y"]


def test_marks_of_the_byte_order_are_no_part_of_a_name(read) -> None:
    assert read("\ufeff\ufeffa,b,y\n1,3,u\n2,4,v\n") == COLUMNS


def test_packed_with_gzip(read) -> None:
    assert read(gzip.compress(b"a,b,y\n1,3,u\n2,4,v\n", mtime=0)) == COLUMNS


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,y\n1,2,3\n4,5,6\n", "one field more in every row than names.*columns would shift.*index=False"),
        ("a,b,y\n1,2,3\n4,5\n", r"has 2 fields in line 3, its header has 3 \(1 such lines\).*separator=semicolon"),
        ("sep=,\na,b,y\n1,2,3\n4,5,6\n", "one field more in every row.* with no line above the names"),
        ("# made today\na,b,y\n1,2,3\n4,5,6\n", "one field in its first line, '# made today', and more below; remove"),
        ("red\x1b[2J\na,b\n1,2\n", r"first line, 'red\\\\x1b\[2J', and more"),
        ("a,y\n", "has a header and no rows"),
        ("", "is empty"),
        ("a,a,y\n1,2,3\n", "two columns of one name: a"),
        ('a,y\n1,u\n2,"v\n3,u\n', "cannot be read in line 4: unexpected end of data"),
        ('a,y\n1,"u"v\n', "cannot be read in line 2"),
        ("a,b;c\n1,2;3\n", "in several ways; say which with dataset.separator=comma or dataset.separator=semicolon"),
        (b"a,y\n1,\xff\n", r"not UTF-8 text \(line 2\)"),
        (b"a,y\n1,\x00\n", "holds zero bytes"),
        (b"PAR1....", r"is a Parquet file, not a text table; .*read_parquet"),
        (b"PK\x03\x04....", "a zip archive or a spreadsheet"),
        (b"BZh9....", "packed with bzip2"),
        (b"\xff\xfea\x00", "text in UTF-16"),
        ("a,y\n1,2\n".encode("utf-32"), "text in UTF-32"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old spreadsheet"),
        (b"\x1f\x8bspoilt", "cannot be read"),
        (gzip.compress(b"PAR1....", mtime=0), "is a Parquet file, not a text table"),
        (gzip.compress(gzip.compress(b"a,y\n1,2\n", mtime=0), mtime=0), "packed with gzip more than once"),
        (b"SQLite format 3\x00", "a data base of SQLite"),
        (b"%PDF-1.4\na,y\n", "is a PDF"),
        (f"{'a' * 9000},y\n1,u\n2,v\n", "has a name of 9000 characters in its first line, the limit is 300"),
        ("a,b,y\n1,2,u,\n2,3,v,\n", "ends every row with a separator, but not its header"),
        (gzip.compress(b"a,y\n1,2\n" * 1000, mtime=0)[:-20], "cannot be read"),
    ],
)
def test_what_cannot_be_read_in_one_way_is_refused(read, content, message) -> None:
    with pytest.raises(DatasetError, match=message):
        read(content)


def test_a_huge_field_is_not_quoted_in_the_error(read) -> None:
    with pytest.raises(DatasetError, match="field that cannot be read in line") as caught:
        read('a,y\n"' + "x" * 2_000_000 + '",u\n')
    assert len(str(caught.value)) < 400


def test_a_huge_header_is_refused_by_its_number_of_columns(read) -> None:
    names = ",".join(f"c{i}" for i in range(200_000))
    with pytest.raises(DatasetError, match="has 200000 columns, the limit is 50000"):
        read(f"{names}\n{names}\n", separator="comma")

    with pytest.raises(DatasetError, match="has 200000 columns, the limit is 50000"):
        read(f"{names}\n{names}\n")


def test_a_file_without_a_size_is_not_opened_since_some_of_the_kernel_have_no_end(tmp_path, monkeypatch) -> None:
    (tmp_path / "kmsg").touch()
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("it was opened"))
    with pytest.raises(DatasetError, match="is empty"):
        read_text_file(tmp_path / "kmsg", "auto", header=True)


def test_a_file_that_unpacks_beyond_the_limit_is_refused(read, monkeypatch) -> None:
    monkeypatch.setattr(text_file, "MAX_BYTES", 2**20)
    with pytest.raises(DatasetError, match="holds more than 1 MB"):
        read(gzip.compress(b"a,y\n" + b"1,2\n" * 2**19, mtime=0))


def test_pipes_devices_and_folders_are_refused_at_once(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, what in (
        (tmp_path / "pipe", "a pipe"),
        (Path("/dev/zero"), "a pipe or a device"),
        (tmp_path, "a folder"),
    ):
        with pytest.raises(DatasetError, match=f"is {what}.*dataset.path must name a file"):
            read_text_file(path, "auto", header=True)


def test_a_missing_file(tmp_path) -> None:
    with pytest.raises(DatasetError, match=r"nowhere\.csv cannot be read: .*Check dataset.path"):
        read_text_file(tmp_path / "nowhere.csv", "auto", header=True)
