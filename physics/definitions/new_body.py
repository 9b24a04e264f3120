"""What a body or particle shall be, checked before anything of the world is touched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics import state as st
from physics.checks import (
    flag,
    groups,
    indices,
    locks,
    numbers,
    quaternion,
    shown,
    vector,
)
from physics.definitions.body_keys import Column, Columns
from physics.definitions.mass import UNMOVED, BodyMass, body_mass, particle_mass, shape_center
from physics.shapes import SHAPES, has_mass
from physics.shapes.base import Shape
from physics.state import Floats, VectorLike

PLANAR_LOCKS = "z rx ry"

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class NewBody:
    """Everything that a slot of a body is filled with."""

    kind: int  # STATIC …
    shape: Shape | None  # None: a particle
    mass: BodyMass
    position: Floats
    orientation: Floats
    velocity: Floats
    angular_velocity: Floats
    free: Floats  # (2, 3)
    columns: Columns  # of its keys

    @property
    def moves(self) -> bool:
        return self.kind in (st.DYNAMIC, st.PARTICLE)


class NewParticles(NamedTuple):
    """Point masses to be, one entry each."""

    names: list[str]
    mass: Floats
    held: Flags
    position: Floats
    velocity: Floats
    radius: list[float]
    surfaces: list[Mapping[str, Column]]


def free_axes(what: str, locked: str, dimension: int) -> Floats:
    """(2, 3) degrees of freedom that are left by the locks and by the plane."""
    free = locks(f"locked {what}", locked)
    return free * locks("plane", PLANAR_LOCKS if dimension == 2 else "")


def new_body(
    name: str,
    shape: Shape | None,
    dimension: int,
    columns: Columns,
    *,
    mass: float | None,
    density: float | None,
    position: object,
    orientation: object,
    velocity: object,
    angular_velocity: object,
    fixed: object,
    keyframed: object,
    locked: str,
    origin: object = None,
    inertia: object = None,
    center_of_mass: VectorLike | None = None,
) -> NewBody:
    """A rigid body, or a ValueError that says what is wrong with it."""
    what = f'of body "{name}"'
    held, driven = flag(f"fixed {what}", fixed), flag(f"keyframed {what}", keyframed)
    moves = not held and not driven
    form = _checked_shape(name, shape, moves)
    if moves:
        weight = body_mass(name, form, mass, density, inertia, center_of_mass)
    else:
        center = shape_center(form)
        if center_of_mass is not None:
            center = vector(f"center_of_mass {what}", center_of_mass)
        weight = replace(UNMOVED, center=center)
    turned = quaternion(f"orientation {what}", orientation)
    return NewBody(
        kind=st.DYNAMIC if moves else st.KEYFRAMED if driven else st.STATIC,
        shape=shape,
        mass=weight,
        position=_placed(what, position, origin, turned, weight.center),
        orientation=turned,
        velocity=vector(f"velocity {what}", velocity),
        angular_velocity=vector(f"angular_velocity {what}", angular_velocity),
        free=free_axes(what, locked, dimension),
        columns=columns,
    )


def _placed(what: str, position: object, origin: object, turned: Floats, center: Floats) -> Floats:
    """Where the centre of mass is, of a body placed by it or by its shape's origin."""
    if origin is None:
        return vector(f"position {what}", (0.0, 0.0, 0.0) if position is None else position)
    if position is not None:
        raise ValueError(f"position and origin {what} both say where it is; give one of them")
    return vector(f"origin {what}", origin) + turned_by(turned, center)


def rotation_matrix(q: Floats) -> Floats:
    """Rotation matrix of a unit quaternion."""
    w, x, y, z = q.tolist()
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def turned_by(q: Floats, v: Floats) -> Floats:
    """v turned by a unit quaternion."""
    twice = 2.0 * np.cross(q[1:], v)
    return v + q[0] * twice + np.cross(q[1:], twice)


def _checked_shape(name: str, shape: Shape | None, moves: bool) -> Shape:
    kinds = tuple(SHAPES.values())
    if not isinstance(shape, kinds):
        known = ", ".join(kind.__name__ for kind in kinds)
        raise ValueError(f'body "{name}" needs a shape object ({known}), not {shown(shape)}')
    if moves and not has_mass(shape):
        raise ValueError(f'body "{name}" has a {shape.name}, which has no mass; give it fixed=True')
    return shape


def new_particle(
    name: str,
    dimension: int,
    columns: Columns,
    *,
    mass: float,
    position: object,
    velocity: object,
    fixed: object,
) -> NewBody:
    """A point mass, or a ValueError that says what is wrong with it."""
    what = f'of particle "{name}"'
    held = flag(f"fixed {what}", fixed)
    return NewBody(
        kind=st.STATIC if held else st.PARTICLE,
        shape=None,
        mass=UNMOVED if held else particle_mass(name, mass),
        position=vector(f"position {what}", position),
        orientation=np.array([1.0, 0.0, 0.0, 0.0]),
        velocity=vector(f"velocity {what}", velocity),
        angular_velocity=np.zeros(3),
        free=free_axes(what, "", dimension),
        columns=columns,
    )


def new_particles(
    names: Sequence[str],
    *,
    mass: object,
    fixed: object,
    position: object,
    velocity: object,
    radius: object,
    friction: object,
    group: object,
    mask: object,
) -> NewParticles:
    """Many point masses; every property is one value for all or one for each."""
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise ValueError(f"names of particles must be a list of texts, not {shown(names)}")
    n = len(names)
    held = _flags("fixed of particles", fixed, n)
    masses = numbers("mass of particles", mass, (n,))
    if n and masses[~held].min(initial=np.inf) <= 0.0:
        name = names[int(np.flatnonzero((masses <= 0.0) & ~held)[0])]
        raise ValueError(f'mass of particle "{name}" must be above zero')
    if len(set(map(shown, names))) < n:
        raise ValueError("two particles have the same name; names must differ")
    frictions = numbers("friction of particles", friction, (n,), least=0.0).tolist()
    own = _groups("group of particles", group, n)
    others = _groups("mask of particles", mask, n)
    return NewParticles(
        names=list(names),
        mass=masses,
        held=held,
        position=numbers("position of particles", position, (n, 3)),
        velocity=numbers("velocity of particles", velocity, (n, 3)),
        radius=numbers("radius of particles", radius, (n,), least=0.0).tolist(),
        surfaces=[
            {"friction": rub, "group": g, "mask": m}
            for rub, g, m in zip(frictions, own, others, strict=True)
        ],
    )


def _flags(what: str, value: object, n: int) -> Flags:
    array = np.asarray(value)
    if array.dtype != np.bool_ or array.shape not in ((), (n,)):
        raise ValueError(f"{what} must be True or False, or {n} of them, not {shown(value)}")
    return np.broadcast_to(array, (n,))


def _groups(what: str, value: object, n: int) -> list[int]:
    if isinstance(value, (int, np.integer)):
        return [groups(what, value)] * n
    bits = indices(what, value, 0x10000).tolist()
    if len(bits) != n:
        raise ValueError(f"{what} must be one whole number or {n} of them, not {len(bits)}")
    return bits
