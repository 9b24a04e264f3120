"""Stabilizations against geometric stiffness: what is added to the mass matrix, M̃ - M.

K̃ = ∂(Jᵀλ)/∂x, from the previous step's λ, is the stiffness of the transverse motion that a tight
chain allows. Where h²k/m is large an ordinary step makes that motion explode.

    none        nothing
    geometric   -h² sym(K̃), its positive part                         [Tournier15, Eq. 21]
    inertial    h B, B = diag((h²k - 4αm)₊/2h), k the column norms      [Andrews17, Eqs. 11-13]
    constraint  the same b per constraint row, as damping B'            [Andrews17, §4.3-4.4]
    adaptive    G = (θh²k - αm)₊, isotropic per body and per pair, its momentum carried along

Each writes system.added (blocks of single nodes) and elements.K (blocks of coupled elements). A new
one is a kernel in a file of its own, an entry of STABILIZATIONS and a branch of add_stabilization;
levels, user interface and documentation read the table.
"""

from dataclasses import dataclass

from physics.jit import kernel
from physics.stabilization.adaptive import add_adaptive
from physics.stabilization.andrews import add_constraint_damping, add_inertial
from physics.stabilization.clear import clear_added
from physics.stabilization.geometric import add_projected_stiffness
from physics.stabilization.springs import add_spring

NONE, GEOMETRIC, INERTIAL, CONSTRAINT, ADAPTIVE = range(5)


@dataclass(frozen=True)
class Stabilization:
    """What users are told about one, and what other parts of the program must know of it."""

    number: int  # of its branch in add_stabilization
    title: str
    sentence: str
    mass_ratio: float  # of jointed bodies; beyond, at 60 steps a second, it does not hold
    soft: str  # which one soft bodies take in its place
    guarded: bool = False  # its steps measure their error and are retaken where it is too large


# "inertial" and "constraint" [Andrews17] bound the transverse stiffness of joints by damping, per
# body and per row; of soft elements its positive part is in the matrix itself, so they are
# "geometric" there. `World.stats.soft["stabilization"]` says so.
STABILIZATIONS: dict[str, Stabilization] = {
    "none": Stabilization(
        number=NONE,
        title="None",
        sentence="Nothing is added; stiff chains explode.",
        mass_ratio=50.0,
        soft="none",
    ),
    "geometric": Stabilization(
        number=GEOMETRIC,
        title="Geometric stiffness",
        sentence="The stiffness of tight chains, implicitly; stable, but swinging is dragged.",
        mass_ratio=1e7,
        soft="geometric",
    ),
    "inertial": Stabilization(
        number=INERTIAL,
        title="Damping per body",
        sentence="Damping of bodies, as much as the stiffness of tight chains asks for.",
        mass_ratio=1e3,
        soft="geometric",
    ),
    "constraint": Stabilization(
        number=CONSTRAINT,
        title="Damping per joint",
        sentence="Damping of joints, as much as the stiffness of tight chains asks for.",
        mass_ratio=1e3,
        soft="geometric",
    ),
    "adaptive": Stabilization(
        number=ADAPTIVE,
        title="Adaptive inertia",
        sentence="Inertia only where a step would explode; stable, and swinging goes on.",
        mass_ratio=1e7,
        soft="adaptive",
        guarded=True,
    ),
}
NAMES = tuple(STABILIZATIONS)  # by number
DEFAULT = "adaptive"


@kernel
def add_stabilization(chosen, bodies, elements, system, h, alpha=1.0):
    """Writes system.added, elements.K and elements.added_damping for the chosen stabilization."""
    if chosen == ADAPTIVE:
        add_adaptive(bodies, elements, system, h)
        return
    clear_added(elements, system)
    if chosen == GEOMETRIC:
        add_projected_stiffness(bodies, elements, system, h)
    elif chosen == INERTIAL:
        add_inertial(bodies, elements, system, h, alpha)
    elif chosen == CONSTRAINT:
        add_constraint_damping(bodies, elements, system, h, alpha)
    for e in system.stiffness:
        add_spring(False, elements, system, e, h)
