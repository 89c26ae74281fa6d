"""One node count and one λ for all rounds of a model: chosen when the rounds are read together, not in a cell."""

from __future__ import annotations

import numpy as np
import pandas as pd

KEYS = ["dataset", "model"]


def chosen_for_all_rounds(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with a choice where its cells left it open; any other frame as it is.

    Rows that carry ``cv_correct`` and ``test_correct`` (held-out and test rows classified correctly, one number per
    λ = 10^e of ``exponents``) get the λ whose held-out rows, summed over the rounds that exist, are most correct;
    ``chosen`` marks the node count where that is highest, and ``accuracy`` is the test accuracy there. Ties go to
    fewer nodes, then to the stronger penalty. The test rows take no part in the choice.
    """
    if "cv_correct" not in frame:
        return frame
    found = frame.copy()
    found["chosen"], found["lam"] = found.get("chosen"), found.get("lam", np.nan)
    for _, rows in frame[frame["cv_correct"].notna()].groupby(KEYS, sort=False):
        sums = {n: np.sum(group.tolist(), axis=0) for n, group in rows.groupby("n_hidden")["cv_correct"]}
        best = {n: int(np.argmax(total)) for n, total in sums.items()}
        winner = max(sums, key=lambda n: (sums[n][best[n]], -n))
        places = rows["n_hidden"].map(best)
        hits = [correct[place] for correct, place in zip(rows["test_correct"], places, strict=True)]
        found.loc[rows.index, "accuracy"] = np.array(hits) / rows["n_test"]
        found.loc[rows.index, "lam"] = [10.0 ** (e[0] + j) for e, j in zip(rows["exponents"], places, strict=True)]
        found.loc[rows.index, "chosen"] = rows["n_hidden"] == winner
    return found
