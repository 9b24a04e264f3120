"""Box2D 2.3: revolute joints, 8 and 3 iterations as its manual advises, or more, or substeps."""

import numpy as np

from sandbox.engines.engine import Floats
from sandbox.engines.planar import Mechanism


class _Running:
    def __init__(self, mechanism: Mechanism, h: float, setting: str) -> None:
        import Box2D

        self._world = Box2D.b2World(gravity=(0, -9.81))
        self._world.allowSleeping = False
        self._iterations = (100, 100) if setting == "100 iterations" else (8, 3)
        self._substeps = 100 if setting == "100 substeps" else 1
        self._h = h / self._substeps
        self._bodies = []
        for bar in mechanism.bars:
            body = self._world.CreateDynamicBody(
                position=(bar.x, bar.y), angle=bar.angle, linearVelocity=(bar.vx, bar.vy),
                angularVelocity=bar.omega, linearDamping=0.0, angularDamping=0.0,
            )  # fmt: skip
            body.massData = Box2D.b2MassData(mass=bar.mass, center=(0, 0), I=bar.inertia)
            self._bodies.append(body)
        ground = self._world.CreateStaticBody()
        for pin in mechanism.pins:
            other = self._bodies[pin.b] if pin.b >= 0 else ground
            self._world.CreateRevoluteJoint(
                bodyA=other, bodyB=self._bodies[pin.a], anchor=(pin.x, pin.y)
            )

    def step(self, n: int) -> None:
        for _ in range(n * self._substeps):
            self._world.Step(self._h, *self._iterations)

    def places(self) -> Floats:
        return np.array([(b.position.x, b.position.y, b.angle) for b in self._bodies])

    def speeds(self) -> Floats:
        return np.array(
            [(b.linearVelocity.x, b.linearVelocity.y, b.angularVelocity) for b in self._bodies]
        )


def build(mechanism: Mechanism, h: float, setting: str) -> _Running:
    return _Running(mechanism, h, setting)
