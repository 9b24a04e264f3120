"""Where a point lies in a soft body: the element around it and its weights there."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physics.portable import least_squares, norm, weighted_sum
from physics.soft.meshes.primitives import in_tetrahedra

if TYPE_CHECKING:
    from physics.soft.soft_item import SoftItem

Floats = NDArray[np.float64]
CANDIDATES = 32  # elements with the nearest middles that are looked at


def embed(item: "SoftItem", point: Floats) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Nodes and weights of the material point at (or nearest to) a point of the world.

    The weights are barycentric, cut to [0, 1] for a point outside. Tetrahedra if there are any,
    else triangles of the surface.
    """
    model, x = item.body.model, item.body.x
    whole = model.tet_nodes[model.tet_volume > 0.0]  # not what was cut out
    if len(model.hex_nodes):
        whole = in_tetrahedra(model.hex_nodes[model.hex_volume > 0.0])
    cells = whole if len(whole) else item.surface.triangles
    apart = norm(x[cells].mean(axis=1) - point)
    best: tuple[float, NDArray[np.int64], Floats] | None = None
    for cell in cells[np.argsort(apart, kind="stable")[:CANDIDATES]]:
        weights = np.clip(barycentric(point, x[cell]), 0.0, None)
        weights /= weights.sum()
        gap = float(norm(weighted_sum(weights, x[cell]) - point))
        if best is None or gap < best[0]:
            best = gap, cell, weights
    assert best is not None
    return tuple(int(node) for node in best[1]), tuple(float(w) for w in best[2])


def barycentric(point: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of a point in a simplex of 2 to 4 corners (k, 3); off-plane parts are dropped."""
    inner = least_squares(corners[1:] - corners[0], point - corners[0])
    return np.concatenate([[1.0 - inner.sum()], inner])
