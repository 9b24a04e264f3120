"""What the user may change between steps: gravity, stabilization, solver."""

from typing import Any

import numpy as np

from physics.checks import choice, number, vector
from physics.params import PGS_SWEEPS
from physics.snapshot import Saved
from physics.stabilization import NAMES
from physics.state import SOLVERS, Floats, Settings, VectorLike


class FixedVector(np.ndarray[Any, np.dtype[np.float64]]):
    """A vector to be read; writing an entry of it says how it is set instead."""

    def __setitem__(self, index: Any, value: Any) -> None:
        if not self.flags.writeable:
            raise ValueError(
                "an entry of gravity cannot be set; set all of it: world.gravity = (x, y, z)"
            )
        super().__setitem__(index, value)


class WorldSettings:
    """Owns the settings, each checked when it is set."""

    def __init__(
        self,
        dimension: int,
        gravity: VectorLike,
        stabilization: str,
        solver: str,
        alpha: float = 1.0,
    ) -> None:
        if isinstance(dimension, bool) or dimension not in (2, 3):
            raise ValueError(f"dimension must be 2 or 3, not {dimension!r}")
        self.dimension = int(dimension)
        self.gravity: Floats = vector("gravity", gravity)  # replaced, never written into
        self._stabilization = _index("stabilization", stabilization, NAMES)
        self._solver = _index("solver", solver, SOLVERS)
        self.alpha = alpha

    def shown_gravity(self) -> Floats:
        """A copy for the user, which cannot be written to: that would change nothing."""
        shown = self.gravity.copy().view(FixedVector)
        shown.flags.writeable = False
        return shown

    @property
    def stabilization(self) -> str:
        return NAMES[self._stabilization]

    @stabilization.setter
    def stabilization(self, value: str) -> None:
        self._stabilization = _index("stabilization", value, NAMES)

    @property
    def solver(self) -> str:
        return SOLVERS[self._solver]

    @solver.setter
    def solver(self, value: str) -> None:
        self._solver = _index("solver", value, SOLVERS)

    @property
    def alpha(self) -> float:
        return self._alpha

    @alpha.setter
    def alpha(self, value: float) -> None:
        self._alpha = number("alpha", value, least=0.0)

    def of_step(self, h: float) -> Settings:
        """For a step of h seconds, as kernels take them."""
        return Settings(h, self.gravity, self._stabilization, self._solver, PGS_SWEEPS, self._alpha)

    def save(self) -> Saved:
        return {
            "dimension": self.dimension,
            "gravity": self.gravity.copy(),
            "stabilization": self.stabilization,
            "solver": self.solver,
            "alpha": self.alpha,
        }

    def restore(self, saved: Saved) -> None:
        if saved["dimension"] != self.dimension:
            raise ValueError(f"it is of a world of {saved['dimension']} dimensions")
        self.gravity = vector("gravity", saved["gravity"])
        self.stabilization, self.solver = saved["stabilization"], saved["solver"]
        self.alpha = saved["alpha"]


def _index(what: str, value: str, known: tuple[str, ...]) -> int:
    return known.index(choice(what, value, known))
