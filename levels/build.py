"""A Plan becomes a physics World, through the public `world.add_…` calls only."""

from typing import Any

import numpy as np

from levels.level_tables import Simulation
from levels.name_table import NameTable
from levels.physics_options import ParticleOptions, WorldOptions
from levels.plain_data import TomlTable
from levels.plan import Collision, Plan, PlannedBody, PlannedJoint, PlannedParticle, PlannedSoft
from levels.problems import LevelError, Place, Problem
from physics import Handle, World

ALL_GROUPS = 0xFFFF


def build(plan: Plan, simulation: Simulation, dimension: int) -> NameTable:
    """Raises LevelError with the place of the entry if physics refuses it."""
    built, problems = _rigid(plan, simulation, dimension)
    if not problems:
        for soft in plan.softs.values():
            _attempt(problems, soft.place, _add_soft, built, soft)
    if problems:
        raise LevelError(problems)
    _ignore_contacts(built)
    for name in plan.removed:
        _remove(built, name)
    return built


def refused(plan: Plan, simulation: Simulation, dimension: int) -> list[Problem]:
    """What physics says against bodies, particles and joints. Nothing is compiled for that, so it
    can be asked after every change; cloths and solids are not tried."""
    return _rigid(plan, simulation, dimension)[1]


def _rigid(plan: Plan, simulation: Simulation, dimension: int) -> tuple[NameTable, list[Problem]]:
    options = {key: getattr(simulation, key) for key in WorldOptions.model_fields}
    built = NameTable(World(dimension=dimension, **options), plan)
    problems: list[Problem] = []
    for body in plan.bodies.values():
        _attempt(problems, body.place, add_planned_body, built, body)
    _add_particles(problems, built)
    for joint in plan.joints.values() if not problems else ():
        _attempt(problems, joint.place, add_planned_joint, built, joint)
    return built, problems


def _ignore_contacts(built: NameTable) -> None:
    """Bodies that pass through each other by name."""
    for body in built.plan.bodies.values():
        for scope, written in body.never_touches:
            for other in built.plan.members(written, scope) or ():
                if other != body.name:
                    built.world.ignore_contacts(built.handles[body.name], built.handles[other])


def add_to_world(built: NameTable, extra: Plan) -> None:
    """Things that come into a running world; ValueError leaves it as it was."""
    added: list[Handle] = []
    steps: list[tuple[Any, Any, dict[str, Handle]]] = [
        *((add_planned_body, body, built.handles) for body in extra.bodies.values()),
        *((add_planned_particle, grain, built.handles) for grain in extra.particles.values()),
        *((add_planned_joint, joint, built.joints) for joint in extra.joints.values()),
        *((_add_soft, soft, built.softs) for soft in extra.softs.values()),
    ]
    try:
        for add, item, table in steps:
            add(built, item)
            added.append(table[item.name])
    except (ValueError, TypeError, ArithmeticError) as error:
        for _, item, table in steps:
            table.pop(item.name, None)
        for handle in reversed(added):
            built.world.remove(handle)
        raise ValueError(str(error)) from None


def _attempt(problems: list[Problem], place: Place, add: Any, built: NameTable, item: Any) -> None:
    try:
        add(built, item)
    except (ValueError, TypeError, ArithmeticError) as error:
        problems.append(Problem(f'"{item.name}": {error}', place.key()))


def add_planned_body(built: NameTable, body: PlannedBody) -> None:
    weight = {"mass": body.mass} if body.mass is not None else {"density": body.density}
    frame = body.frame
    built.handles[body.name] = built.world.add_body(
        body.name,
        body.shape,
        **({} if body.fixed else weight),
        position=frame.position,
        orientation=frame.orientation,
        velocity=frame.velocity,
        angular_velocity=frame.angular_velocity,
        **dict(body.options),
        **_groups(built.plan, body.collision),
    )


def _add_particles(problems: list[Problem], built: NameTable) -> None:
    """All at once, which is faster; if that is refused, one by one to find which."""
    particles = list(built.plan.particles.values())
    groups = [_groups(built.plan, particle.collision) for particle in particles]
    try:
        handles = built.world.add_particles(
            [particle.name for particle in particles],
            mass=[particle.mass for particle in particles],
            position=[particle.position for particle in particles],
            velocity=[particle.velocity for particle in particles],
            **{
                key: [getattr(particle.options, key) for particle in particles]
                for key in ParticleOptions.model_fields
            },
            **{key: [group[key] for group in groups] for key in ("group", "mask")},
        )
    except ValueError:
        for particle in particles:
            _attempt(problems, particle.place, add_planned_particle, built, particle)
        return
    built.handles.update(zip(built.plan.particles, handles, strict=True))


def add_planned_particle(built: NameTable, particle: PlannedParticle) -> None:
    built.handles[particle.name] = built.world.add_particle(
        particle.name,
        mass=particle.mass,
        position=particle.position,
        velocity=particle.velocity,
        **dict(particle.options),
        **_groups(built.plan, particle.collision),
    )


def _remove(built: NameTable, name: str) -> None:
    """Take a thing out again; a body with the joints that hold it."""
    if name in built.handles:
        built.gone |= built.remove_body(name)
    elif name in built.joints:
        built.remove_joint(name)
    elif name in built.softs:
        built.remove_soft(name)


def add_planned_joint(built: NameTable, joint: PlannedJoint) -> None:
    places = {"at": joint.at, "axis": joint.axis, "at_a": joint.at_a, "at_b": joint.at_b}
    built.joints[joint.name] = built.world.add_joint(
        joint.kind,
        built.handles[joint.a],
        built.handles[joint.b] if joint.b is not None else None,
        name=joint.name,
        **{key: value for key, value in places.items() if value is not None},
        **joint.parameters,
    )


def _add_soft(built: NameTable, soft: PlannedSoft) -> None:
    world, frame = built.world, soft.frame
    add = world.add_cloth if soft.kind == "cloth" else world.add_solid
    handle = built.softs[soft.name] = add(
        soft.name,
        position=frame.position,
        orientation=frame.orientation,
        velocity=frame.velocity,
        **soft.options,
        **_groups(built.plan, soft.collision),
    )
    _edit(world, handle, soft)
    for nodes, body in soft.sewn:
        world.attach(handle, nodes, built.handles[body])
    for points, body in soft.held:
        world.attach_points(handle, points, built.handles[body])
    if soft.air is not None:
        world.set_wind(handle, **soft.air)


def _edit(world: World, handle: Handle, soft: PlannedSoft) -> None:
    """What was done to it by hand before the level was saved."""
    edits = soft.edits
    if edits.get("moved"):
        places = np.array([soft.frame.point(point) for point in edits["moved"]])
        world.set_nodes(handle, places, np.zeros_like(places))
    if edits.get("pinned") is not None:
        world.free_nodes(handle, world.pinned_nodes(handle))
        world.pin_nodes(handle, edits["pinned"])
    world.sever(handle, edits.get("cut", ()))
    world.remove_elements(handle, edits.get("cut_out", ()))


def _groups(plan: Plan, collision: Collision) -> TomlTable:
    mask = ALL_GROUPS
    for ignored in collision.ignores:
        mask &= ~(1 << plan.collision_groups[ignored])
    return {"group": 1 << plan.collision_groups[collision.group], "mask": mask}
