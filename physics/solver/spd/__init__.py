"""Direct solver for symmetric positive definite matrices of 3x3 node blocks (cloth, solids)."""

from physics.solver.spd.analysis import Symbolic, analyse
from physics.solver.spd.solver import SpdSolver

__all__ = ["SpdSolver", "Symbolic", "analyse"]
