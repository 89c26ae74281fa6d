"""Rows by formula, so that any worker makes any chunk of them, and a cluster of two worker processes."""

import logging

import dask.array as da
import distributed
import numpy as np
import pytest

from celm.base.threads import limit_threads


def row_maker():
    """A function that travels to workers as code, since they cannot import the tests."""

    def make(start, stop):
        """Rows of an endless table: features, labels of three classes, two numbers to predict, and weights."""
        numbers = np.arange(start, stop, dtype=np.float64)[:, None]
        X = np.sin(numbers * np.sqrt(np.arange(2.0, 8.0))) + np.cos(numbers * 0.37) * np.linspace(0, 1, 6)
        labels = np.array(["ant", "bee", "cat"])[X[:, :3].argmax(axis=1)]
        values = np.column_stack([np.tanh(X[:, 0] * X[:, 1]), X[:, 2] ** 2 - X[:, 3]])
        return {"X": X, "labels": labels, "values": values, "weights": 1.0 + numbers[:, 0] % 3}

    return make


class Table:
    """Some first rows of the table: whole, or in chunks that are made where they are needed."""

    def __init__(self, n_rows):
        self.n_rows = n_rows
        whole = row_maker()(0, n_rows)
        self.X, self.labels, self.values, self.weights = (whole[name] for name in ("X", "labels", "values", "weights"))

    def lazy(self, name, chunks):
        make, example = row_maker(), getattr(self, name)

        def chunk(block_info=None):
            return make(*block_info[None]["array-location"][0])[name]

        chunks = da.core.normalize_chunks((chunks,), (self.n_rows,))
        widths = () if example.ndim == 1 else ((example.shape[1],),)
        return da.map_blocks(chunk, chunks=(*chunks, *widths), dtype=example.dtype, meta=example[:0])


@pytest.fixture(scope="session")
def first_rows():
    return Table


@pytest.fixture(scope="session")
def table():
    return Table(3000)


@pytest.fixture(scope="session")
def cluster():
    """Two worker processes of one thread; one that dies is replaced."""
    limit_threads(1)
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        memory_limit=0,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
        scheduler_kwargs={"dashboard": False, "allowed_failures": 1},
    ) as cluster:
        yield cluster


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as client:
        client.wait_for_workers(2, timeout=60)
        yield client
