"""On which problems is a lead large? Leads of sources against traits of their sets, and what the traits are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from celm.analysis.meta_regression import meta_regression, standardised
from celm.analysis.suite_leads import Lead, SetLead, scores_of, set_leads, source_effects

# Columns of the records that describe the training rows.
MEASURED = ("variance_share", "overlap")
# Sources that are needed beyond the number of moderators.
FEWEST_BEYOND = 3


def traits_table(frame: pd.DataFrame, sets: pd.DataFrame) -> pd.DataFrame:
    """A row per set: log10 of rows and of features, log2 of classes, and the measured traits averaged over rounds.

    Sets of which nothing was measured are left out; targets that are numbers have no classes.
    """
    rows = frame.dropna(subset=list(MEASURED)) if set(MEASURED) <= set(frame) else frame.iloc[:0]
    if rows.empty:
        return pd.DataFrame()
    measured = rows.groupby("dataset")[list(MEASURED)].mean()
    about = sets.set_index("dataset").loc[[name for name in sets["dataset"] if name in measured.index]]
    table = pd.DataFrame({"log10_rows": np.log10(about["n_rows"]), "log10_features": np.log10(about["n_features"])})
    if (about["n_classes"] > 0).all():
        table["log2_classes"] = np.log2(about["n_classes"])
    return table.join(measured)


def moderators_table(frame: pd.DataFrame, sets: pd.DataFrame, leads: Sequence[Lead], score: str) -> pd.DataFrame:
    """One row per lead and moderator: what the lead gains per standard deviation of the moderator over sources.

    A set counts once per source: traits of the sets of a source are averaged, as their leads are.
    """
    traits, scores = traits_table(frame, sets), scores_of(frame, sets, score)
    found = [_of_lead(lead, traits, set_leads(scores, lead)) for lead in leads]
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame()


def _of_lead(lead: Lead, traits: pd.DataFrame, leads: Sequence[SetLead]) -> pd.DataFrame:
    known = [one for one in leads if one.dataset in traits.index]
    effects = source_effects(known)
    if len(effects) < len(traits.columns) + FEWEST_BEYOND:
        return pd.DataFrame()
    averaged = pd.DataFrame([traits.loc[list(one.datasets)].mean() for one in effects])
    fitted = meta_regression([one.effect for one in effects], [one.variance for one in effects], standardised(averaged))
    rows = [
        {"lead": lead.id, "moderator": name, **dict(zip(("effect", "low", "high", "p", "p_holm"), values, strict=True))}
        for name, *values in fitted.coefficients
    ]
    return pd.DataFrame(rows).assign(tau=fitted.tau, explained=fitted.explained, n_sources=fitted.sources)
