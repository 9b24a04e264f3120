"""A closed mesh as a few convex pieces, so that it can move: a compound of hulls.

The pieces come from the optional library CoACD (Wei, Liu, Ling, Su: Approximate Convex
Decomposition for 3D Meshes with Collision-Aware Concavity and Tree Search, 2022). Its bits may
differ between machines, so what it finds is meant to be kept as data: `sandbox decompose` writes it
as the parts of a level's body. Corners are rounded to a millionth of the mesh's size.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from physics.shapes.base import Array, check_positive
from physics.shapes.compound import Compound, Part
from physics.shapes.hull import Hull
from physics.shapes.triangle_mesh import TriangleMesh

_DIGITS = 1e-6  # of the mesh's size
_CORNERS = 64  # of one piece at most: collision goes through them all


def decompose(
    vertices: ArrayLike,
    triangles: ArrayLike,
    *,
    concavity: float = 0.05,
    most_parts: int = 32,
    seed: int = 0,
) -> Compound:
    """Convex hulls that together are about the solid inside of a closed mesh.

    `concavity`, a share of its size, is how far a piece may fill in hollows. RuntimeError without
    the library: pip install 'taut[decompose]'.
    """
    mesh = TriangleMesh(vertices, triangles)  # type: ignore[arg-type]
    threshold = check_positive("decompose", "concavity", concavity, "")
    if not 0.01 <= threshold <= 1.0:
        raise ValueError(f"decompose.concavity is {concavity!r}; it must be from 0.01 to 1")
    if isinstance(most_parts, bool) or not isinstance(most_parts, int) or most_parts < 1:
        raise ValueError(f"decompose.most_parts is {most_parts!r}; it must be a whole number ≥ 1")
    grid = _DIGITS * float(np.ptp(mesh.vertices, axis=0).max())
    found = _pieces(mesh, threshold, most_parts, seed)
    pieces = [np.unique(np.round(points / grid) * grid, axis=0) for points in found]
    pieces.sort(key=lambda points: tuple(points.mean(axis=0).tolist()))
    parts = []
    for points in pieces:
        try:
            parts.append(Part(Hull(points)))
        except ValueError:
            continue  # a flake without volume
    if not parts:
        raise ValueError("the mesh has no solid pieces; it must be closed, its triangles outward")
    return Compound(tuple(parts))


def _pieces(mesh: TriangleMesh, threshold: float, most: int, seed: int) -> list[Array]:
    """Corners of the pieces that the library finds."""
    library = _library()
    library.set_log_level("off")
    given = library.Mesh(np.asarray(mesh.vertices), np.asarray(mesh.triangles))
    found = library.run_coacd(
        given, threshold=threshold, max_convex_hull=most, decimate=True, max_ch_vertex=_CORNERS,
        seed=seed,
    )  # fmt: skip
    return [np.asarray(points, np.float64) for points, _ in found]


def _library() -> Any:
    try:
        import coacd
    except ImportError as error:
        raise RuntimeError("decomposing needs CoACD: pip install 'taut[decompose]'") from error
    return coacd
