"""Where results live: a local store of one file per finished cell, and the published store compacted from it."""

from celm.study.store.compare import Difference, differing
from celm.study.store.documents import Document, StoreError
from celm.study.store.frames import load_frame, merged, published_frame
from celm.study.store.local import LocalStore
from celm.study.store.published import PublishedStore

__all__ = [
    "Difference",
    "Document",
    "LocalStore",
    "PublishedStore",
    "StoreError",
    "differing",
    "load_frame",
    "merged",
    "published_frame",
]
