"""pymunk (Chipmunk): pivot joints without bias limits."""

import numpy as np

from sandbox.engines.engine import Floats
from sandbox.engines.planar import Mechanism


class _Running:
    def __init__(self, mechanism: Mechanism, h: float, setting: str) -> None:
        import pymunk

        self._space = pymunk.Space()
        self._space.gravity = (0.0, -9.81)
        if setting == "100 iterations":
            self._space.iterations = 100
        self._substeps = 10 if setting == "10 substeps" else 1
        self._h = h / self._substeps
        self._bodies = []
        for bar in mechanism.bars:
            body = pymunk.Body(bar.mass, bar.inertia)
            body.position, body.angle = (bar.x, bar.y), bar.angle
            body.velocity, body.angular_velocity = (bar.vx, bar.vy), bar.omega
            self._space.add(body)
            self._bodies.append(body)
        for pin in mechanism.pins:
            other = self._bodies[pin.b] if pin.b >= 0 else self._space.static_body
            self._space.add(pymunk.PivotJoint(self._bodies[pin.a], other, (pin.x, pin.y)))

    def step(self, n: int) -> None:
        for _ in range(n * self._substeps):
            self._space.step(self._h)

    def places(self) -> Floats:
        return np.array([(*body.position, body.angle) for body in self._bodies])

    def speeds(self) -> Floats:
        return np.array([(*body.velocity, body.angular_velocity) for body in self._bodies])


def build(mechanism: Mechanism, h: float, setting: str) -> _Running:
    return _Running(mechanism, h, setting)
