"""The commands of the README, within this process, where starting is most of a test; the long ones on few rounds."""

import random
import re
import shlex
from pathlib import Path

import pytest

from fuzz.command_line_runs import ended

ROOT = Path(__file__).resolve().parents[2]


def command_of_the_readme(word: str) -> list[str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    line = next(line for line in re.findall(r"^\.venv/bin/python (.*?)(?:\s+#.*)?$", text, re.M) if word in line)
    module, *words = shlex.split(line)[1:]
    assert module == "experiments.run"
    return words


def test_a_table_of_all_models_on_ones_own_data(tmp_path):
    rng = random.Random(0)
    lines = [f"{rng.gauss(i % 2, 1):.3f},{rng.gauss(-(i % 2), 1):.3f},{'ab'[i % 2]}" for i in range(60)]
    (tmp_path / "my.csv").write_text("\n".join(["width,height,kind", *lines]), encoding="utf-8")
    command = [word.replace("my.csv", str(tmp_path / "my.csv")) for word in command_of_the_readme("my.csv")]
    few = ["rounds=1", "n_hidden=[5]", "executor.workers=1", "progress=false"]
    end = ended([*command, *few, f"store={tmp_path}/runs"])
    assert end.code == 0, end.output
    assert "60 rows, 2 features, label 'kind' (2 classes)" in end.output
    for model in ("ELM", "Constrained Sum ELM", "BP", "Linear SVM"):
        assert re.search(rf"^{model} +[01]\.\d", end.output, re.M)
    assert list(tmp_path.glob("runs/*/table.csv"))


# What makes a command of the README small: what it names itself stays.
SMALL = ["rounds=1", "n_hidden=[5]", "split.subset=150", "split.subset_test=80", "progress=false", "executor.workers=1"]


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("scale=smoke", "Constrained Mixed ELM"),
        ("dataset=mdd_kar model=selm", "Sample ELM"),
        ("-m dataset=wdbc,mdd_kar", "sweep study-"),
        ("reading=raw_values", "table1+raw_values"),
    ],
)
def test_a_study_of_the_readme_runs(word, told, tmp_path):
    given = command_of_the_readme(word)
    few = ["grid.datasets=[wdbc]"] if "experiment=table1" in given else []
    less = [one for one in (*SMALL, *few) if not any(word.startswith(one.partition("=")[0] + "=") for word in given)]
    end = ended([*given, *less, f"store={tmp_path}/runs", f"hydra.sweep.dir={tmp_path}/hydra"])
    assert end.code == 0, end.output
    assert told in end.output
    assert list(tmp_path.glob("runs/*/table.csv"))


def test_what_is_left_of_table_one_is_told_without_a_run(tmp_path):
    end = ended([*command_of_the_readme("dry_run=true"), f"store={tmp_path}"])
    assert end.code == 0
    assert "600 of 600 cells left" in end.output
    assert not list(tmp_path.iterdir())
