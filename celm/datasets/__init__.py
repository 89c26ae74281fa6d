"""The data sets of the paper, those of the wide study and the user's own: fetched, verified, split.

``load("wdbc")`` gives a verified :class:`Dataset`; ``split_rows`` and ``fold_ids`` say which rows do what.
"""

from celm.datasets.cache import cache_folder
from celm.datasets.dataset import Dataset, DatasetError
from celm.datasets.registry import (
    DATASETS,
    check_params,
    check_sources,
    declared_digest,
    declared_form,
    default_sources,
    load,
    official_split,
    seed_role,
    source_status,
)
from celm.datasets.splits import duplicate_groups, fold_ids, split_rows
from celm.datasets.suite import suite_names, tried_before

__all__ = [
    "DATASETS",
    "Dataset",
    "DatasetError",
    "cache_folder",
    "check_params",
    "check_sources",
    "declared_digest",
    "declared_form",
    "default_sources",
    "duplicate_groups",
    "fold_ids",
    "load",
    "official_split",
    "seed_role",
    "source_status",
    "split_rows",
    "suite_names",
    "tried_before",
]
