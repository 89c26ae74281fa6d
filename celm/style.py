"""Order, names and the paper's colours of the models and data sets, in one place."""

from __future__ import annotations

from typing import NamedTuple


class ModelStyle(NamedTuple):
    """How a model is called and drawn."""

    label: str
    color: str
    line: str = "-"
    marker: str = ""


# The paper's legend (§IV): red, green, blue, blue dashed with triangles, bright blue, bright blue dashed with
# triangles, black. Line style and marker tell the curves apart without colour.
MODELS: dict[str, ModelStyle] = {
    "elm": ModelStyle("ELM", "#d62728"),
    "normalized_elm": ModelStyle("Normalized ELM", "#b8860b", "-.", "x"),
    "orthogonal_elm": ModelStyle("Orthogonal ELM", "#2ca02c"),
    "cdelm": ModelStyle("Constrained Difference ELM", "#1f2fbf"),
    "cselm": ModelStyle("Constrained Sum ELM", "#00a8ff"),
    "selm": ModelStyle("Sample ELM", "#1f2fbf", "--", "^"),
    "rselm": ModelStyle("Random Sum ELM", "#00a8ff", "--", "^"),
    "cmelm": ModelStyle("Constrained Mixed ELM", "#000000"),
    "ml_elm": ModelStyle("Multi-Layer ELM", "#7f7f7f"),
    "bp": ModelStyle("BP", "#8c564b"),
    "linear_svm": ModelStyle("Linear SVM", "#9467bd"),
    "r2svm": ModelStyle("R²SVM", "#e377c2"),
    "dcn": ModelStyle("DCN", "#17becf"),
}

DATASETS: dict[str, str] = {
    "spiral": "Spiral",
    "wdbc": "WDBC",
    "mdd_fac": "MDD-fac",
    "mdd_fou": "MDD-fou",
    "mdd_kar": "MDD-kar",
    "mdd_pix": "MDD-pix",
    "mdd_zer": "MDD-zer",
    "mnist": "MNIST",
    "cifar10": "CIFAR-10",
}


def model_label(name: str) -> str:
    """The paper's name of a model, or the name itself."""
    return MODELS[name].label if name in MODELS else name


def dataset_label(name: str) -> str:
    """The paper's name of a data set, or the name itself."""
    return DATASETS.get(name, name)


def in_order(names: list[str], order: dict[str, object]) -> list[str]:
    """``names`` in the paper's order, unknown ones after them by letters."""
    places = {name: place for place, name in enumerate(order)}
    return sorted(names, key=lambda name: (places.get(name, len(places)), name))
