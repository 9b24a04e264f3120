"""What every comparator has: a step of one soft body from its rows."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from physics.jit import kernel

if TYPE_CHECKING:
    from physics.soft.solve.soft_body import SoftBody

Floats = NDArray[np.float64]
ITERATIONS = 20  # of those that iterate, unless told otherwise


class Comparator(ABC):
    """Steps a soft body; `iterations` means something to those that iterate."""

    springs: ClassVar[bool]  # threads are springs, whose energy is ½kφ²

    def __init__(self, iterations: int = ITERATIONS) -> None:
        self.iterations = iterations

    @abstractmethod
    def step(self, body: "SoftBody", h: float) -> None:
        """From x_n to x_{n+1}.

        The rows are loaded, with the speeds of the bodies they touch; their impulses are written.
        `work.drag` and `work.push` are air and hands.
        """


@kernel
def speed_up(model, state, gravity, h, w):
    """Velocities after gravity, forces, air and hands. Written: state.v."""
    for i in range(model.mass.size):
        m = model.mass[i]
        old = state.v[i, 0], state.v[i, 1], state.v[i, 2]
        for d in range(3):
            if state.pinned[i]:
                state.v[i, d] = state.pin_velocity[i, d]
                continue
            air = w.push[i, d]
            for c in range(3):
                air -= w.drag[i, d, c] * old[c]
            state.v[i, d] = old[d] + h * (gravity[d] + state.force[i, d] / m) + air / m


@kernel
def spring_forces(model, x, f, lam):
    """Threads as springs of their stiffness. Added to f; written: lam, N."""
    for e in range(model.link_nodes.shape[0]):
        i, j = model.link_nodes[e, 0], model.link_nodes[e, 1]
        d0, d1, d2 = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
        size = max((d0 * d0 + d1 * d1 + d2 * d2) ** 0.5, 1e-12)
        lam[e] = -model.link_stiffness[e] * (size - model.link_length[e])
        for d, way in enumerate((d0, d1, d2)):
            f[i, d] += lam[e] * way / size
            f[j, d] -= lam[e] * way / size
