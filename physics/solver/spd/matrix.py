"""The matrix before factorisation: 3x3 blocks on the nodes and edges of a graph.

`diagonal[node]` and `off[edge] = A[i, j]` for edge (i, j); the block of (j, i) is its transpose.
"""

from physics.jit import kernel


@kernel
def multiply(edges, diagonal, off, x, y):
    """y = A x for nodal vectors (n, 3). Written: y."""
    for i in range(diagonal.shape[0]):
        for d in range(3):
            y[i, d] = (
                diagonal[i, d, 0] * x[i, 0]
                + diagonal[i, d, 1] * x[i, 1]
                + diagonal[i, d, 2] * x[i, 2]
            )
    for e in range(edges.shape[0]):
        i, j = edges[e, 0], edges[e, 1]
        for d in range(3):
            y[i, d] += off[e, d, 0] * x[j, 0] + off[e, d, 1] * x[j, 1] + off[e, d, 2] * x[j, 2]
            y[j, d] += off[e, 0, d] * x[i, 0] + off[e, 1, d] * x[i, 1] + off[e, 2, d] * x[i, 2]
