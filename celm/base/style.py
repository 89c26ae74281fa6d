"""Order, names and the paper's colours of the models and data sets, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class ModelStyle(NamedTuple):
    """How a model is called and drawn."""

    label: str
    color: str
    line: str = "-"
    marker: str = ""


# The paper's legend (§IV): red, green, blue, blue dashed with triangles, bright blue, bright blue dashed with
# triangles, black. The solid curves differ in lightness, the others by dashes and markers, so that they can be told
# apart in grey print and by colour-blind readers.
MODELS: dict[str, ModelStyle] = {
    "elm": ModelStyle("ELM", "#d1202a"),
    "normalized_elm": ModelStyle("Normalized ELM", "#b8860b", "-.", "x"),
    "orthogonal_elm": ModelStyle("Orthogonal ELM", "#45c94a"),
    "cdelm": ModelStyle("Constrained Difference ELM", "#1f2fbf"),
    "cselm": ModelStyle("Constrained Sum ELM", "#1e90ff"),
    "selm": ModelStyle("Sample ELM", "#1f2fbf", "--", "^"),
    "rselm": ModelStyle("Random Sum ELM", "#1e90ff", "--", "^"),
    "cmelm": ModelStyle("Constrained Mixed ELM", "#000000"),
    "ml_elm": ModelStyle("Multi-Layer ELM", "#7f7f7f"),
    "bp": ModelStyle("BP", "#8c564b"),
    "linear_svm": ModelStyle("Linear SVM", "#9467bd"),
    "r2svm": ModelStyle("R²SVM", "#e377c2"),
    "dcn": ModelStyle("DCN", "#17becf"),
    "dcn_rbm": ModelStyle("DCN with RBM units", "#17becf", "--"),
    "rbf_nystroem": ModelStyle("RBF kernel (Nyström)", "#bcbd22"),
}

# Ten classes in the plane: Paul Tol's muted scheme and its grey, told apart by colour-blind readers.
CLASS_COLORS = (
    "#332288",
    "#cc6677",
    "#117733",
    "#88ccee",
    "#aa4499",
    "#999933",
    "#882255",
    "#44aa99",
    "#ddaa33",
    "#777777",
)

# The factors of the weights: directions by name; scales by colour, lightness and marker, from light to dark.
DIRECTIONS: dict[str, str] = {
    "random": "random",
    "gaussian": "Gaussian,\ndata covariance",
    "samples": "samples",
    "class_sums": "class\nsums",
    "class_differences": "class\ndifferences",
}
SCALES: dict[str, ModelStyle] = {
    "none": ModelStyle("as drawn", "#e69f00", marker="o"),
    "l2": ModelStyle("l2 norm 1", "#1e90ff", marker="^"),
    "squared": ModelStyle("over squared norm", "#1a1a6e", marker="s"),
}
BIASES: dict[str, str] = {"uniform": "uniform bias", "midpoint": "midpoint bias"}

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


SHORT = {
    "normalized_elm": "normalized ELM",
    "orthogonal_elm": "orthogonal ELM",
    "ml_elm": "ML-ELM",
    "linear_svm": "linear SVM",
    "r2svm": "R²SVM",
}


def short_label(name: str) -> str:
    """A model's name inside a sentence: its abbreviation in the paper."""
    return SHORT.get(name, name.upper().replace("_", " ") if name in MODELS else name)


def model_style(name: str) -> ModelStyle:
    """How a model is drawn; one that the paper does not know is dotted grey under its own name."""
    return MODELS.get(name, ModelStyle(name, "#7f7f7f", ":"))


def dataset_label(name: str) -> str:
    """The paper's name of a data set, or the name itself."""
    return DATASETS.get(name, name)


def setting_label(dataset: str, settings: Mapping[str, Any]) -> str:
    """A data set under the settings of a sweep: ``Spiral, turns 2.25, noise 0.05``; missing ones are left out."""
    words = [dataset_label(dataset)]
    for column, value in settings.items():
        if value is not None and value == value:
            text = f"{value:g}" if isinstance(value, float) else str(value)
            words.append(f"{column.removeprefix('dataset_').replace('_', ' ')} {text}")
    return ", ".join(words)


def in_order(names: list[str], order: dict[str, object]) -> list[str]:
    """``names`` in the paper's order, unknown ones after them by letters."""
    places = {name: place for place, name in enumerate(order)}
    return sorted(names, key=lambda name: (places.get(name, len(places)), name))
