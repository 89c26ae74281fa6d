"""Where results live: a local store of one file per finished cell, and the published store compacted from it."""

from celm.study.store.compare import Difference, differing
from celm.study.store.documents import Document, Row, StoreError
from celm.study.store.frames import column_frame, load_frame, merged, published_frame
from celm.study.store.kernels import Comparison, judged, kernels_of
from celm.study.store.local import LocalStore
from celm.study.store.published import PublishedStore, Taken

__all__ = [
    "Comparison",
    "Difference",
    "Document",
    "LocalStore",
    "PublishedStore",
    "Row",
    "StoreError",
    "Taken",
    "column_frame",
    "differing",
    "judged",
    "kernels_of",
    "load_frame",
    "merged",
    "published_frame",
]
