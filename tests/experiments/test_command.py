"""Every command of ours ends in words: a sentence and exit code 2, and nothing that is checked by not checking."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from celm.datasets import DatasetError
from experiments import publish, verify
from experiments.command import command
from experiments.environment_check import commands, is_command
from experiments.registration.history import NoHistory
from experiments.report import __main__ as report
from experiments.streams import SturdyStream, check_printed
from fuzz import estimators

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = [
    path
    for folder in ("experiments", "chaos", "fuzz")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if is_command(path)
]


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_ends_in_words(path):
    text = path.read_text(encoding="utf-8")
    ending = "command(main)" if "argparse" in text else "command(main, __doc__)"
    assert text.splitlines()[-1].strip() == ("console(sys.argv[1:])" if path.name == "run.py" else ending)


@pytest.mark.parametrize(("word", "code"), [("zzz", 2), ("--zzz", 2), ("--help", 0)])
@pytest.mark.parametrize("about", ["What it is about.", None], ids=["told", "without docstrings"])
def test_a_command_that_takes_no_words_ignores_none(monkeypatch, capsys, about, word, code):
    monkeypatch.setattr(sys, "argv", ["doctor", word])
    with pytest.raises(SystemExit) as caught:
        command(failing(AssertionError("it ran")), about)
    assert caught.value.code == code
    assert (about or "usage") in capsys.readouterr().out or code


@pytest.mark.parametrize(
    ("module", "told"),
    [
        ("experiments.results", "experiments.results is no command, commands import it"),
        ("experiments.portable_sums", "experiments.portable_sums is no command, commands import it"),
        ("experiments", "experiments is no command, commands import it"),
        ("experiments.runn", "experiments.runn is not there"),
        ("bench.gate", "bench.gate is no command, commands import it"),
    ],
)
def test_a_module_that_is_no_command_says_which_are(module, told):
    done = subprocess.run([sys.executable, "-m", module], cwd=ROOT, capture_output=True, text=True, check=False)
    offered = ", ".join(commands(module.partition(".")[0]))
    assert (done.returncode, done.stderr) == (2, f"error: {told}. Python's -m takes {offered}.\n")
    assert module not in offered.split(", ")


def failing(error):
    def main():
        raise error

    return main


def test_an_error_that_came_of_a_ctrl_c_is_told_as_one(capsys):
    def main():
        try:
            raise KeyboardInterrupt
        finally:
            raise ValueError("left half done")

    with pytest.raises(SystemExit) as caught:
        command(main)
    assert caught.value.code == 130
    assert capsys.readouterr().err == "stopped\n"


# As os.getcwd says it, without a name.
GONE = "the folder in which this was started is not there any more; go to one that is"


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (ValueError("no such thing"), 2, "error: no such thing\n"),
        (DatasetError("no data"), 2, "error: no data\n"),
        (NoHistory("no git"), 2, "error: no git\n"),
        (FileNotFoundError(2, "No such file", "x"), 2, "error: [Errno 2] No such file: 'x'\n"),
        (FileNotFoundError(2, "No such file"), 2, f"error: {GONE}\n"),
        (FileNotFoundError("nothing there"), 2, "error: nothing there\n"),
        (KeyError("gone"), 1, "error: 'gone' (KeyError, not foreseen: HYDRA_FULL_ERROR=1 shows where)\n"),
    ],
)
def test_an_error_is_a_sentence(monkeypatch, capsys, error, code, words):
    monkeypatch.delenv("HYDRA_FULL_ERROR", raising=False)
    with pytest.raises(SystemExit) as caught:
        command(failing(error))
    assert caught.value.code == code
    assert capsys.readouterr().err == words
    monkeypatch.setenv("HYDRA_FULL_ERROR", "1")
    with pytest.raises(type(error)):
        command(failing(error))


def stream(number):
    return SturdyStream(os.fdopen(number, "wb"), "utf-8", line_buffering=True)


def test_a_reader_who_leaves_is_no_fault(monkeypatch):
    reading, writing = os.pipe()
    os.close(reading)
    with stream(writing) as out:
        monkeypatch.setattr(sys, "stdout", out)
        print("nobody hears this")
        print("nor this")
        check_printed()


def test_output_that_is_lost_is_told_and_breaks_nothing(monkeypatch, capsys, tmp_path):
    (tmp_path / "full").touch()
    with stream(os.open(tmp_path / "full", os.O_RDONLY)) as out:
        monkeypatch.setattr(sys, "stdout", out)
        print("a line")
        print("and another")
        with pytest.raises(SystemExit) as caught:
            check_printed()
    assert caught.value.code == 1
    assert "what was printed is lost" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("main", "words", "told"),
    [
        (verify.main, ["--cells", "0"], "at least 1; got '0'"),
        (verify.main, ["--cells", "-2"], "at least 1; got '-2'"),
        (verify.main, ["--max-seconds", "nan"], "above 0; got 'nan'"),
        (verify.main, ["--max-seconds", "x"], "above 0; got 'x'"),
        (verify.main, ["--seed", "9" * 400], "at least 0; got '999"),
        (verify.main, ["zzz"], "zzz is not published"),
        (publish.main, ["list", "zzz"], "list takes no names; got zzz"),
        (estimators.main, ["--inputs", "0"], "at least 1; got '0'"),
        (estimators.main, ["NoSuch"], "NoSuch"),
        (report.main, ["--results", "/nowhere"], "/nowhere holds no records: there is nothing to report"),
    ],
)
def test_what_would_check_nothing_is_refused(monkeypatch, capsys, main, words, told):
    monkeypatch.setattr(sys, "argv", ["command", *words])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    assert told in capsys.readouterr().err


def test_a_report_on_an_empty_folder_of_records_is_refused(monkeypatch, capsys, tmp_path):
    (tmp_path / "records").mkdir()
    monkeypatch.setattr(report, "write_report", lambda *_: pytest.fail("it was made"))
    monkeypatch.setattr(sys, "argv", ["report", "--results", str(tmp_path)])
    with pytest.raises(SystemExit) as caught:
        report.main()
    assert caught.value.code == 2
    assert "holds no records: there is nothing to report" in capsys.readouterr().err


def test_a_report_that_cannot_be_written_is_refused_before_it_is_made(monkeypatch, tmp_path):
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "one.json").touch()
    (tmp_path / "file").touch()
    monkeypatch.setattr(report, "write_report", lambda *_: pytest.fail("it was made"))
    monkeypatch.setattr(sys, "argv", ["report", "--results", str(tmp_path), "--to", str(tmp_path / "file" / "x")])
    with pytest.raises(NotADirectoryError):
        report.main()


def test_a_check_of_no_cell_is_no_success(monkeypatch):
    monkeypatch.setattr(verify, "rerun_some", lambda *_: ({}, {}))
    with pytest.raises(ValueError, match="nothing was rerun: no cell took at most 2 seconds"):
        verify.verify(["table1"], 1, 2.0, 0)
