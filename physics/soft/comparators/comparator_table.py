"""Which comparators there are, by the name of their stepping."""

from physics.soft.comparators.comparator import Comparator
from physics.soft.comparators.euler import Explicit, Implicit, Symplectic
from physics.soft.comparators.position_based import Extended, PositionBased
from physics.soft.comparators.projective import Projective

COMPARATORS: dict[str, type[Comparator]] = {
    "explicit": Explicit,
    "symplectic": Symplectic,
    "implicit": Implicit,
    "pbd": PositionBased,
    "xpbd": Extended,
    "projective": Projective,
}
