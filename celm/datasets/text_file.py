"""A user's file becomes named columns of text: only a table that can be read in one way is read.

Limits, so that no file can stall or fill the machine: it is a regular file, of at most MAX_BYTES once unpacked, with
at most MAX_COLUMNS columns and MAX_FIELD characters in a field.
"""

from __future__ import annotations

import csv
import gzip
import io
import stat
import zlib
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from celm.datasets.columns import listed
from celm.datasets.dataset import DatasetError

MAX_BYTES = 2**28
MAX_COLUMNS = 50_000
MAX_FIELD = 100_000
# Characters in the name of a column.
MAX_NAME = 300
# Rows by which a separator is found.
FIRST_ROWS = 20

#: What a separator is called on the command line, where ; and tabs mean something else.
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
#: First bytes of files that are no text, what they are, and what to do.
_OTHER_FILES = {
    b"PAR1": ("a Parquet file", "write it as CSV: pandas.read_parquet(PATH).to_csv('table.csv', index=False)"),
    b"PK\x03\x04": ("a zip archive or a spreadsheet", "unpack it, or save the sheet as CSV"),
    b"BZh": ("packed with bzip2", "unpack it with bunzip2; gzip can be read as it is"),
    b"\xfd7zXZ": ("packed with xz", "unpack it with unxz; gzip can be read as it is"),
    b"\x28\xb5\x2f\xfd": ("packed with zstd", "unpack it with unzstd; gzip can be read as it is"),
    b"\x89HDF": ("an HDF5 file", "write it as CSV"),
    b"\xd0\xcf\x11\xe0": ("an old spreadsheet", "save the sheet as CSV"),
    b"\x1f\x8b": ("packed with gzip more than once", "unpack it with gunzip"),
    b"\x1f\x9d": ("packed with compress", "unpack it with uncompress; gzip can be read as it is"),
    b"\x04\x22\x4d\x18": ("packed with lz4", "unpack it with unlz4; gzip can be read as it is"),
    b"7z\xbc\xaf": ("a 7z archive", "unpack it"),
    b"Rar!": ("a rar archive", "unpack it"),
    b"ARROW1": ("an Arrow file", "write it as CSV: pandas.read_feather(PATH).to_csv('table.csv', index=False)"),
    b"SQLite": ("a data base of SQLite", "write the table as CSV"),
    b"\x93NUMPY": ("an array of numpy", "write it as CSV, with a label in each row"),
    b"%PDF": ("a PDF", "save its table as CSV"),
    b"\xff\xfe\x00\x00": ("text in UTF-32", "save it as UTF-8"),
    b"\xff\xfe": ("text in UTF-16", "save it as UTF-8"),
    b"\xfe\xff": ("text in UTF-16", "save it as UTF-8"),
}


def read_text_file(path: Path, separator: str, *, header: bool) -> dict[str, list[str]]:
    """The columns of a file by name; without a ``header`` they are called 1, 2, 3 …."""
    owner = f"The file {path}"
    text = _text(_content(path, owner), owner)
    mark = _separator(text, owner) if separator == "auto" else SEPARATORS[separator]
    rows = _rows(text, mark, owner)
    if not rows:
        raise DatasetError(f"{owner} is empty; a header row and rows of data are needed.")
    names = _names(rows[0][1], owner) if header else [str(number + 1) for number in range(len(rows[0][1]))]
    body = rows[1:] if header else rows
    _check_shape(body, names, owner)
    columns = [list(column) for column in zip(*(fields for _, fields in body), strict=True)]
    if header:
        _check_header(names, columns, owner)
    return dict(zip(names, columns, strict=True))


def _content(path: Path, owner: str) -> bytes:
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            what = "a folder" if stat.S_ISDIR(about.st_mode) else "a pipe or a device"
            raise DatasetError(f"{owner} is {what}, not a file; dataset.path must name a file with a table.")
        if not about.st_size:  # so are the kernel's own files, of which some have no end
            return b""
        with path.open("rb") as file:
            packed_once = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            if packed_once:
                with gzip.GzipFile(fileobj=file) as packed:
                    content = packed.read(MAX_BYTES + 1)
            else:
                content = file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise DatasetError(f"{owner} cannot be read: {error}. Check dataset.path.") from error
    for mark, (what, way) in _OTHER_FILES.items():
        if content.startswith(mark):
            raise DatasetError(f"{owner} is {what}, not a text table; {way}.")
    if len(content) > MAX_BYTES:
        raise DatasetError(f"{owner} holds more than {MAX_BYTES >> 20} MB, the limit for a table of one's own.")
    return content


def _text(content: bytes, owner: str) -> str:
    if b"\x00" in content:
        raise DatasetError(f"{owner} holds zero bytes: it is not a text table.")
    try:
        return content.decode("utf-8").lstrip("\ufeff")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DatasetError(f"{owner} is not UTF-8 text (line {line}); save it as UTF-8.") from error


def _separator(text: str, owner: str) -> str:
    """The one separator that cuts the first lines into the same number of fields, two or more.

    One that leaves a field beyond the limit does not fit; that the file has one is said when it is read.
    """
    counts = {name: _widths(text[: 20 * MAX_FIELD], mark, owner) for name, mark in SEPARATORS.items()}
    fitting = [name for name, found in counts.items() if len(found) == 1 and max(found) > 1]
    if len(fitting) == 1:
        return SEPARATORS[fitting[0]]
    if fitting:
        ways = " or ".join(f"dataset.separator={name}" for name in fitting)
        raise DatasetError(f"{owner} can be cut into columns in several ways; say which with {ways}.")
    ragged = [name for name, found in counts.items() if max(found, default=0) > 1]
    return SEPARATORS[max(ragged or ["comma"], key=lambda name: max(counts[name], default=0))]


def _widths(text: str, mark: str, owner: str) -> set[int]:
    """How many fields the first rows have if that mark separates them."""
    try:
        return {len(fields) for _, fields in _rows(text, mark, owner, FIRST_ROWS)}
    except DatasetError:
        return set()


def _rows(text: str, mark: str, owner: str, at_most: int | None = None) -> list[tuple[int, list[str]]]:
    """(line, fields) of every row that is not blank, or of the first ones."""
    csv.field_size_limit(MAX_FIELD)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, skipinitialspace=True, strict=True)
    try:
        rows = ((reader.line_num, [field.strip() for field in fields]) for fields in reader)
        return list(islice((row for row in rows if any(row[1])), at_most))
    except csv.Error as error:
        way = f"the limit is {MAX_FIELD} characters; is a quote left open?" if "larger" in str(error) else str(error)
        raise DatasetError(f"{owner} has a field that cannot be read in line {reader.line_num}: {way}") from error


def _names(header: Sequence[str], owner: str) -> list[str]:
    """The names in the header, each once; a row of data in its place is refused."""
    if len(header) > MAX_COLUMNS:
        raise DatasetError(f"{owner} has {len(header)} columns, the limit is {MAX_COLUMNS}.")
    numeric = [name for name in header if _is_number(name)]
    if numeric and numeric not in ([str(i) for i in range(len(numeric))], [str(i + 1) for i in range(len(numeric))]):
        raise DatasetError(
            f"{owner} has numbers in its first line ({listed(numeric, 4)}) where the names of its columns are "
            "expected; if it has no such line, add dataset.header=false."
        )
    names = [name or f"Unnamed: {i}" for i, name in enumerate(header)]
    if (longest := max(map(len, names))) > MAX_NAME:
        raise DatasetError(f"{owner} has a name of {longest} characters in its first line, the limit is {MAX_NAME}.")
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise DatasetError(f"{owner} has two columns of one name: {listed(twice)}; rename one.")
    return names


def _check_header(names: Sequence[str], columns: Sequence[Sequence[str]], owner: str) -> None:
    """Refuse a header that is a row of data, or comes again among them: each of its names is a value of its column."""
    among = [name in column for name, column in zip(names, columns, strict=True)]
    words = [found for name, found in zip(names, among, strict=True) if not _is_number(name)]
    if all(among) or (len(words) > 1 and all(words)):
        raise DatasetError(
            f"{owner} has every name of its first line ({listed(names, 4)}) among the values of its column too; if "
            "that line is a row of data, add dataset.header=false; if the header comes again below, remove it there."
        )


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def _check_shape(rows: Sequence[tuple[int, list[str]]], names: Sequence[str], owner: str) -> None:
    if not rows:
        raise DatasetError(f"{owner} has a header and no rows.")
    if len(names) == 1 and any(len(fields) > 1 for _, fields in rows):
        raise DatasetError(
            f"{owner} has one field in its first line, {listed(names)!r}, and more below; remove what stands above the "
            "names of the columns."
        )
    if len(names) == 1:
        raise DatasetError(
            f"{owner} has one column, {listed(names)!r}, where features and a label are needed; a comma, a semicolon, "
            "a tab or a pipe must stand between two fields."
        )
    if len(names) > MAX_COLUMNS:
        raise DatasetError(f"{owner} has {len(names)} columns, the limit is {MAX_COLUMNS}.")
    ragged = [(line, len(fields)) for line, fields in rows if len(fields) != len(names)]
    if not ragged:
        return
    if all(len(fields) == len(names) + 1 and not fields[-1] for _, fields in rows):
        raise DatasetError(f"{owner} ends every row with a separator, but not its header; remove it there.")
    if all(len(fields) == len(names) + 1 for _, fields in rows):
        raise DatasetError(
            f"{owner} has one field more in every row than names in its header ({len(names)}): the columns would "
            "shift. Name them all, with no line above the names; row numbers of pandas are left out with "
            "to_csv(index=False)."
        )
    line, count = ragged[0]
    raise DatasetError(
        f"{owner} has {count} fields in line {line}, its header has {len(names)} ({len(ragged)} such lines); mend "
        "them, or name the separator: " + " or ".join(f"dataset.separator={name}" for name in SEPARATORS) + "."
    )
