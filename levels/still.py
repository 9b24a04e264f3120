"""A level at rest, for its picture: what is written in the file, without an engine.

It answers the questions about a world that drawing asks, from the plan alone. So a level can be
seen while the kernels that will move it are still being compiled.
"""

import inspect
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from levels.alike import alike
from levels.level import Variant
from levels.plain_data import TomlValue
from levels.plan import Plan, PlannedBody, PlannedJoint, PlannedParticle, PlannedSoft
from physics import Handle, World
from physics.definitions.mass import shape_center
from physics.records import JointInfo
from physics.shapes.base import Shape
from physics.state import VectorLike

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Surface = tuple[Floats, Ints]  # nodes and triangles
Known = dict[str, tuple[PlannedSoft, Surface]]

_PARAMETERS: Mapping[str, TomlValue] = {
    "wheel_a": None,
    "wheel_b": None,
}  # which pulleys may leave out
_UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


class StillWorld:
    """The reading half of `physics.World`, as far as it is needed for a picture."""

    def __init__(self, variant: Variant, before: "StillWorld | None" = None) -> None:
        """`before`: one of nearly the same level, whose soft surfaces are taken where alike."""
        self.dimension = variant.checked.header.dimension
        self._plan = plan = variant.plan
        gone = set(plan.removed)
        bodies = [body for body in plan.bodies.values() if body.name not in gone]
        particles = [grain for grain in plan.particles.values() if grain.name not in gone]
        self._planned: list[PlannedBody | PlannedParticle] = [*bodies, *particles]
        self._names: dict[str, Handle] = {}
        for slot, planned in enumerate(self._planned):
            kind = "body" if isinstance(planned, PlannedBody) else "particle"
            self._names[planned.name] = Handle(kind, slot, 0)
        self._joints = [joint for joint in plan.joints.values() if self._is_there(joint, gone)]
        for slot, joint in enumerate(self._joints):
            self._names[joint.name] = Handle("joint", slot, 0)
        self._softs = [soft for soft in plan.softs.values() if soft.name not in gone]
        known = {} if before is None else before.known_surfaces()
        self._surfaces = [_known_surface(soft, known) for soft in self._softs]
        for slot, soft in enumerate(self._softs):
            self._names[soft.name] = Handle(soft.kind, slot, 0)
        self._labels = {handle: name for name, handle in self._names.items()}

    @property
    def plan(self) -> Plan:
        return self._plan

    def _is_there(self, joint: PlannedJoint, gone: set[str]) -> bool:
        ends = (joint.a,) if joint.b is None else (joint.a, joint.b)
        return joint.name not in gone and all(end in self._names for end in ends)

    # --- things -------------------------------------------------------------------------------

    def handles(self, kind: str | None = None) -> list[Handle]:
        return [handle for handle in self._labels if kind in (None, handle.kind)]

    def find(self, name: str) -> Handle:
        if name not in self._names:
            raise ValueError(f'nothing is named "{name}"')
        return self._names[name]

    def name(self, handle: Handle) -> str:
        return self._labels[handle]

    def poses(self) -> tuple[Floats, Floats]:
        count = len(self._planned)
        positions = np.array([_position(planned) for planned in self._planned], float)
        turns = np.array([_orientation(planned) for planned in self._planned], float)
        return positions.reshape(count, 3), turns.reshape(count, 4)

    def position(self, handle: Handle) -> Floats:
        return np.array(_position(self._planned[handle.slot]), float)

    def orientation(self, handle: Handle) -> Floats:
        return np.array(_orientation(self._planned[handle.slot]), float)

    def shape(self, handle: Handle) -> Shape | None:
        """None of a particle."""
        planned = self._planned[handle.slot]
        return planned.shape if isinstance(planned, PlannedBody) else None

    def center_of_mass(self, handle: Handle) -> Floats:
        """In the shape's own coordinates."""
        planned = self._planned[handle.slot]
        if not isinstance(planned, PlannedBody):
            return np.zeros(3)
        given = planned.options.center_of_mass
        return np.array(given, float) if given is not None else shape_center(planned.shape)

    def is_particle(self, handle: Handle) -> bool:
        return handle.kind == "particle"

    def is_fixed(self, handle: Handle) -> bool:
        return self._plan.is_fixed(self._planned[handle.slot].name)

    # --- joints -------------------------------------------------------------------------------

    def joint(self, handle: Handle) -> JointInfo:
        joint = self._joints[handle.slot]
        a = self._names[joint.a]
        b = self._names[joint.b] if joint.b is not None else None
        first = joint.at_a or joint.at or self.position(a)
        second = joint.at_b or joint.at or (first if b is None else self.position(b))
        return JointInfo(
            kind=joint.kind,
            a=a,
            b=b,
            anchor_a=np.array(first, float),
            anchor_b=np.array(second, float),
            axis=np.array(joint.axis or (0.0, 1.0, 0.0), float),
            parameters={**_PARAMETERS, **joint.parameters},
        )

    def is_broken(self, handle: Handle) -> bool:
        return False

    # --- cloths and solids --------------------------------------------------------------------

    def known_surfaces(self) -> Known:
        pairs = zip(self._softs, self._surfaces, strict=True)
        return {soft.name: (soft, surface) for soft, surface in pairs}

    def node_positions(self, handle: Handle) -> Floats:
        return self._surfaces[handle.slot][0]

    def triangles(self, handle: Handle) -> Ints:
        return self._surfaces[handle.slot][1]

    def springs(self, handle: Handle) -> list[tuple[int, Floats]]:
        springs = self._softs[handle.slot].options.get("springs", ())
        return [(spring.node, np.array(spring.to, float)) for spring in springs]


def _known_surface(soft: PlannedSoft, known: Known) -> Surface:
    """Made anew only if it is another."""
    before = known.get(soft.name)
    return before[1] if before is not None and alike(before[0], soft) else _surface(soft)


def _position(planned: PlannedBody | PlannedParticle) -> Sequence[float]:
    return planned.frame.position if isinstance(planned, PlannedBody) else planned.position


def _orientation(planned: PlannedBody | PlannedParticle) -> VectorLike:
    return planned.frame.orientation if isinstance(planned, PlannedBody) else _UPRIGHT


def _surface(soft: PlannedSoft) -> Surface:
    """Where the nodes of a cloth or solid are, and the triangles one sees; cuts are not shown."""
    from physics.soft.make import cloth_mesh, solid_mesh
    from physics.soft.meshes import mesh_topology

    what = f'of {soft.kind} "{soft.name}"'
    add = World.add_cloth if soft.kind == "cloth" else World.add_solid
    usual = {key: given.default for key, given in inspect.signature(add).parameters.items()}
    options = {**usual, **soft.options}
    if soft.kind == "cloth":
        nodes, triangles, _ = cloth_mesh(what, options)
    else:
        nodes, tetrahedra = solid_mesh(what, options)
        triangles = mesh_topology.surface(tetrahedra)
    for places in (soft.edits.get("moved"), options.get("start")):
        if places is not None and len(places):
            nodes = np.asarray(places, float)
            break
    return np.array([soft.frame.point(node) for node in nodes.tolist()], float), triangles
