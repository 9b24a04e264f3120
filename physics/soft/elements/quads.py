"""Bilinear quadrilateral of an elastic sheet: the strain rows of [Tournier15, Fig. 6 left].

    x(ξ, η) = Σ N_a x_a,  N_a = ¼ (1 + ξ_a ξ)(1 + η_a η),  F = Σ x_a g_aᵀ at every Gauss point

At each of the 2 x 2 points strain, rows and stress are those of a membrane triangle
(physics/soft/elements/membrane.py) with four nodes for three, and the point's share of the area. So
every point is an element of the model by itself, four to a quad.
"""

import numpy as np
from numpy.typing import NDArray

from physics.portable import inverse, norm

POINTS = 4
_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
_GAUSS = _CORNERS / np.sqrt(3.0)


def grid_quads(rows: int, columns: int) -> NDArray[np.int64]:
    """Corners (m, 4) around every cell of a grid."""
    i = np.arange(rows * columns).reshape(rows, columns)
    corners = [i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]]
    return np.stack([corner.ravel() for corner in corners], axis=1)


def _in_plane(
    position: NDArray[np.float64], warp: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Coordinates (m, 4, 2) along warp (the first side, if not given) and across it."""
    normal = np.cross(position[:, 2] - position[:, 0], position[:, 3] - position[:, 1])
    normal /= norm(normal)[:, None]
    along = position[:, 1] - position[:, 0] if warp is None else np.broadcast_to(warp, normal.shape)
    first = along - normal * np.sum(along * normal, axis=1, keepdims=True)
    first = first / norm(first)[:, None]
    away = position - position[:, :1]
    axes = first, np.cross(normal, first)
    return np.stack([np.sum(away * axis[:, None], axis=2) for axis in axes], axis=2)


def shape_gradients(
    position: NDArray[np.float64], nodes: NDArray[np.int64], warp: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gradients (4m, 4, 2) and areas (4m,) of the Gauss points of flat quads (m, 4)."""
    flat = _in_plane(position[nodes], warp)
    gradient, area = np.zeros((len(nodes), POINTS, 4, 2)), np.zeros((len(nodes), POINTS))
    for p, (xi, eta) in enumerate(_GAUSS):
        slope = 0.25 * np.stack(
            [
                _CORNERS[:, 0] * (1.0 + _CORNERS[:, 1] * eta),
                _CORNERS[:, 1] * (1.0 + _CORNERS[:, 0] * xi),
            ],
            axis=1,
        )
        D = np.zeros((len(nodes), 2, 2))  # ∂(x, y)/∂(ξ, η)
        for a in range(4):
            D += flat[:, a, :, None] * slope[a][None, None, :]
        area[:, p] = D[:, 0, 0] * D[:, 1, 1] - D[:, 0, 1] * D[:, 1, 0]
        back = inverse(D)
        for a in range(4):
            gradient[:, p, a] = slope[a, 0] * back[:, 0] + slope[a, 1] * back[:, 1]
    return gradient.reshape(-1, 4, 2), area.reshape(-1)
