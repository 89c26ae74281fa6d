"""Times the Coates-Ng encoding of CIFAR-10 images against the bare matrix product inside it, in one run.

    python scripts/bench_encode.py [--images 60000] [--atoms 50] [--threads 2] [--repeat 3]

The bare product multiplies K filters with all patches of all images in single precision, on the same threads, and
does nothing else: no patches are cut, normalised, thresholded or pooled. Its patches stand ready in tiles; the
quickest of several tile sizes counts. Both are timed in turns and the best of the repeats counts.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from bench_solver import Seconds, best, peak_bytes, timed
from ending import count, end_in_words

from celm.base.threads import n_cores, one_blas_thread
from celm.datasets import load
from celm.features.coates_ng import CoatesNgFeatures

TILES = (1, 4, 16)
# What the benchmark learns its filters from: their values do not matter for time.
N_PATCHES = 20_000


def bare_product(n_images: int, tile: int, filters: np.ndarray, lattice: int, threads: int) -> Seconds:
    """K × d filters times d × patches of so many images, tile by tile, each thread with buffers of its own."""
    n_tiles = -(-n_images // tile)
    filters = filters.astype(np.float32)
    patches = np.random.default_rng(0).standard_normal((filters.shape[1], tile * lattice), dtype=np.float32)
    shares = [len(part) for part in np.array_split(np.arange(n_tiles), threads)]

    def multiply(count: int) -> None:
        mine, z = patches.copy(), np.empty((len(filters), patches.shape[1]), dtype=np.float32)
        for _ in range(count):
            np.matmul(filters, mine, out=z)

    with one_blas_thread(), ThreadPoolExecutor(threads) as pool:
        return timed(lambda: list(pool.map(multiply, shares)))


def main() -> None:
    """Print both times, their ratio and the peak memory of the encoding."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=count, default=60_000, help="how many, from the first on; at most 60000")
    parser.add_argument("--atoms", type=count, default=50, help="size of the codebook")
    parser.add_argument("--threads", type=count, default=n_cores())
    parser.add_argument("--repeat", type=count, default=3, help="rounds of everything; the best counts")
    options = parser.parse_args()
    images = np.array(load("cifar10").X[: options.images])
    features = CoatesNgFeatures(
        options.atoms, n_patches=N_PATCHES, n_iterations=3, n_threads=options.threads, random_state=0
    ).fit(images)
    lattice = (images.shape[1] - features.patch_size + 1) * (images.shape[2] - features.patch_size + 1)
    held = peak_bytes()
    products, encodings = [], []
    for _ in range(options.repeat):
        encodings.append(timed(lambda: features.transform(images)))
        peak = peak_bytes()
        shape = (features.filters_, lattice, options.threads)
        products.append(best([bare_product(len(images), tile, *shape) for tile in TILES]))
    product, encoding = best(products), best(encodings)
    title = f"{len(images)} images, {options.atoms} atoms, {options.threads} of {os.cpu_count()} cores"
    print(f"{title:44}{'wall s':>10}{'CPU s':>10}")
    for name, seconds in (("bare product", product), ("encoding", encoding)):
        print(f"{name:44}{seconds.wall:10.2f}{seconds.cpu:10.2f}")
    print(f"{'encoding / bare product':44}{encoding.wall / product.wall:10.2f}{encoding.cpu / product.cpu:10.2f}")
    print(f"peak memory: {peak / 1e9:.2f} GB, of which {(peak - held) / 1e9:.2f} GB came with the encoding")


if __name__ == "__main__":
    end_in_words(main)
