"""PyBullet: links of one multibody for each tree, point-to-point constraints for loops."""

import math
from typing import Any

import numpy as np

from sandbox.engines.engine import Floats
from sandbox.engines.planar import Mechanism
from sandbox.engines.quiet import quietly


class _Running:
    def __init__(self, mechanism: Mechanism, h: float, setting: str) -> None:
        with quietly():
            import pybullet
            from pybullet_utils.bullet_client import BulletClient

            self._bullet: Any = BulletClient(pybullet.DIRECT)
        self._mechanism = mechanism
        undamped = {"linearDamping": 0, "angularDamping": 0, "jointDamping": 0}
        self._damping: dict[str, Any] = {} if setting == "shipped" else undamped
        self._bullet.setGravity(0, -9.81, 0)
        self._bullet.setPhysicsEngineParameter(
            fixedTimeStep=h, numSubSteps=10 if setting == "10 substeps" else 0
        )
        self._link: dict[int, tuple[int, int]] = {}  # bar → body and link
        for order in _trees(mechanism):
            self._create(order)
        _, closing = mechanism.tree()
        for pin in closing:
            self._close(pin)

    def _create(self, order: list[int]) -> None:
        """A fixed base, and the bars of a tree as its links, turning about z."""
        mechanism, bullet = self._mechanism, self._bullet
        holding, _ = mechanism.tree()
        number = {bar: k for k, bar in enumerate(order)}
        given: dict[str, list[Any]] = {name: [] for name in _LINKS}
        for i in order:
            bar, pin = mechanism.bars[i], mechanism.pins[holding[i] or 0]
            below = mechanism.bars[pin.b] if pin.b >= 0 else None
            turn = bar.angle - (below.angle if below else 0.0)
            px, py = bar.local(pin.x, pin.y)
            values = (
                bar.mass, -1, -1, (*_from_parent(mechanism, i), 0.0),
                (0, 0, math.sin(turn / 2), math.cos(turn / 2)), (-px, -py, 0.0), (0, 0, 0, 1),
                number[pin.b] + 1 if pin.b >= 0 else 0, bullet.JOINT_REVOLUTE, (0, 0, 1),
            )  # fmt: skip
            for name, value in zip(_LINKS, values, strict=True):
                given[name].append(value)
        body = bullet.createMultiBody(baseMass=0, **given)
        for k, i in enumerate(order):
            self._link[i] = (body, k)
            pin = mechanism.pins[holding[i] or 0]
            spin = mechanism.bars[i].omega
            spin -= mechanism.bars[pin.b].omega if pin.b >= 0 else 0.0
            bullet.resetJointState(body, k, 0.0, spin)
            bullet.setJointMotorControl2(body, k, bullet.VELOCITY_CONTROL, force=0)
            inertia = _inertia(mechanism.bars[i])
            bullet.changeDynamics(body, k, localInertiaDiagonal=inertia, **self._damping)
        bullet.changeDynamics(body, -1, **self._damping)

    def _close(self, pin: Any) -> None:
        bars = self._mechanism.bars
        a = (*bars[pin.a].local(pin.x, pin.y), 0.0)
        b = (*(bars[pin.b].local(pin.x, pin.y) if pin.b >= 0 else (pin.x, pin.y)), 0.0)
        child = self._link[pin.a]
        parent = self._link[pin.b] if pin.b >= 0 else (child[0], -1)
        number = self._bullet.createConstraint(
            *parent, *child, self._bullet.JOINT_POINT2POINT, (0, 0, 1), b, a
        )
        self._bullet.changeConstraint(number, maxForce=1e12)

    def step(self, n: int) -> None:
        for _ in range(n):
            self._bullet.stepSimulation()

    def _state(self, i: int) -> Any:
        return self._bullet.getLinkState(
            *self._link[i], computeLinkVelocity=1, computeForwardKinematics=1
        )

    def places(self) -> Floats:
        found = np.zeros((len(self._link), 3))
        for i in self._link:
            (x, y, _), (_, _, z, w) = self._state(i)[:2]
            found[i] = (x, y, 2.0 * math.atan2(z, w))
        return found

    def speeds(self) -> Floats:
        found = np.zeros((len(self._link), 3))
        for i in self._link:
            state = self._state(i)
            found[i] = (state[6][0], state[6][1], state[7][2])
        return found


_LINKS = (
    "linkMasses", "linkCollisionShapeIndices", "linkVisualShapeIndices", "linkPositions",
    "linkOrientations", "linkInertialFramePositions", "linkInertialFrameOrientations",
    "linkParentIndices", "linkJointTypes", "linkJointAxis",
)  # fmt: skip


def _trees(mechanism: Mechanism) -> list[list[int]]:
    """Bars by the one that hangs from the world, parents first."""
    holding, _ = mechanism.tree()
    trees: dict[int, list[int]] = {}
    root: dict[int, int] = {}
    while len(root) < len(mechanism.bars):
        for i, held in enumerate(holding):
            below = -1 if held is None else mechanism.pins[held].b
            if i not in root and (below < 0 or below in root):
                root[i] = i if below < 0 else root[below]
                trees.setdefault(root[i], []).append(i)
    return list(trees.values())


def _from_parent(mechanism: Mechanism, i: int) -> tuple[float, float]:
    """The pin of a bar in the frame of its parent's pin."""
    holding, _ = mechanism.tree()
    pin = mechanism.pins[holding[i] or 0]
    if pin.b < 0:
        return pin.x, pin.y
    below = mechanism.bars[pin.b]
    x, y = below.local(pin.x, pin.y)
    hung = mechanism.pins[holding[pin.b] or 0]
    px, py = below.local(hung.x, hung.y)
    return x - px, y - py


def _inertia(bar: Any) -> tuple[float, float, float]:
    flat = bar.mass * (bar.width**2 + bar.width**2) / 12.0
    return flat, bar.inertia, bar.inertia


def build(mechanism: Mechanism, h: float, setting: str) -> _Running:
    return _Running(mechanism, h, setting)
