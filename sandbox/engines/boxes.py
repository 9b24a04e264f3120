"""Walls of boxes in every engine: what they hold, how far they sink and drift, what a step costs.

Boxes of 0.5 m and 1 kg in rows, one more in each lower row, begin 2 cm apart and 1 cm above each
other and fall together at 60 Hz; nothing sleeps. Two-dimensional engines take squares.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sandbox.engines.quiet import quietly

Floats = NDArray[np.float64]
RATE, SIDE, BESIDE, ABOVE, FRICTION, G = 60, 0.5, 0.02, 0.01, 0.5, 9.81
PIECE = 10  # steps of a turn
SKIN = 0.0075  # m: Box2D keeps polygons that far from where they touch


class Wall(Protocol):
    """Boxes in an engine."""

    def step(self) -> object: ...
    def look(self) -> tuple[Floats, Floats]:
        """Places and speeds, (boxes, 2): across and up."""
        ...


def layers(boxes: int) -> list[tuple[int, float, float]]:
    """Row, x and y of every box: whole rows, until there are as many."""
    base = math.ceil((math.sqrt(8 * boxes + 1) - 1) / 2)
    return [
        (row, (k - (base - row - 1) / 2) * (SIDE + BESIDE), (row + 0.5) * SIDE + (row + 1) * ABOVE)
        for row in range(base)
        for k in range(base - row)
    ]


class _Taut:
    def __init__(self, places: list[tuple[float, float]], _: str) -> None:
        from physics import Box, Plane, World

        self._world = World(rate=RATE, sleeping=False)
        self._world.add_body("ground", Plane((0, 1, 0)), fixed=True, friction=FRICTION)
        self._boxes = [
            self._world.add_body(f"box {k}", Box((SIDE,) * 3), mass=1.0, position=(x, y, 0),
                                 friction=FRICTION)
            for k, (x, y) in enumerate(places)
        ]  # fmt: skip

    def step(self) -> None:
        self._world.step()

    def look(self) -> tuple[Floats, Floats]:
        place = [self._world.position(box)[:2] for box in self._boxes]
        return np.array(place), np.array([self._world.velocity(box)[:2] for box in self._boxes])


class _Rapier:
    def __init__(self, places: list[tuple[float, float]], setting: str) -> None:
        import rapier3d as r

        self._world: Any = r.PhysicsWorld(gravity=(0.0, -G, 0.0))
        self._world.set_num_threads(1)
        self._world.integration_parameters.dt = 1.0 / RATE
        if setting == "20 iterations":
            self._world.integration_parameters.num_solver_iterations = 20
        ground = r.Collider.cuboid(100, 0.5, 100, translation=(0, -0.5, 0), friction=FRICTION)
        self._world.add_collider(ground)
        half = SIDE / 2
        self._boxes = [
            self._world.add_body(
                r.RigidBody.dynamic(translation=(x, y, 0.0), can_sleep=False),
                colliders=[r.Collider.cuboid(half, half, half, friction=FRICTION, mass=1.0)],
            )
            for x, y in places
        ]
        self.step: Callable[[], object] = self._world.step

    def look(self) -> tuple[Floats, Floats]:
        found = [self._world.rigid_bodies[box] for box in self._boxes]
        place = np.array([(body.translation.x, body.translation.y) for body in found])
        return place, np.array([(body.linvel.x, body.linvel.y) for body in found])


class _MuJoCo:
    def __init__(self, places: list[tuple[float, float]], setting: str) -> None:
        import mujoco

        self._engine = mujoco
        self._substeps = 4 if setting == "4 substeps" else 1
        cone = 'cone="elliptic" impratio="10"' if self._substeps > 1 else ""
        half = SIDE / 2
        boxes = "".join(
            f'<body pos="{x} {y} 0"><freejoint/><geom type="box" size="{half} {half} {half}" '
            f'mass="1" friction="{FRICTION}"/></body>'
            for x, y in places
        )
        self._model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="{1 / RATE / self._substeps}" gravity="0 -{G} 0" {cone}>'
            '<flag autoreset="disable"/></option><size memory="400M"/><worldbody><geom '
            f'type="plane" size="0 0 1" zaxis="0 1 0" friction="{FRICTION}"/>{boxes}</worldbody>'
            "</mujoco>"
        )
        self._data = mujoco.MjData(self._model)

    def step(self) -> None:
        self._engine.mj_step(self._model, self._data, self._substeps)

    def look(self) -> tuple[Floats, Floats]:
        place = self._data.qpos.reshape(-1, 7)[:, :2].copy()
        return place, self._data.qvel.reshape(-1, 6)[:, :2].copy()


class _PyBullet:
    def __init__(self, places: list[tuple[float, float]], setting: str) -> None:
        with quietly():
            import pybullet
            from pybullet_utils.bullet_client import BulletClient

            self._bullet: Any = BulletClient(pybullet.DIRECT)
        self._bullet.setGravity(0, -G, 0)
        iterations = 200 if setting == "200 iterations" else 50
        self._bullet.setPhysicsEngineParameter(
            fixedTimeStep=1 / RATE, numSolverIterations=iterations
        )
        half = SIDE / 2
        plane = self._bullet.createCollisionShape(
            pybullet.GEOM_BOX, halfExtents=(100, 0.5, 100)
        )  # its planes are not rotated as easily
        ground = self._bullet.createMultiBody(0, plane, basePosition=(0, -0.5, 0))
        cube = self._bullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=(half,) * 3)
        self._boxes = [
            self._bullet.createMultiBody(1.0, cube, basePosition=(x, y, 0)) for x, y in places
        ]
        for body in (ground, *self._boxes):  # products of friction: its mixing rule
            self._bullet.changeDynamics(body, -1, lateralFriction=math.sqrt(FRICTION))
        self.step: Callable[[], object] = self._bullet.stepSimulation

    def look(self) -> tuple[Floats, Floats]:
        place = [self._bullet.getBasePositionAndOrientation(box)[0][:2] for box in self._boxes]
        speed = [self._bullet.getBaseVelocity(box)[0][:2] for box in self._boxes]
        return np.array(place), np.array(speed)


class _Pymunk:
    def __init__(self, places: list[tuple[float, float]], setting: str) -> None:
        import pymunk

        self._space = pymunk.Space()
        self._space.gravity = (0.0, -G)
        self._space.collision_slop = 0.001  # 0.1 as shipped, which is meant for pixels
        if setting == "50 iterations":
            self._space.iterations = 50
        ground = pymunk.Segment(self._space.static_body, (-100, -1.0), (100, -1.0), 1.0)
        ground.friction = FRICTION**0.5  # products, as in Bullet
        self._space.add(ground)
        self._boxes = []
        for x, y in places:
            body = pymunk.Body(1.0, SIDE**2 / 6.0)
            body.position = (x, y)
            shape = pymunk.Poly.create_box(body, (SIDE, SIDE))
            shape.friction = FRICTION**0.5
            self._space.add(body, shape)
            self._boxes.append(body)

    def step(self) -> None:
        self._space.step(1 / RATE)

    def look(self) -> tuple[Floats, Floats]:
        place = np.array([tuple(body.position) for body in self._boxes])
        return place, np.array([tuple(body.velocity) for body in self._boxes])


class _Box2D:
    def __init__(self, places: list[tuple[float, float]], setting: str) -> None:
        import Box2D

        self._world = Box2D.b2World(gravity=(0, -G))
        self._world.allowSleeping = False
        self._iterations = (50, 50) if setting == "50 iterations" else (8, 3)
        shape = Box2D.b2PolygonShape(box=(100, 0.5))
        self._world.CreateStaticBody(position=(0, -0.5 - SKIN), shapes=shape)
        half = SIDE / 2 - SKIN
        self._boxes = []
        for x, y in places:
            body = self._world.CreateDynamicBody(position=(x, y), allowSleep=False)
            body.CreatePolygonFixture(box=(half,) * 2, density=0.25 / half**2, friction=FRICTION)
            self._boxes.append(body)
        for body in self._world.bodies:
            for fixture in body.fixtures:
                fixture.friction = FRICTION

    def step(self) -> None:
        self._world.Step(1 / RATE, *self._iterations)

    def look(self) -> tuple[Floats, Floats]:
        place = np.array([tuple(body.position) for body in self._boxes])
        return place, np.array([tuple(body.linearVelocity) for body in self._boxes])


@dataclass(frozen=True)
class Builder:
    """An engine and its settings, as shipped first; `most` boxes that it takes in good time."""

    title: str
    package: str
    build: Callable[[list[tuple[float, float]], str], Wall]
    settings: tuple[str, ...]
    most: int = 6000


FAIR = (
    "Walls: friction 0.5 by every engine's own rule of mixing; none may sleep. A wall stands if no "
    "box drifts by 1 cm after the first second or sinks by more than 2 mm for each row below it. "
    "Two-dimensional engines have squares; pymunk's slop is set to 1 mm, since what it ships is "
    "meant for pixels; Box2D's boxes are smaller by the skin that it keeps around them. Rapier "
    "works on a thread of its own, whose time counts. PyBullet keeps the damping that it ships. "
    "Energy lost is a share of what falling together sets free: 1 is right, more has sunk in."
)
BUILDERS = (
    Builder("Taut", "physics", _Taut, ("shipped",)),
    Builder("Rapier", "rapier3d", _Rapier, ("shipped", "20 iterations")),
    Builder("MuJoCo", "mujoco", _MuJoCo, ("shipped", "4 substeps"), 250),
    Builder("PyBullet", "pybullet", _PyBullet, ("shipped", "200 iterations"), 250),
    Builder("Box2D 2.3 (2-D)", "Box2D", _Box2D, ("shipped", "50 iterations")),
    Builder("pymunk (2-D)", "pymunk", _Pymunk, ("shipped", "50 iterations")),
)


@dataclass(frozen=True)
class Stood:
    """What became of a wall."""

    engine: str
    setting: str
    boxes: int
    milliseconds: float  # of processor, median of the steps of the last half
    worst: float  # ms, of all but the first
    drift: float  # m, of the worst box after the first second
    sunk: float  # m, the deepest below where it should rest, over the number of its row
    speed: float  # m/s at the end
    lost: float  # energy, share of what the fall of a centimetre sets free: 1 is right

    @property
    def stands(self) -> bool:
        return self.drift < 0.01 and self.sunk < 0.002 and self.speed < 0.05


def stood(boxes: int, seconds: float = 4.0) -> Iterator[Stood]:
    """All engines that are installed, a few steps of each in turn."""
    rows = layers(boxes)
    places = [(x, y) for _, x, y in rows]
    row = np.array([1 + row for row, _, _ in rows])
    rest = SIDE * (row - 0.5)
    walls = {
        (builder.title, setting): builder.build(places, setting)
        for builder in BUILDERS
        if find_spec(builder.package) is not None and boxes <= builder.most
        for setting in builder.settings
    }
    steps = round(seconds * RATE / PIECE) * PIECE
    spent: dict[tuple[str, str], list[float]] = {key: [] for key in walls}
    after: dict[tuple[str, str], Floats] = {}
    for piece in range(steps // PIECE):
        for key, wall in walls.items():
            if piece == RATE // PIECE:
                after[key] = wall.look()[0]
            for _ in range(PIECE):
                began = time.process_time()
                wall.step()
                spent[key].append(time.process_time() - began)
    freed = G * float(np.sum(np.array([y for _, _, y in rows]) - rest))
    for key, wall in walls.items():
        at, speed = wall.look()
        now = G * float(np.sum(at[:, 1] - rest)) + 0.5 * float(np.sum(speed**2))
        ms = 1e3 * np.array(spent[key])
        drift = np.linalg.norm(at - after[key], axis=1)
        yield Stood(
            *key, len(rows), float(np.median(ms[steps // 2 :])), float(ms[1:].max()),
            float(drift.max()), float(((rest - at[:, 1]) / row).max()),
            float(np.linalg.norm(speed, axis=1).max()), (freed - now) / freed,
        )  # fmt: skip
