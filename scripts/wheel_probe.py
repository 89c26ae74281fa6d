"""Run by a Python that has the wheel and what it declares, nothing else: fits and predicts with what celm exports.

    python wheel_probe.py FOLDER     FOLDER is where celm must have come from

Fails if the harness's libraries were imported, or the package is not the installed one.
"""

from __future__ import annotations

import sys
from pathlib import Path

HARNESS = ("pandas", "matplotlib", "hydra", "omegaconf", "openml", "dask", "tqdm", "PIL", "platformdirs")


def main(folder: str) -> None:
    import numpy as np

    import celm

    if not Path(celm.__file__).resolve().is_relative_to(Path(folder).resolve()):
        sys.exit(f"wheel probe: celm must come from {folder}; it came from {celm.__file__}.")
    rng = np.random.default_rng(0)
    y = np.arange(120) % 3
    X = rng.standard_normal((120, 5)) + 2.0 * y[:, None]
    for estimator in (
        celm.ELMClassifier(20, lam=1e3, random_state=0),
        celm.ELMClassifierCV(n_hidden_grid=[5, 10], lams=[1.0, 1e3], random_state=0),
        celm.LinearSVM(),
        celm.BPClassifier(4, random_state=0),
        celm.DCNClassifier(2, 20, random_state=0),
        celm.R2SVMClassifier(2, random_state=0),
        celm.NystroemClassifier(30, random_state=0),
        celm.MLELMClassifier((5, 9), penalties=(1e3, 1e3), encoder_slopes=(1, 1), forward_slopes=(1, 1)),
    ):
        accuracy = estimator.fit(X, y).score(X, y)
        if accuracy < 0.5:
            sys.exit(f"wheel probe: {estimator} must learn three clusters; its accuracy is {accuracy:.3f}.")
    images = rng.integers(0, 256, (4, 12, 12, 1), dtype=np.uint8)
    celm.CoatesNgFeatures(n_patches=200, n_atoms=4, random_state=0).fit_transform(images)
    pulled = [name for name in HARNESS if name in sys.modules]
    if pulled:
        sys.exit(f"wheel probe: the library must not import {', '.join(pulled)}.")
    print(f"celm {celm.__version__} on numpy {np.__version__}: {len(celm.__all__)} names, fits and predicts")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        print(__doc__, file=sys.stdout if "--help" in sys.argv else sys.stderr)
        sys.exit(0 if "--help" in sys.argv else 2)
    main(sys.argv[1])
