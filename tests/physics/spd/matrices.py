"""Block matrices of sheets and solids, written once for tests and benchmarks."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def _pairs(a: Ints, b: Ints) -> Ints:
    return np.stack([a.ravel(), b.ravel()], axis=1)


def sheet(n: int, bend: bool = True) -> tuple[Ints, Floats]:
    """Edges and positions of a cloth with structural, shear and, on demand, bend links."""
    i = np.arange(n * n).reshape(n, n)
    edges = [_pairs(i[:-1], i[1:]), _pairs(i[:, :-1], i[:, 1:])]
    edges += [_pairs(i[:-1, :-1], i[1:, 1:]), _pairs(i[:-1, 1:], i[1:, :-1])]
    if bend:
        edges += [_pairs(i[:-2], i[2:]), _pairs(i[:, :-2], i[:, 2:])]
    x, y = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    return np.concatenate(edges), np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], 1).astype(float)


def solid(nx: int, ny: int, nz: int) -> tuple[Ints, Floats]:
    """Edges and positions of a box of cubes cut into six tetrahedra each."""
    i = np.arange((nx + 1) * (ny + 1) * (nz + 1)).reshape(nx + 1, ny + 1, nz + 1)
    edges = []
    for dx, dy, dz in np.ndindex(2, 2, 2):
        if dx + dy + dz:
            low = i[: nx + 1 - dx, : ny + 1 - dy, : nz + 1 - dz]
            edges.append(_pairs(low, i[dx:, dy:, dz:]))
    axes = [np.arange(k + 1.0) for k in (nx, ny, nz)]
    return np.concatenate(edges), np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)


def matrix(n: int, edges: Ints, seed: int = 0) -> tuple[Floats, Floats]:
    """Unit masses and links of random direction, ten thousand times stiffer."""
    direction = np.random.default_rng(seed).normal(size=(len(edges), 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    blocks = 1e4 * direction[:, :, None] * direction[:, None, :]
    diagonal = np.tile(np.eye(3), (n, 1, 1))
    np.add.at(diagonal, edges[:, 0], blocks)
    np.add.at(diagonal, edges[:, 1], blocks)
    return diagonal, -blocks


def to_dense(
    edges: NDArray[np.int64], diagonal: NDArray[np.float64], off: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The whole matrix, for tests and for looking at condition numbers."""
    n = len(diagonal)
    dense = np.zeros((n, 3, n, 3))
    nodes = np.arange(n)
    dense[nodes, :, nodes, :] = diagonal
    i, j = edges[:, 0], edges[:, 1]
    dense[i, :, j, :] = off
    dense[j, :, i, :] = off.transpose(0, 2, 1)
    return dense.reshape(3 * n, 3 * n)
