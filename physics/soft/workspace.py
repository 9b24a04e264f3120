"""Arrays for the steps of a soft body."""

import numpy as np

from physics.soft.model import Model
from physics.soft.step import Work
from physics.solver.spd.simd import LANES
from physics.solver.spd.symbolic import Symbolic


def make_work(model: Model, symbolic: Symbolic) -> Work:
    """Workspace for one topology."""
    n, m, edges = len(model.mass), len(model.link_nodes), len(model.edges)
    nodal = [np.zeros((n, 3)) for _ in range(9)]
    return Work._make((
        np.zeros((n, 3, 3)), np.zeros((edges, 3, 3)), *nodal, np.zeros(m),
        np.zeros((m, 3)), np.zeros(m), np.zeros(m), np.zeros(m), np.zeros(m), np.zeros(m),
        np.zeros((m, 3)),
        np.zeros(int(symbolic.panel[-1]) + 2 * LANES), np.zeros(int(symbolic.workspace[0])),
        np.zeros(symbolic.vector_size), np.zeros((n, 3)), np.zeros((n, 3, 3)),
        np.zeros(2), np.zeros((n, 3, 3)), np.zeros((n, 3)),
    ))  # fmt: skip
