"""Scenes whose states are recorded: name → a function that makes something to step and to hash.

They are made from plain numbers and `math`, for a scene may depend on the processor no more than
the engine does.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from levels import load, shipped
from levels.runtime import Session
from physics import (
    JOINTS,
    STABILIZATIONS,
    Box,
    Capsule,
    HeightField,
    Hull,
    Plane,
    Sphere,
    TriangleMesh,
    World,
)  # fmt: skip
from tests.physics.contact.figures import card_house, ragdoll, stairs
from tests.physics.contact.scenes import on_ground, pyramid
from tests.physics.scenes import about, chain, folded_chain, net
from tests.physics.variants import AXIS, label, variants

LYING = about((1, 0, 0), math.pi / 2)


class Run(Protocol):
    """What a scene is: something that moves on and tells its state."""

    def step(self, count: int = 1) -> Any: ...

    def hash(self) -> str: ...


class LevelRun:
    """A shipped level with its own scripted input."""

    def __init__(self, name: str) -> None:
        self._session = Session(load(name), scripted=True)

    def step(self, count: int = 1) -> None:
        self._session.step(count)

    def hash(self) -> str:
        return self._session.world.hash()


# --- joints ---------------------------------------------------------------------------------------


def hung(ratio: float, **settings: Any) -> World:
    """Ten links, level at first, with a load of `ratio` times a link's mass."""
    return chain(ratio, 1 / 60, spin=0.3, **settings).world


def hinged(stabilization: str) -> World:
    return chain(1e3, 1 / 60, kind="hinge", spin=0.5, stabilization=stabilization).world


def jointed(kind: str, parameters: dict[str, Any]) -> World:
    """Two turning bodies, one of them hung up, and the joint between them, off their centres."""
    world = World()
    places = {"a": ((0.1, 0.2, -0.3), 0.4), "b": ((0.7, -0.5, 0.2), -1.1)}
    for name, (place, angle) in places.items():
        world.add_body(
            name,
            Box((0.3, 0.5, 0.7)),
            mass=2.0,
            position=place,
            orientation=about(AXIS, angle),
            angular_velocity=(angle, 0.3, -0.2),
            mask=0,
        )
    world.add_joint("ball", "a", at=(0.0, 0.4, -0.1))
    separate = JOINTS[kind].anchors == "separate"
    where: dict[str, Any] = {"at_a": (0.2, 0.0, -0.2), "at_b": (0.6, -0.3, 0.1)}
    where = where if separate else {"at": (0.4, -0.1, 0.0)}
    world.add_joint(kind, "a", "b", axis=AXIS, **where, **parameters)
    return world


def rope_over_wheel() -> World:
    """A heavy load and a counterweight on light links over a pulley."""
    world = World()
    world.add_body("load", Box((0.4, 0.4, 0.4)), mass=500.0, position=(-1, 0, 0.1))
    world.add_body("weight", Sphere(0.2), mass=300.0, position=(1, 0.3, 0), velocity=(0.2, 0, 0.5))
    wheels = {"wheel_a": (-1, 4, 0), "wheel_b": (1, 4, 0)}
    world.add_joint("pulley", "load", "weight", slack=True, **wheels)
    return world


def rope_of_particles() -> World:
    """A slack rope of distance rows that snaps taut under its load."""
    world = World()
    previous = None
    for i in range(12):
        name = f"bead {i}"
        world.add_particle(name, mass=40.0 if i == 11 else 0.1, position=(0.15 * (i + 1), 0, 0))
        ends = {"at_b": (0, 0, 0)} if previous is None else {}
        world.add_joint("distance", name, previous, length=0.2, slack=True, **ends)
        previous = name
    return world


# --- contacts -------------------------------------------------------------------------------------


def box_pile() -> World:
    world = on_ground()
    pyramid(world, 5)
    world.add_body("ball", Sphere(0.3), density=4000.0, position=(-3, 0.8, 0.1), velocity=(9, 1, 0))
    return world


def cards() -> World:
    world = on_ground(friction=0.6)
    card_house(world)
    world.add_body("marble", Sphere(0.05), mass=0.05, position=(0.03, 1.2, 0.01))
    return world


def tumbling_figure() -> World:
    world = on_ground()
    stairs(world)
    ragdoll(world, (0.3, 3.2, 0.0))
    return world


def hulls_on_mesh() -> World:
    """Hulls, capsules and boxes that fall on a wavy mesh."""
    world = World()
    side = 9
    points = [
        (i - 4.0, 0.3 * math.sin(1.3 * i) * math.cos(0.9 * j), j - 4.0)
        for i in range(side)
        for j in range(side)
    ]
    quads = [(i * side + j) for i in range(side - 1) for j in range(side - 1)]
    triangles = [t for q in quads for t in ((q, q + 1, q + side), (q + 1, q + side + 1, q + side))]
    world.add_body("ground", TriangleMesh(points, triangles), fixed=True)
    drop_shapes(world)
    return world


def shapes_on_hills() -> World:
    world = World()
    heights = [[0.2 * math.sin(0.8 * i + 0.5 * j) for j in range(12)] for i in range(12)]
    world.add_body("hills", HeightField(heights, 1.0), fixed=True)
    drop_shapes(world)
    return world


def drop_shapes(world: World) -> None:
    corners = [
        (0.4 * math.cos(a), 0.3 * (-1) ** k, 0.4 * math.sin(a))
        for k in range(2)
        for a in (0.1 + 0.7 * k, 2.2 + 0.7 * k, 4.1 + 0.7 * k)
    ]
    shapes = [Hull(corners), Capsule(0.2, 0.5), Box((0.5, 0.3, 0.4)), Sphere(0.25)]
    for n in range(8):
        world.add_body(
            f"falls {n}",
            shapes[n % 4],
            density=700.0,
            position=(0.9 * (n % 3) - 0.9, 1.2 + 0.6 * n, 0.7 * (n % 2) - 0.3),
            orientation=about(AXIS, 0.6 * n),
            rolling_friction=0.02,
        )


def sleeping_stack() -> World:
    """A stack that falls asleep and is woken by what lands on it."""
    world = on_ground()
    for k in range(4):
        world.add_body(f"box {k}", Box((0.6, 0.4, 0.6)), mass=2.0, position=(0, 0.2 + 0.4 * k, 0))
    world.add_body("late", Sphere(0.2), mass=1.0, position=(0.1, 20.0, 0.0))
    return world


def flat_tower() -> World:
    world = World(dimension=2)
    world.add_body("ground", Plane(), fixed=True)
    pyramid(world, 4)
    world.add_body("ball", Sphere(0.3), mass=5.0, position=(-3, 1.0, 0), velocity=(8, 1, 0))
    return world


def touching_iteratively(stabilization: str) -> World:
    world = on_ground(solver="pgs", stabilization=stabilization)
    pyramid(world, 3)
    world.add_body("bob", Sphere(0.25), mass=3.0, position=(-2, 1.5, 0))
    world.add_joint("ball", "bob", at=(0.0, 2.5, 0.0))
    return world


# --- soft bodies ----------------------------------------------------------------------------------


def draped_cloth() -> World:
    """A cloth that falls over a sphere, pushed at once and blown at."""
    world = on_ground()
    world.add_body("stand", Sphere(0.4), fixed=True, position=(0, 0.6, 0))
    cloth = world.add_cloth(
        "cloth", size=(1.6, 1.6), rows=14, columns=14, mass=0.4, position=(0.1, 1.2, 0),
        orientation=LYING, self_collision=True,
    )  # fmt: skip
    world.set_wind(cloth, (0.8, 0.0, 0.3))
    world.apply_impulse(cloth, (0.05, 0.0, 0.02), at=(0.1, 1.2, 0.1))
    return world


def loaded_mat() -> World:
    """A pinned mat with boxes, one of them hung on a joint, and a bar sewn to it."""
    world = World()
    n = 10
    border = [k for k in range(n * n) if k % n in (0, n - 1) or k // n in (0, n - 1)]
    mat = world.add_cloth(
        "mat", size=(2, 2), rows=n, columns=n, pins=border, mass=1.0, stretch=1e-4,
        position=(0, 1, 0), orientation=LYING,
    )  # fmt: skip
    world.add_body("box", Box((0.4, 0.4, 0.4)), mass=20.0, position=(0.3, 1.5, 0.1))
    world.add_body("bob", Box((0.3, 0.5, 0.3)), mass=5.0, position=(-0.4, 1.4, 0))
    world.add_joint("hinge", "bob", at=(-0.4, 2.4, 0), axis=(0, 0, 1))
    world.add_body("bar", Box((0.5, 0.1, 0.1)), mass=1.0, position=(-0.2, 0.8, 0.4))
    world.attach_points(mat, [(-0.4, 1.0, 0.4), (0.0, 1.0, 0.4)], "bar")
    return world


def membrane_flag() -> World:
    world = World()
    n = 10
    flag = world.add_cloth(
        "flag", size=(1, 1), rows=n, columns=n, pins=range(n), mass=0.3, model="membrane",
        young=5e5, weft=2e5, rigidity=1e-4, damping=0.01,
    )  # fmt: skip
    world.set_wind(flag, (0.5, 0.0, 2.0))
    return world


def dropped_solid(material: str, young: float) -> World:
    world = on_ground()
    world.add_solid(
        "block", size=(0.6, 0.6, 0.6), cells=(3, 3, 3), position=(0, 0.6, 0), young=young,
        orientation=about(AXIS, 0.4), material=material, damping=0.002,
    )  # fmt: skip
    world.add_body("weight", Box((0.3, 0.3, 0.3)), mass=15.0, position=(0.05, 1.4, 0.02))
    return world


def cut_and_grabbed() -> World:
    """A hanging sheet that is held by a hand and cut."""
    world = World()
    n = 9
    sheet = world.add_cloth("sheet", size=(1, 1), rows=n, columns=n, pins=range(n), mass=0.5)
    world.grab(sheet, (0.3, -0.4, 0.0))
    world.cut(sheet, (-0.6, 0.05, 0.0), (0.1, 0.02, 0.0), (0.0, 0.0, 1.0))
    return world


Make = Callable[[], Run]
SCENES: dict[str, Make] = {
    **{f"level {name}": partial(LevelRun, name) for name in shipped()},
    **{f"chain 1:{ratio:g}": partial(hung, ratio) for ratio in (1.0, 1e3, 1e6)},
    **{f"chain {how}": partial(hung, 1e3, stabilization=how) for how in STABILIZATIONS},
    **{f"hinges {how}": partial(hinged, how) for how in STABILIZATIONS},
    **{f"pgs {how}": partial(touching_iteratively, how) for how in STABILIZATIONS},
    **{f"joint {label(which)}": partial(jointed, *which) for which in variants()},
    "folded chain": lambda: folded_chain(100.0, 1 / 60).world,
    "net": lambda: net(50.0, 1 / 60).world,
    "rope over wheel": rope_over_wheel,
    "rope of particles": rope_of_particles,
    "box pile": box_pile,
    "card house": cards,
    "figure on stairs": tumbling_figure,
    "hulls on a mesh": hulls_on_mesh,
    "shapes on hills": shapes_on_hills,
    "sleeping stack": sleeping_stack,
    "two dimensions": flat_tower,
    "draped cloth": draped_cloth,
    "loaded mat": loaded_mat,
    "membrane": membrane_flag,
    "solid corotational": partial(dropped_solid, "corotational", 5e4),
    "solid neo_hookean": partial(dropped_solid, "neo_hookean", 5e4),
    "solid stvk": partial(dropped_solid, "stvk", 1e9),
    "cut and grabbed": cut_and_grabbed,
}
