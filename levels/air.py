"""Moving air: how it pushes bodies, cloths and solids.

A body feels ½ ρ c A |u| u, where u is how fast the air moves past it and A its mean cross-section:
for a convex body a quarter of its surface [Cauchy]. The push of one step never turns u around, so
that light things are carried along and not thrown to and fro.
"""

from __future__ import annotations

import math

import numpy as np

from levels.frames import Vec
from levels.measures import in_zone
from levels.name_table import NameTable
from physics import Compound
from physics.portable import norm, transform
from physics.records import Handle
from physics.shapes.base import Shape
from physics.state import Floats

_WAKES = 1e-3  # of the weight: a sleeping body does not feel less


def blow_on(names: NameTable, soft: str, velocity: Vec) -> None:
    """The air around a cloth or solid moves at that velocity from now on."""
    planned = names.plan.softs.get(soft)
    options = dict(planned.air or {}) if planned is not None else {}
    options["wind"] = velocity
    names.world.set_wind(names.softs[soft], **options)


def blow(names: NameTable, velocity: Vec, zone: str | None, density: float, drag: float) -> None:
    """One step of a wind that acts on everything in a zone, or everywhere."""
    world, air = names.world, np.array(velocity)
    for handle in names.handles.values():
        mass = float(world.mass(handle))
        if not math.isfinite(mass):
            continue
        if zone is not None and not in_zone(names, world.position(handle), zone):
            continue
        past = air - world.velocity(handle)
        speed = float(norm(past))
        push = 0.5 * density * drag * _measured(names, handle) * speed
        push = min(push, mass / world.h)
        weight = mass * float(norm(world.gravity))
        if push * speed > (_WAKES * weight if world.asleep(handle) else 0.0):
            world.apply_force(handle, push * past)
    for name, soft in names.softs.items():
        middle = world.node_positions(soft).mean(axis=0)
        if zone is None or in_zone(names, middle, zone):
            blow_on(names, name, velocity)


def _measured(names: NameTable, handle: Handle) -> float:
    """The cross-section, found once for each shape: finding it takes longer than the rest."""
    shape = names.world.shape(handle)
    known = names.cross_sections.get(handle)
    if known is None or known[0] is not shape:
        known = names.cross_sections[handle] = (shape, cross_section(shape, names, handle))
    return known[1]


def cross_section(shape: Shape | None, names: NameTable, handle: Handle) -> float:
    """Mean over all directions, m²."""
    if shape is None:
        name = names.name_of(handle)
        particle = names.plan.particles.get(name)
        return math.pi * (particle.options.radius if particle else 0.0) ** 2
    if not isinstance(shape, Compound):
        return _rounded_box(*shape.core())
    # one part may stand in another's lee: never more than the box around all of them
    parts, corners = 0.0, []
    for part in shape.parts:
        points, radius = part.shape.core()
        parts += _rounded_box(points, radius)
        placed = transform(part.matrix(), points) + np.array(part.position)
        corners += [placed.min(axis=0) - radius, placed.max(axis=0) + radius]
    return min(parts, _rounded_box(np.array(corners), 0.0))


def _rounded_box(points: Floats, radius: float) -> float:
    """Steiner: the surface of the box around points, rounded by a radius, over four: exact for
    balls, capsules and boxes, and the box around it for other hulls."""
    x, y, z = (float(size) for size in points.max(axis=0) - points.min(axis=0))
    return (x * y + y * z + z * x + math.pi * radius * (x + y + z)) / 2 + math.pi * radius**2
