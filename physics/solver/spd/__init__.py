"""Direct solver for symmetric positive definite matrices of 3x3 node blocks (cloth, solids)."""

from physics.solver.spd.solver import SpdSolver
from physics.solver.spd.symbolic import Symbolic, analyse

__all__ = ["SpdSolver", "Symbolic", "analyse"]
