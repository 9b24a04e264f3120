"""Bad input: ValueError saying what, which and what would be right; the world stays as it was."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from physics import Box, Capsule, Hull, Plane, Sphere, World
from tests.physics.random_calls import fingerprint

NAN, INF = math.nan, math.inf


@pytest.fixture
def world() -> World:
    """Two bodies on a hinge and a bead on a rod, already moving."""
    world = World(rate=60)
    world.add_body("arm", Box((1.0, 0.1, 0.1)), mass=2.0, position=(0.5, 0, 0), mask=0)
    world.add_body("hand", Sphere(0.1), mass=1.0, position=(1.1, 0, 0), mask=0)
    world.add_body("wall", Box((1, 1, 1)), fixed=True, position=(-3, 0, 0))
    world.add_particle("bead", mass=0.5, position=(2.0, 0, 0))
    world.add_joint("hinge", "arm", at=(0, 0, 0), axis=(0, 0, 1), name="shoulder")
    world.add_joint("ball", "hand", "arm", at=(1, 0, 0), name="wrist")
    world.add_joint("distance", "bead", "hand", name="rod")
    world.step(3)
    return world


Call = Callable[[World], Any]


def _ball_points(count: int) -> list[tuple[float, float, float]]:
    """Points spread over a unit ball, every one of them a corner of their hull."""
    heights = [1 - (2 * i + 1) / count for i in range(count)]
    return [
        (math.sqrt(1 - y * y) * math.cos(2.4 * i), y, math.sqrt(1 - y * y) * math.sin(2.4 * i))
        for i, y in enumerate(heights)
    ]


def _body(**changes: Any) -> Call:
    given = {"mass": 1.0, **changes}
    return lambda world: world.add_body("new", Sphere(0.2), **given)


def _joint(kind: str, *bodies: Any, **parameters: Any) -> Call:
    return lambda world: world.add_joint(kind, *bodies, **parameters)


# what is wrong: (call, words its message must hold)
CASES: dict[str, tuple[Call, tuple[str, ...]]] = {
    "mass nan": (_body(mass=NAN), ("mass", "new", "finite")),
    "mass infinite": (_body(mass=INF), ("mass", "new", "finite")),
    "mass zero": (_body(mass=0.0), ("mass", "new", "above zero")),
    "mass negative": (_body(mass=-2.0), ("mass", "new", "-2", "above zero")),
    "mass text": (_body(mass="heavy"), ("mass", "new", "number", "heavy")),
    "mass missing": (_body(mass=None), ("new", "mass", "density")),
    "mass and density": (_body(density=10.0), ("new", "mass", "density", "both")),
    "density negative": (_body(mass=None, density=-1.0), ("density", "new", "above zero")),
    "density nan": (_body(mass=None, density=NAN), ("density", "new", "finite")),
    "position nan": (_body(position=(0, NAN, 0)), ("position", "new", "finite")),
    "position short": (_body(position=(0, 1)), ("position", "new", "three")),
    "position text": (_body(position="here"), ("position", "new", "three")),
    "velocity infinite": (_body(velocity=(INF, 0, 0)), ("velocity", "new", "finite")),
    "spin nan": (_body(angular_velocity=(0, 0, NAN)), ("angular_velocity", "new", "finite")),
    "orientation zero": (_body(orientation=(0, 0, 0, 0)), ("orientation", "new", "length")),
    "orientation long": (_body(orientation=(2, 0, 0, 0)), ("orientation", "new", "length 1")),
    "orientation nan": (_body(orientation=(NAN, 0, 0, 0)), ("orientation", "new", "finite")),
    "friction nan": (_body(friction=NAN), ("friction", "new", "finite")),
    "restitution text": (_body(restitution="bouncy"), ("restitution", "new", "number")),
    "friction negative": (_body(friction=-1.0), ("friction", "new", "-1", "at least 0")),
    "restitution negative": (_body(restitution=-0.1), ("restitution", "new", "at least 0")),
    "restitution above one": (_body(restitution=1.5), ("restitution", "new", "at most 1")),
    "rolling negative": (_body(rolling_friction=-1.0), ("rolling_friction", "new", "at least 0")),
    "group text": (_body(group="x"), ("group", "new", "whole number", "x")),
    "group wide": (_body(group=1 << 16), ("group", "new", "65536", "65535")),
    "mask negative": (_body(mask=-1), ("mask", "new", "-1", "65535")),
    "mask fraction": (_body(mask=1.5), ("mask", "new", "whole number")),
    "fixed text": (_body(fixed="no"), ("fixed", "new", "True or False")),
    "mass beyond floats": (_body(mass=10**400), ("mass", "new", "finite")),
    "position overflowing": (_body(position=(1e200, 0, 0)), ("position", "new", "finite")),
    "shape a class": (lambda w: w.add_body("new", Sphere, mass=1.0), ("new", "shape object")),
    "hull of many faces": (
        lambda w: w.add_body("new", Hull(_ball_points(400)), mass=1.0),
        ("hull", "256"),
    ),
    "locked unknown": (_body(locked="q"), ("locked", "new", "q", "rx")),
    "name taken": (lambda w: w.add_body("arm", Sphere(1), mass=1.0), ("arm", "already", "differ")),
    "name empty": (lambda w: w.add_body("", Sphere(1), mass=1.0), ("name", "empty")),
    "sphere radius zero": (lambda w: Sphere(0.0), ("radius", "Sphere")),
    "sphere radius nan": (lambda w: Sphere(NAN), ("radius", "Sphere")),
    "box size negative": (lambda w: Box((1, -1, 1)), ("size", "Box")),
    "capsule radius": (lambda w: Capsule(-0.1, 1.0), ("radius", "Capsule")),
    "capsule length": (lambda w: Capsule(0.1, -1.0), ("length", "Capsule")),
    "hull flat": (lambda w: Hull([(0, 0, 0), (1, 0, 0), (0, 1, 0)]), ("Hull",)),
    "plane normal": (lambda w: Plane((0, 0, 0), 0.0), ("normal", "Plane")),
    "shape text": (lambda w: w.add_body("new", "sphere", mass=1.0), ("new", "shape")),
    "plane with a mass": (lambda w: w.add_body("new", Plane((0, 1, 0), 0), mass=1.0), ("Plane",)),
    "particle mass": (lambda w: w.add_particle("new", mass=0.0), ("mass", "new", "above zero")),
    "particle nan": (
        lambda w: w.add_particle("new", mass=1.0, position=(NAN, 0, 0)),
        ("position", "new", "finite"),
    ),
    "particle radius": (
        lambda w: w.add_particle("new", mass=1.0, radius=NAN),
        ("radius", "new", "finite"),
    ),
    "particle radius negative": (
        lambda w: w.add_particle("new", mass=1.0, radius=-0.1),
        ("radius", "new", "at least 0"),
    ),
    "particle group": (lambda w: w.add_particle("new", group="x"), ("group", "new", "whole")),
    "particles friction": (
        lambda w: w.add_particles(["p", "q"], position=(0, 0, 0), friction=[0.5, -1]),
        ("friction", "-1", "at least 0"),
    ),
    "particles group": (
        lambda w: w.add_particles(["p", "q"], position=(0, 0, 0), group=[1, "x"]),
        ("group", "whole numbers"),
    ),
    "particles named by a text": (
        lambda w: w.add_particles("pq", position=(0, 0, 0)),
        ("names", "list"),
    ),
    "kind unknown": (_joint("bal", "hand", "arm"), ("bal", '"ball"', "hinge")),
    "parameter unknown": (
        _joint("hinge", "hand", "arm", at=(1, 0, 0), axis=(0, 0, 1), limit=(0, 1)),
        ("hinge", "limit", '"limits"'),
    ),
    "parameter nan": (
        _joint("ball", "hand", "arm", at=(1, 0, 0), compliance=NAN),
        ("compliance", "ball", "NaN"),
    ),
    "parameter negative": (
        _joint("ball", "hand", "arm", at=(1, 0, 0), damping=-1.0),
        ("damping", "ball", "-1", "at least 0"),
    ),
    "compliance infinite": (
        _joint("ball", "hand", "arm", at=(1, 0, 0), compliance=INF),
        ("compliance", "ball"),
    ),
    "parameter missing": (_joint("spring", "hand", "arm"), ("stiffness", "spring", "required")),
    "limits reversed": (
        _joint("hinge", "hand", "arm", at=(1, 0, 0), axis=(0, 0, 1), limits=(1, 0)),
        ("limits", "hinge", "first"),
    ),
    "limits nan": (
        _joint("hinge", "hand", "arm", at=(1, 0, 0), axis=(0, 0, 1), limits=(NAN, 1)),
        ("limits", "hinge"),
    ),
    "motor entry": (
        _joint("hinge", "hand", "arm", at=(1, 0, 0), axis=(0, 0, 1), motor={"sped": 1}),
        ("motor", "hinge", "sped", "speed"),
    ),
    "motor number": (
        _joint("hinge", "hand", "arm", at=(1, 0, 0), axis=(0, 0, 1), motor=3.0),
        ("motor", "hinge", "table"),
    ),
    "flag": (
        _joint("distance", "hand", "arm", slack="yes"),
        ("slack", "distance", "true or false"),
    ),
    "joint with itself": (_joint("ball", "arm", "arm", at=(0, 0, 0)), ("ball", "arm", "itself")),
    "joint of a joint": (_joint("ball", "wrist", "arm", at=(0, 0, 0)), ("wrist", "joint", "body")),
    "anchors apart": (
        _joint("ball", "hand", "arm", at_a=(1, 0, 0), at_b=(1, 0.2, 0)),
        ("ball", "0.2", "apart", "0.001"),
    ),
    "anchor nan": (_joint("ball", "hand", "arm", at=(NAN, 0, 0)), ("at", "ball", "finite")),
    "anchor missing": (_joint("ball", "hand", "arm"), ("ball", "at=")),
    "axis missing": (_joint("hinge", "hand", "arm", at=(1, 0, 0)), ("hinge", "axis")),
    "axis zero": (
        _joint("hinge", "hand", "arm", at=(1, 0, 0), axis=(0, 0, 0)),
        ("axis", "hinge", "direction"),
    ),
    "hinge of a particle": (
        _joint("hinge", "bead", "arm", at=(1, 0, 0), axis=(0, 0, 1)),
        ("hinge", "particle", "ball"),
    ),
    "body unknown": (_joint("ball", "hant", "arm", at=(1, 0, 0)), ("hant", "hand")),
    "joint name taken": (
        _joint("ball", "hand", "arm", at=(1, 0, 0), name="arm"),
        ("arm", "already"),
    ),
    "set_joint unknown": (lambda w: w.set_joint("rod", lenght=1.0), ("lenght", "length")),
    "set_joint nan": (lambda w: w.set_joint("rod", length=NAN), ("length", "NaN")),
    "set_joint of a body": (lambda w: w.set_joint("arm", length=1.0), ("arm", "body", "joint")),
    "set_position nan": (lambda w: w.set_position("arm", (NAN, 0, 0)), ("position", "finite")),
    "set_velocity text": (lambda w: w.set_velocity("arm", "fast"), ("velocity", "three")),
    "force at nan": (lambda w: w.apply_force("arm", (1, 0, 0), at=(NAN, 0, 0)), ("at", "finite")),
    "impulse at nan": (lambda w: w.apply_impulse("arm", (1, 0, 0), at="x"), ("at", "three")),
    "a body moved as a grab": (lambda w: w.move_grab("arm", (0, 0, 0)), ("arm", "grab")),
    "ray without direction": (lambda w: w.raycast((0, 0, 0), (0, 0, 0)), ("direction",)),
    "ray of negative length": (
        lambda w: w.raycast((0, 0, 0), (0, 1, 0), -1.0),
        ("max_distance", "at least 0"),
    ),
    "cast of a plane": (
        lambda w: w.shapecast(Plane((0, 1, 0), 0), (0, 0, 0), (1, 0, 0)),
        ("Plane", "convex"),
    ),
    "overlap of no size": (lambda w: w.overlap((0, 0, 0), -1), ("radius", "at least 0")),
    "handles of no kind": (lambda w: w.handles("bodies"), ("bodies", '"body"')),
    "restore nothing": (lambda w: w.restore({}), ("lacks", "bodies", "snapshot()")),
    "restore a text": (lambda w: w.restore("yesterday"), ("snapshot", "str")),
    "cloth friction": (lambda w: w.add_cloth("new", friction=-1.0), ("friction", "new")),
    "cloth group": (lambda w: w.add_cloth("new", group="x"), ("group", "new", "whole")),
    "cloth too fine": (lambda w: w.add_cloth("new", rows=10**6), ("rows", "new", "1000")),
    "cloth size": (lambda w: w.add_cloth("new", size=(1,)), ("size", "new", "2 numbers")),
    "solid cells": (lambda w: w.add_solid("new", cells=(1, 1)), ("cells", "new", "three")),
    "solid poisson": (lambda w: w.add_solid("new", poisson=0.6), ("poisson", "new", "0.6")),
    "soft of a body": (lambda w: w.soft("arm"), ("arm", "body", "cloth or solid")),
    "set_velocity fixed": (lambda w: w.set_velocity("wall", (1, 0, 0)), ("fixed", "keyframed")),
    "set_orientation": (
        lambda w: w.set_orientation("arm", (0, 0, 0, 3)),
        ("orientation", "length"),
    ),
    "force nan": (lambda w: w.apply_force("arm", (NAN, 0, 0)), ("force", "finite")),
    "torque short": (lambda w: w.apply_torque("arm", (0, 0)), ("torque", "three")),
    "impulse on fixed": (lambda w: w.apply_impulse("wall", (1, 0, 0)), ("wall", "move")),
    "grab nan": (lambda w: w.grab("arm", (NAN, 0, 0)), ("point", "finite")),
    "remove unknown": (lambda w: w.remove("leg"), ("leg",)),
    "steps negative": (lambda w: w.step(-1), ("-1", "forward")),
    "rate zero": (lambda w: setattr(w, "rate", 0), ("rate", "above zero")),
    "rate slow": (lambda w: setattr(w, "rate", 1e-9), ("rate", "at least 0.01")),
    "rate fast": (lambda w: setattr(w, "rate", 1e9), ("rate", "at most 1e+06")),
    "gravity entry": (
        lambda w: w.gravity.__setitem__(1, NAN),
        ("gravity", "world.gravity = (x, y, z)"),
    ),
    "sleeping text": (lambda w: setattr(w, "sleeping", "no"), ("sleeping", "True or False")),
    "rate nan": (lambda w: setattr(w, "rate", NAN), ("rate", "finite")),
    "gravity nan": (lambda w: setattr(w, "gravity", (0, NAN, 0)), ("gravity", "finite")),
    "stabilization": (
        lambda w: setattr(w, "stabilization", "adaptiv"),
        ("stabilization", "adaptiv", '"adaptive"'),
    ),
    "solver": (lambda w: setattr(w, "solver", "jacobi"), ("solver", "jacobi", "direct")),
    "world dimension": (lambda w: World(dimension=4), ("dimension", "4", "2 or 3")),
    "world stabilization": (lambda w: World(stabilization="no"), ("stabilization", "none")),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_answered_and_changes_nothing(world: World, case: str) -> None:
    call, words = CASES[case]
    before = fingerprint(world)
    with pytest.raises(ValueError, match=r"\w") as caught:
        call(world)
    message = str(caught.value)
    missing = [word for word in words if word.lower() not in message.lower()]
    assert not missing, f"{message!r} says nothing of {missing}"
    assert fingerprint(world) == before


def test_the_world_goes_on_as_if_nothing_had_happened(world: World) -> None:
    """Refused input leaves no trace in the motion either."""
    undisturbed = world.snapshot()
    world.step(20)
    expected = world.hash()
    world.restore(undisturbed)
    for call, _ in CASES.values():
        with pytest.raises(ValueError, match=r"\w"):
            call(world)
    world.step(20)
    assert world.hash() == expected


def test_a_removed_handle_is_not_taken_for_its_successor(world: World) -> None:
    old = world.find("bead")
    world.remove(old)
    new = world.add_particle("pearl", mass=1.0, position=(5, 0, 0))
    assert new.slot == old.slot
    with pytest.raises(ValueError, match="removed"):
        world.position(old)


def test_removing_a_body_removes_its_joints(world: World) -> None:
    world.remove("arm")
    assert [world.name(h) for h in world.handles("joint")] == ["rod"]
    world.step(5)
    assert np.isfinite(world.position("hand")).all()


def test_reading_gives_copies(world: World) -> None:
    before = world.hash()
    for read in (world.position, world.orientation, world.velocity, world.angular_velocity):
        read("arm")[:] = 7.0
    for array in world.poses():
        array[:] = 7.0
    world.joint("shoulder").anchor_a[:] = 7.0
    assert world.hash() == before


def test_what_is_set_is_read_back(world: World) -> None:
    world.set_position("hand", (1, 2, 3))
    world.set_velocity("hand", (4, 5, 6))
    world.set_angular_velocity("hand", (7, 8, 9))
    world.set_orientation("hand", (0, 1, 0, 0))
    assert world.position("hand").tolist() == [1, 2, 3]
    assert world.velocity("hand").tolist() == [4, 5, 6]
    assert world.angular_velocity("hand").tolist() == [7, 8, 9]
    assert world.orientation("hand").tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize("dimension", [2, 3])
def test_many_particles_at_once_are_those_added_one_by_one(dimension: int) -> None:
    names = [f"p{i}" for i in range(40)]
    place = [(0.3 * i, 1.0 + 0.1 * i, 0.0) for i in range(40)]
    held = [i % 7 == 0 for i in range(40)]
    together, apart = World(dimension=dimension), World(dimension=dimension)
    for world in (together, apart):
        world.add_particle("gone", position=(0, 9, 0))
        world.add_particle("kept", position=(1, 9, 0))
        world.remove("gone")  # its slot is used again
    handles = together.add_particles(
        names, mass=range(1, 41), position=place, velocity=(1, 0, 2), fixed=held, radius=0.05
    )
    for i, name in enumerate(names):
        apart.add_particle(
            name, mass=1.0 + i, position=place[i], velocity=(1, 0, 2), fixed=held[i], radius=0.05
        )
    assert [apart.find(name) for name in names] == handles
    for world in (together, apart):
        world.add_joint("distance", "p1", "p2")
        world.step(20)
    assert together.hash() == apart.hash()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"position": [(0, 0, 0)], "mass": 0.0}, 'mass of particle "a" must be above zero'),
        ({"position": [(0, 0, 0)], "mass": [1, 2]}, "mass of particles must be numbers of shape"),
        ({"position": [(0, np.nan, 0)]}, "position of particles must be finite"),
        ({"position": [(0, 0)]}, "position of particles must be numbers of shape"),
    ],
)
def test_many_particles_are_checked(given: dict[str, Any], words: str) -> None:
    world = World()
    with pytest.raises(ValueError, match=words):
        world.add_particles(["a"], **given)
    assert not world.handles()
