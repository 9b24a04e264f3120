"""Cylinders, cones and compounds that roll, stand, tip and swing as theory says."""

import math

import numpy as np
import pytest

from physics import Box, Capsule, Compound, Cone, Cylinder, Part, Plane, Sphere, World

SIDEWAYS = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)  # y → z
FLOORS = {"plane": (Plane(), 0.0), "box": (Box((40.0, 1.0, 8.0)), -0.5)}


def inclined(angle: float, towards: float = 0.0, floor: str = "plane", **settings) -> World:
    """A level floor under gravity that is tilted instead."""
    world = World(sleeping=False, **settings)
    across = 9.81 * math.sin(angle)
    world.gravity = (
        across * math.cos(towards), -9.81 * math.cos(angle), across * math.sin(towards)
    )  # fmt: skip
    shape, height = FLOORS[floor]
    world.add_body("floor", shape, fixed=True, friction=2.0, position=(0, height, 0))
    return world


@pytest.mark.parametrize("floor", FLOORS)
def test_a_cylinder_rolls_down_like_a_cylinder(floor: str) -> None:
    world = inclined(0.1, floor=floor, rate=120)
    bar = world.add_body(
        "bar",
        Cylinder(0.3, 0.8),
        mass=2.0,
        position=(0, 0.3, 0),
        orientation=SIDEWAYS,
        friction=2.0,
    )
    world.step(240)
    speed = 2.0 / 3.0 * 9.81 * math.sin(0.1) * 2.0
    assert world.velocity(bar)[0] == pytest.approx(speed, rel=1e-6)
    assert world.angular_velocity(bar)[2] * -0.3 == pytest.approx(speed, rel=1e-6)
    assert world.position(bar)[1] == pytest.approx(0.3, abs=1e-4)


def test_a_cone_rolls_around_its_point() -> None:
    """On its side it runs in a circle whose radius is its slant length; no slip, no drift."""
    r, length = 0.3, 0.9
    slant, tilt = math.hypot(r, length), math.atan(r / length)
    world = World(rate=240, sleeping=False)
    world.add_body("floor", Plane(), fixed=True, friction=2.0)
    # The axis rises by `tilt` from the point at the origin; the base is at +x.
    turn = math.pi / 2 + tilt  # about z: y → from the base towards the point
    axis = np.array([-math.sin(turn), math.cos(turn), 0.0])
    q = (math.cos(turn / 2), 0.0, 0.0, math.sin(turn / 2))
    point = np.zeros(3)
    center = point - 0.75 * length * axis
    rate = 1.0  # rad/s about the vertical
    # Rolling without slip about the touching line along x: ω lies along it.
    spin = rate / math.tan(tilt)
    cone = world.add_body(
        "cone", Cone(r, length), mass=1.0, position=center, orientation=q, friction=2.0,
        angular_velocity=(spin, 0.0, 0.0), velocity=np.cross((spin, 0.0, 0.0), center - point),
    )  # fmt: skip
    world.step(240)
    away = np.hypot(*world.position(cone)[[0, 2]])
    assert away == pytest.approx(0.75 * length * math.cos(tilt), rel=0.03)
    assert world.position(cone)[1] == pytest.approx(center[1], abs=2e-3)
    turned = abs(math.atan2(world.position(cone)[2], world.position(cone)[0]))
    assert turned == pytest.approx(1.0, rel=0.1)
    assert slant > length


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("towards", [0.0, 0.2, 0.4])
@pytest.mark.parametrize(
    ("shape", "radius", "height"),
    [(Cylinder(0.3, 1.2), 0.3, 0.6), (Cylinder(0.1, 0.5), 0.1, 0.25), (Cone(0.3, 1.2), 0.3, 0.3)],
)
def test_it_tips_where_its_centre_passes_the_rim(
    shape, radius: float, height: float, towards: float, floor: str
) -> None:
    limit = math.atan(radius / height)
    for off, stands in ((-0.02, True), (0.01, False)):
        world = inclined(limit + off, towards, floor)
        body = world.add_body(
            "body", shape, mass=1.0, origin=(0, 0.5 * shape.length, 0), friction=5.0
        )
        world.step(240)
        q = world.orientation(body)
        assert (1.0 - 2.0 * (q[1] ** 2 + q[3] ** 2) > 0.9) == stands


@pytest.mark.parametrize(
    ("towards", "rate", "mass", "gap"),
    [(1.0, 60, 1.0, 0.0), (2.0, 120, 1e-2, 1e-4), (3.3, 60, 1e3, 2e-3), (5.1, 240, 1.0, 2e-3)],
)
@pytest.mark.parametrize(
    ("shape", "radius", "height"),
    [(Cylinder(0.05, 2.0), 0.05, 1.0), (Cylinder(0.4, 0.6), 0.4, 0.3), (Cone(0.3, 1.2), 0.3, 0.3)],
)
def test_what_leans_stands_still_on_the_point_of_its_rim(
    shape, radius: float, height: float, towards: float, rate: int, mass: float, gap: float
) -> None:
    """Whatever it leans towards: a rim of four points would rock on the sides between them."""
    limit = math.atan(radius / height)
    world = inclined(limit - 0.01, towards, rate=rate)
    body = world.add_body(
        "body", shape, mass=mass, origin=(0, 0.5 * shape.length + gap, 0), friction=5.0
    )
    world.step(2 * rate)
    before = world.orientation(body)
    world.step(2 * rate)
    assert np.abs(world.velocity(body)).max() < 1e-6
    assert np.abs(world.orientation(body) - before).max() < 1e-6
    world.gravity = inclined(limit + 0.01, towards).gravity
    upright = 1.0
    for _ in range(60):  # it tips, and tumbles on
        world.step(rate // 10)
        q = world.orientation(body)
        upright = min(upright, 1.0 - 2.0 * (q[1] ** 2 + q[3] ** 2))
    assert upright < 0.9


def test_cylinders_pile_up_and_rest() -> None:
    """Three logs: two on the ground between posts, one in the groove on top of them."""
    world = World(rate=60)
    world.add_body("floor", Plane(), fixed=True)
    for name, x in (("left", -0.55), ("right", 0.55)):
        world.add_body(name, Box((0.1, 1.0, 2.0)), fixed=True, position=(x, 0.5, 0))
    log = Cylinder(0.25, 1.5)
    for name, x, y in (("a", -0.25, 0.25), ("b", 0.25, 0.25), ("c", 0.0, 0.2501 + 0.25 * 3**0.5)):
        world.add_body(name, log, density=600, position=(x, y, 0), orientation=SIDEWAYS)
    world.step(300)
    assert world.position("c")[1] == pytest.approx(0.25 + 0.25 * 3**0.5, abs=1e-3)
    assert abs(world.position("c")[2]) < 1e-3
    assert world.asleep("c")


def test_a_compound_weighs_and_turns_like_its_parts() -> None:
    """Two balls on a rod, against the parallel-axis sums written out."""
    shape = Compound(
        [
            Part(Sphere(0.2), (0.7, 0, 0), density=8000.0),
            Part(Sphere(0.1), (-0.5, 0.1, 0), density=8000.0),
            Part(Capsule(0.05, 1.0), (0, 0, 0.2), SIDEWAYS, density=700.0),
        ]
    )
    world = World(gravity=(0, 0, 0))
    body = world.add_body("body", shape, origin=(1, 2, 3))
    masses, centers, inertias = [], [], []
    for part in shape.parts:
        own = part.shape.mass_properties(part.density)
        turn = part.matrix()
        masses.append(own.mass)
        centers.append(np.array(part.position) + turn @ own.center)
        inertias.append(turn @ own.inertia @ turn.T)
    middle = np.average(centers, axis=0, weights=masses)
    whole = sum(
        i + m * ((c - middle) @ (c - middle) * np.eye(3) - np.outer(c - middle, c - middle))
        for m, c, i in zip(masses, centers, inertias, strict=True)
    )
    assert world.mass(body) == pytest.approx(sum(masses))
    np.testing.assert_allclose(world.center_of_mass(body), middle, atol=1e-12)
    np.testing.assert_allclose(world.position(body), np.array([1, 2, 3]) + middle, atol=1e-12)
    np.testing.assert_allclose(world.origin(body), [1, 2, 3], atol=1e-12)
    np.testing.assert_allclose(shape.mass_properties(1.0).inertia, whole, rtol=1e-12, atol=1e-12)


def dumbbell(world: World, name: str, **where) -> None:
    ends = [Part(Box((0.3, 0.3, 0.3)), (side * 0.5, 0, 0)) for side in (-1, 1)]
    world.add_body(name, parts=[*ends, Part(Box((0.8, 0.1, 0.1)))], density=500, **where)


def test_compounds_rest_on_their_parts_and_hook_into_each_other() -> None:
    world = World()
    world.add_body("floor", Plane(), fixed=True)
    dumbbell(world, "lower", position=(0, 0.15, 0))
    # Its ends straddle the thin bar of the lower one: only a compound can come down that far.
    turned = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)
    dumbbell(world, "upper", position=(0, 0.5, 0), orientation=turned)
    world.step(240)
    assert world.position("lower")[1] == pytest.approx(0.15, abs=1e-3)
    assert world.position("upper")[1] == pytest.approx(0.25, abs=2e-3)
    assert not world.overlaps(1e-3)


def test_rays_and_contacts_know_the_part() -> None:
    world = World()
    dumbbell(world, "body", position=(0, 1, 0))
    for x, part in ((-0.5, 0), (0.5, 1), (0.0, 2)):
        hit = world.raycast((x, 3, 0), (0, -1, 0))
        assert hit is not None
        assert hit.part == part
        assert hit.distance == pytest.approx(2 - (0.15 if part < 2 else 0.05))


def test_parts_have_their_own_friction() -> None:
    """A sledge with one rough and one smooth runner turns about the rough one."""
    world = World()
    world.add_body("floor", Plane(), fixed=True, friction=1.0)
    runners = [
        Part(Box((1.0, 0.1, 0.1)), (0, 0, z), friction=rub) for z, rub in ((-0.5, 0.0), (0.5, 0.9))
    ]
    sledge = world.add_body(
        "sledge", parts=[*runners, Part(Box((0.6, 0.05, 1.0)), (0, 0.075, 0))], density=300,
        origin=(0, 0.05, 0), velocity=(3, 0, 0),
    )  # fmt: skip
    world.step(20)
    assert world.angular_velocity(sledge)[1] < -0.5  # the rough side, at +z, lags behind


def test_snapshots_keep_compounds_and_removing_one_takes_all_its_parts() -> None:
    world = World()
    world.add_body("floor", Plane(), fixed=True)
    dumbbell(world, "a", position=(0, 0.5, 0), angular_velocity=(1, 2, 3))
    dumbbell(world, "b", position=(0.2, 1.2, 0))
    world.step(20)
    saved, mark = world.snapshot(), world.hash()
    world.step(40)
    ended = world.hash()
    world.remove("a")
    assert world.raycast((0, 5, 0), (0, -1, 0), 4.0) is None or world.overlap((0, 0.2, 0), 5.0)
    world.restore(saved)
    assert world.hash() == mark
    world.step(40)
    assert world.hash() == ended
    shapes = world._contacts.shapes.shapes
    world.remove("b")
    world.remove("a")
    assert (shapes["kind"] >= 0).sum() == 1


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"parts": []}, "1 to"),
        ({"parts": [Box((1, 1, 1))]}, "Part"),
        ({"parts": [Part(Plane())], "mass": 1.0}, "no mass"),
        ({"shape": Sphere(1), "parts": [Part(Sphere(1))], "mass": 1.0}, "both"),
        ({"parts": [Part(Sphere(1), density=1.0), Part(Sphere(1))]}, "density"),
        ({"shape": Sphere(1), "mass": 1, "inertia": (1, 1, 3)}, "no body"),
        ({"shape": Sphere(1), "mass": 1, "inertia": (0, 1, 1)}, "above zero"),
        ({"shape": Sphere(1), "mass": 1, "inertia": "x"}, "3x3"),
        ({"shape": Sphere(1), "mass": 1, "center_of_mass": (1, 2)}, "center_of_mass"),
        ({"shape": Sphere(1), "mass": 1, "origin": (0, 0, 0), "position": (0, 0, 0)}, "both"),
        ({"shape": Sphere(1), "mass": 1, "one_way": (0, 0, 0)}, "direction"),
        ({"shape": Sphere(1), "mass": 1, "surface_velocity": 3}, "surface_velocity"),
    ],
)
def test_bad_bodies_leave_the_world_as_it_was(bad, words: str) -> None:
    world = World()
    mark = world.hash()
    with pytest.raises(ValueError, match=words):
        world.add_body("body", **bad)
    assert world.hash() == mark
    assert not world.handles()


def test_a_given_inertia_and_centre_are_used() -> None:
    world = World(gravity=(0, 0, 0))
    body = world.add_body(
        "body", Box((1, 1, 1)), mass=2.0, inertia=(0.5, 0.7, 0.4), center_of_mass=(0.2, 0, 0),
        origin=(0, 0, 0), angular_velocity=(1, 2, 3),
    )  # fmt: skip
    assert world.energy().kinetic == pytest.approx(0.5 * (0.5 + 0.7 * 4 + 0.4 * 9))
    np.testing.assert_allclose(world.position(body), [0.2, 0, 0])
    hit = world.raycast((5, 0, 0), (-1, 0, 0))
    assert hit is not None
    assert hit.point[0] == pytest.approx(0.5)  # the box is where its origin is
