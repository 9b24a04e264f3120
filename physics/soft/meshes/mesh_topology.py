"""What follows from the cells of a mesh alone: orientation, faces, edges, hinges, nodal shares."""

import numpy as np
from numpy.typing import NDArray

from physics.portable import determinant

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def oriented(position: Floats, tetrahedra: Ints) -> Ints:
    """Swap two nodes of every tetrahedron with negative volume."""
    edges = position[tetrahedra[:, 1:]] - position[tetrahedra[:, :1]]
    wrong = determinant(edges) < 0.0
    tetrahedra = tetrahedra.copy()
    tetrahedra[wrong] = tetrahedra[wrong][:, [0, 1, 3, 2]]
    return tetrahedra


_FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])


# faces of a hexahedron with corners 4x + 2y + z, seen from outside
_QUADS = np.array([
    [0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]
])  # fmt: skip


def surface(cells: Ints) -> Ints:
    """Triangles that belong to one tetrahedron or hexahedron only, facing outwards."""
    if cells.shape[1] == 8:
        quads = cells[:, _QUADS].reshape(-1, 4)
        _, first, count = np.unique(
            np.sort(quads, axis=1), axis=0, return_index=True, return_counts=True
        )
        quads = quads[np.sort(first[count == 1])]
        return np.asarray(quads[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3))
    faces = cells[:, _FACES].reshape(-1, 3)
    key = np.sort(faces, axis=1)
    _, first, count = np.unique(key, axis=0, return_index=True, return_counts=True)
    return faces[np.sort(first[count == 1])]


def hinges(triangles: Ints) -> Ints:
    """Node quadruples (edge 0-1, opposite 2 and 3) of every interior edge, for `bending`."""
    edge = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    opposite = triangles[:, [2, 0, 1]].reshape(-1)
    key = np.sort(edge, axis=1)
    order = np.lexsort((key[:, 1], key[:, 0]))
    key, opposite, edge = key[order], opposite[order], edge[order]
    twin = np.flatnonzero(np.all(key[1:] == key[:-1], axis=1))
    return np.column_stack([edge[twin], opposite[twin], opposite[twin + 1]])


def unique_edges(*elements: Ints) -> Ints:
    """All node pairs that share an element, each once, smaller node first."""
    pairs = [np.zeros((0, 2), np.int64)]
    for nodes in elements:
        if len(nodes):
            for a in range(nodes.shape[1]):
                pairs += [nodes[:, [a, b]] for b in range(a)]
    return np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)


def nodal_volume(count: int, nodes: Ints, size: Floats) -> Floats:
    """Volume or area lumped in equal parts to the nodes of each element."""
    total = np.zeros(count)
    np.add.at(total, nodes, (size / nodes.shape[1])[:, None])
    return total
