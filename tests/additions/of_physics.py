"""New nouns of the engine."""

from tests.additions import Addition

JOINT = Addition(
    "joint kind of known rows",
    "cylindrical",
    new={
        "physics/constraints/cylindrical.py": '''\
"""Cylindrical joint: turns about an axis and slides along it: two dot-1 and two dot-2 rows."""

from functools import partial

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import (
    LIMITS,
    MOTOR,
    SERVO,
    Element,
    Frame,
    across_rows,
    alignment_rows,
    drive_elements,
    joint_kind,
    slide,
    slide_row,
)


@joint_kind("cylindrical", LIMITS, MOTOR, SERVO, needs_axis=True, coordinate=slide)
def cylindrical(frame: Frame, parameters: Parameters) -> list[Element]:
    """Turns about one axis and slides along it, like a bolt."""
    held = [Element(alignment_rows(frame, parameters, 2)), Element(across_rows(frame, parameters))]
    return held + drive_elements(partial(slide_row, frame), parameters)
''',
    },
    copy="engine",
    check="""
from levels.level_schema import json_schema
from levels.reference_page import reference
from physics import Box, World
world = World()
world.add_body("a", Box((1, 1, 1)), mass=1)
world.add_joint("cylindrical", "a", at=(0, 0, 0), axis=(0, 1, 0), limits=(-1, 1))
assert "Joint_cylindrical" in json_schema()["$defs"] and "cylindrical" in reference()
assert "cylindrical" in World.add_joint.__doc__
""",
)

ROW = Addition(
    "row primitive, and a joint of it",
    "midpoint",
    remark="the row, its lines in the list of rows, the joint",
    new={
        "physics/constraints/rows/midpoint.py": '''\
"""The middle of two points stays in a plane of the world: one row.

    φ  = ½ (p_a + s_a + p_b + s_b)·n - rest
    J  = ½ ( nᵀ  (s_a × n)ᵀ  nᵀ  (s_b × n)ᵀ )
    K̃  = ½ diag(0, f̂ŝ_a, 0, f̂ŝ_b),   f = λn
"""

from physics.constraints.rows.blocks import add_hat_hat, add_lever, set_row
from physics.constraints.rows.pairs import ball_pairs
from physics.constraints.rows.primitive import Primitive
from physics.jit import kernel
from physics.linalg import cross, rotate

PRIMITIVE = Primitive("midpoint", translates=True)


@kernel
def geometry(e, r, bodies, elements):
    """s_a, s_b and n in world axes."""
    s_a = rotate(bodies.rotation, elements.body[e, 0], elements.anchor, e, 0)
    s_b = rotate(bodies.rotation, elements.body[e, 1], elements.anchor, e, 1)
    n = elements.ground[e, r, 0, 0]
    return s_a, s_b, (n[0], n[1], n[2])


@kernel
def fill(rows, start, stop, bodies, elements, J):
    """Writes phi, value and J of the rows listed in rows[start:stop]."""
    p = bodies.position
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        a, b = elements.body[e, 0], elements.body[e, 1]
        s, t, n = geometry(e, r, bodies, elements)
        value = 0.0
        for c in range(3):
            value += 0.5 * (p[a, c] + s[c] + p[b, c] + t[c]) * n[c]
        elements.value[e, r] = value
        elements.phi[e, r] = value - elements.rest[e, r]
        x, y, z = 0.5 * n[0], 0.5 * n[1], 0.5 * n[2]
        ax, ay, az = cross(s[0], s[1], s[2], x, y, z)
        bx, by, bz = cross(t[0], t[1], t[2], x, y, z)
        set_row(J, e, 0, r, x, y, z)
        set_row(J, e, 1, r, ax, ay, az)
        set_row(J, e, 2, r, x, y, z)
        set_row(J, e, 3, r, bx, by, bz)


@kernel
def stiffness(rows, start, stop, bodies, elements, lam, K):
    """K[e] += K̃ of the rows listed in rows[start:stop]; writes K."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        s, t, n = geometry(e, r, bodies, elements)
        x, y, z = lam[e, r] * n[0], lam[e, r] * n[1], lam[e, r] * n[2]
        add_hat_hat(K, e, 1, 1, 0.5, x, y, z, s[0], s[1], s[2])
        add_hat_hat(K, e, 3, 3, 0.5, x, y, z, t[0], t[1], t[2])


@kernel
def stiffen(rows, start, stop, bodies, elements, system):
    """Levers of the two anchors; writes system.added."""
    for k in range(start, stop):
        e, r = rows[k] // 3, rows[k] % 3
        s, t, n = geometry(e, r, bodies, elements)
        lam, a, b = elements.lam[e, r], elements.body[e, 0], elements.body[e, 1]
        x, y, z = lam * n[0], lam * n[1], lam * n[2]
        add_lever(system.added, 2 * a + 1, 0.5, x, y, z, s[0], s[1], s[2])
        add_lever(system.added, 2 * b + 1, 0.5, x, y, z, t[0], t[1], t[2])


@kernel
def pairs(e, r, bodies, elements, work, a, b):
    """K̃ of the row as products; writes work, a and b, returns how many."""
    s, t, n = geometry(e, r, bodies, elements)
    lam = elements.lam[e, r]
    force = (lam * n[0], lam * n[1], lam * n[2])
    used = ball_pairs(force, s, 1, 0.5, work[0], work[1], a, b)
    return used + ball_pairs(force, t, 3, 0.5, work[0], work[1], a[used:], b[used:])
''',
        "physics/constraints/balance.py": '''\
"""Balance: the middle of two points keeps its height along an axis. See rows/midpoint.py."""

import numpy as np

from physics.constraints.coordinates import Parameters
from physics.constraints.registry import Element, Frame, Row, joint_kind, soft
from physics.constraints.rows import MIDPOINT
from physics.portable import dot


@joint_kind("balance", needs_axis=True, anchors="separate")
def balance(frame: Frame, parameters: Parameters) -> list[Element]:
    """What one end rises the other sinks, like the scales of a balance."""
    n = frame.axes[2]
    height = 0.5 * float(dot(frame.point_a + frame.point_b, n))
    ground = np.array([[n, n], [n, n]])
    return [Element((Row(MIDPOINT, ground=ground, rest=height, **soft(parameters)),))]
''',
    },
    changed={
        "physics/constraints/rows/__init__.py": [
            ("from physics.state import PRIMITIVES as ROOM",
             "from physics.constraints.rows import midpoint\n"),
            ("(POINT, DOT1, DOT2, ANGLE, DISTANCE, PULLEY, SCREW, GEAR, TEETH, ROTATION, WINDING) "
             "= range(1, 12)", "MIDPOINT = 12\n"),
            ("    TEETH: teeth.PRIMITIVE,", "    MIDPOINT: midpoint.PRIMITIVE,\n"),
            ("    teeth.fill(rows, at[TEETH], at[TEETH + 1], bodies, elements, J)",
             "    midpoint.fill(rows, at[MIDPOINT], at[MIDPOINT + 1], bodies, elements, J)\n"),
            ("    teeth.stiffness(rows, at[TEETH], at[TEETH + 1], bodies, elements, lam, K)",
             "    midpoint.stiffness(rows, at[MIDPOINT], at[MIDPOINT + 1], bodies, elements, lam, "
             "K)\n"),
            ("        return teeth.pairs(e, r, bodies, elements, work, a, b)",
             "    if primitive == MIDPOINT:\n"
             "        return midpoint.pairs(e, r, bodies, elements, work, a, b)\n"),
            ("    teeth.stiffen(rows, at[TEETH], at[TEETH + 1], bodies, elements, system)",
             "    midpoint.stiffen(rows, at[MIDPOINT], at[MIDPOINT + 1], bodies, elements, "
             "system)\n"),
        ],
    },
    check="from physics import JOINTS\nassert 'balance' in JOINTS",
    tests=("tests/physics/test_rows.py", "tests/physics/test_lowrank.py"),
    tests_named="balance or registry or table or covered",
    slow=True,
)  # fmt: skip

SHAPE = Addition(
    "shape",
    "wedge",
    new={
        "physics/shapes/wedge.py": '''\
"""A wedge: half of a box, cut along a diagonal."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from physics.portable import norm
from physics.shapes.base import Array, MassProperties, ShapeField, check_density, check_vector
from physics.shapes.polyhedron import convex_hull, surface_mass_properties


@dataclass(frozen=True)
class Wedge:
    """Rises along x from the lower edge at -x to the whole height at +x."""

    size: tuple[float, float, float]

    name: ClassVar[str] = "wedge"
    finite_convex: ClassVar[bool] = True
    fields: ClassVar[tuple[ShapeField, ...]] = (
        ShapeField("size", "It has these full edge lengths along x, y and z, in m.", "m", "vector"),
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", check_vector("Wedge", "size", self.size))

    @property
    def bounding_radius(self) -> float:
        return float(norm(self.core()[0]).max())

    def mass_properties(self, density: float) -> MassProperties:
        return surface_mass_properties(
            *convex_hull("Wedge", self.core()[0]), check_density("Wedge", density)
        )

    def core(self) -> tuple[Array, float]:
        corners = [(-1, -1, -1), (-1, -1, 1), (1, -1, -1), (1, -1, 1), (1, 1, -1), (1, 1, 1)]
        return 0.5 * np.array(corners) * np.array(self.size), 0.0
''',
    },
    changed={
        "physics/shapes/__init__.py": [
            ("from physics.shapes.triangle_mesh import TriangleMesh",
             "from physics.shapes.wedge import Wedge\n"),
            ("        Sphere, Box, Capsule, Cylinder, Cone, Hull, Compound, Plane, TriangleMesh, "
             "HeightField", "        , Wedge\n"),
        ],
    },
    copy="engine",
    check="""
import numpy as np
from levels.level_schema import json_schema
from physics import World
from physics.shapes.wedge import Wedge
from sandbox.gltf.tessellate import _simple
from sandbox.render.prop_appearance import half_extents
world = World()
body = world.add_body("ramp", Wedge((2, 1, 1)), density=1000)
assert abs(world.mass(body) - 1000) < 1e-9
assert "Body_wedge" in json_schema()["$defs"], sorted(json_schema()["$defs"])
assert (half_extents(Wedge((2, 1, 1))) == (1, 0.5, 0.5)).all() and len(_simple(Wedge((2, 1, 1)))[1])
""",
    tests=("tests/physics/shapes/test_shapes.py",),
    tests_named="test_shapes",
)  # fmt: skip

STABILIZATION = Addition(
    "stabilization",
    "doubled",
    remark="the list with its branch, and the formulas",
    new={
        "physics/stabilization/doubled.py": '''\
"""Every body twice as heavy as it is."""

from physics.jit import kernel


@kernel
def add_mass_again(system):
    """M̃ = 2 M; writes system.added."""
    for b in system.bodies:
        for node in range(2 * b, 2 * b + 2):
            for r in range(3):
                for c in range(3):
                    system.added[node, r, c] += system.mass[node, r, c]
''',
    },
    changed={
        "physics/stabilization/__init__.py": [
            ("from physics.stabilization.clear import clear_added",
             "from physics.stabilization.doubled import add_mass_again\n"),
            ("NONE, GEOMETRIC, INERTIAL, CONSTRAINT, ADAPTIVE = range(5)", "DOUBLED = 5\n"),
            ("STABILIZATIONS: dict[str, Stabilization] = {",
             '    "doubled": Stabilization(DOUBLED, "Twice", "Twice as heavy.", 50.0, "none"),\n'),
            ("        add_constraint_damping(bodies, elements, system, h, alpha)",
             "    elif chosen == DOUBLED:\n        add_mass_again(system)\n"),
        ],
    },
    check="""
from levels.level_schema import json_schema
from physics import Box, World
world = World(stabilization="doubled", gravity=(0, 0, 0))
body = world.add_body("a", Box((1, 1, 1)), mass=1, velocity=(1, 0, 0))
world.add_joint("ball", "a", at=(0, 1, 0))
world.step()
assert "doubled" in str(json_schema()) and world.stabilization == "doubled"
""",
    slow=True,
)  # fmt: skip

BODY_KEY = Addition(
    "key of a body",
    "buoyancy",
    remark="its entry and its column, besides what reads it in the step",
    changed={
        "physics/definitions/body_keys.py": [
            ('    """Every key with its type; what is left out takes its default."""',
             '\n    buoyancy: Annotated[float, Key("Air carries it by this, in N.", 0.25, "N", '
             'heading="motion")]\n'),
        ],
        "physics/state.py": [
            ("    gravity_scale: Array[Floats, \"n\"]  # share of gravity that acts",
             "    buoyancy: Array[Floats, \"n\"]  # N that air carries\n"),
        ],
    },
    copy="kernels",
    check="""
import inspect
from levels.level_schema import json_schema
from levels.reference_page import reference
from physics import Box, World
world = World()
world.add_body("a", Box((1, 1, 1)), mass=1, buoyancy=2)
world.add_body("b", Box((1, 1, 1)), mass=1)
world.add_particle("p", mass=1)
column = world._bodies.arrays.buoyancy
assert column[1:4].tolist() == [2.0, 0.25, 0.25], column[:5]
assert "buoyancy" in inspect.signature(World.add_body).parameters
assert "buoyancy" in reference() and "buoyancy" in str(json_schema())
saved = world.snapshot()
column[1] = 3.0
world.restore(saved)
assert world._bodies.arrays.buoyancy[1] == 2.0
""",
)  # fmt: skip

CLOTH = Addition(
    "cloth model",
    "spokes",
    remark="its entry with parameters, and its elements",
    changed={
        "physics/soft/models.py": [
            ('    """Numbers of cloth models; a model names those it has."""',
             '\n    hub: Annotated[float, Parameter("m/N", 0.0, "Its threads give by this, in m/N."'
             ")]\n"),
            ("_CLOTHS = (", '    ClothModel("spokes", "threads alone", ("hub",)),\n'),
        ],
        "physics/soft/make.py": [
            ("ADD_ELEMENTS: dict[str, Callable[[Builder, primitives.Cloth | None, Ints, Values], "
             "None]] = {", '    "spokes": lambda builder, sheet, triangles, values: _add(\n'
             '        builder, mesh_topology.unique_edges(triangles), values["hub"]\n    ),\n'),
        ],
    },
    copy="kernels",
    check="""
from levels.level_schema import json_schema
from physics import World
from physics.soft.models import CLOTH_MODELS, CLOTH_PARAMETERS
assert "spokes" in CLOTH_MODELS and "hub" in CLOTH_PARAMETERS and "spokes" in str(json_schema())
world = World()
world.add_cloth("sail", size=(1, 1), rows=3, columns=3, mass=1, model="spokes", hub=0.1)
assert "hub: Its threads give by this" in World.add_cloth.__doc__
""",
)  # fmt: skip

SOLID = Addition(
    "solid material",
    "arap",
    remark="its entry, and its energy with the derivatives",
    changed={
        "physics/soft/models.py": [
            ("_SOLIDS = (", '    SolidMaterial("arap", 4, "as rigid as possible"),\n'),
        ],
        "physics/soft/elements/principal.py": [
            ('    """ψ(s)."""',
             "    if kind == 4:\n        a, b, c = s[0] - 1.0, s[1] - 1.0, s[2] - 1.0\n"
             "        return second * (a * a + b * b + c * c)\n"),
            ('    """First and second derivatives of ψ by the stretches. Written: psi (3,), A (3, '
             '3)."""',
             "    if kind == 4:\n        for i in range(3):\n"
             "            psi[i] = 2.0 * second * (s[i] - 1.0)\n            for j in range(3):\n"
             "                A[i, j] = 2.0 * second if i == j else 0.0\n        return\n"),
        ],
    },
    copy="kernels",
    check="""
from levels.level_schema import json_schema
from physics import World
World().add_solid("jelly", size=(1, 1, 1), cells=(1, 1, 1), material="arap")
assert "arap" in str(json_schema())
""",
)  # fmt: skip

ADDITIONS = (ROW, JOINT, SHAPE, STABILIZATION, BODY_KEY, CLOTH, SOLID)
