"""Ours: bars are boxes on hinges, with every stabilization there is."""

import math

import numpy as np

from physics import Box, World
from sandbox.engines.engine import Floats
from sandbox.engines.planar import Mechanism


class _Running:
    def __init__(self, mechanism: Mechanism, h: float, setting: str) -> None:
        self.world = World(rate=1.0 / h, sleeping=False, stabilization=setting)
        self.handles = []
        for i, bar in enumerate(mechanism.bars):
            body = self.world.add_body(
                f"bar {i}",
                Box((bar.length, bar.width, bar.width)),
                mass=bar.mass,
                position=(bar.x, bar.y, 0.0),
                orientation=(math.cos(bar.angle / 2), 0.0, 0.0, math.sin(bar.angle / 2)),
                velocity=(bar.vx, bar.vy, 0.0),
                angular_velocity=(0.0, 0.0, bar.omega),
                mask=0,
            )
            self.handles.append(body)
        for pin in mechanism.pins:
            other = self.handles[pin.b] if pin.b >= 0 else None
            at = (pin.x, pin.y, 0.0)
            kind, axis = ("ball", None) if mechanism.balls else ("hinge", (0, 0, 1))
            self.world.add_joint(kind, self.handles[pin.a], other, at=at, axis=axis)

    def step(self, n: int) -> None:
        self.world.step(n)

    def places(self) -> Floats:
        found = []
        for body in self.handles:
            x, y, _ = self.world.position(body)
            w, _, _, z = self.world.orientation(body)
            found.append((x, y, 2.0 * math.atan2(z, w)))
        return np.array(found)

    def speeds(self) -> Floats:
        if self.world.diverged:
            return np.full((len(self.handles), 3), np.inf)
        return np.array(
            [
                (*self.world.velocity(body)[:2], self.world.angular_velocity(body)[2])
                for body in self.handles
            ]
        )


def build(mechanism: Mechanism, h: float, setting: str) -> _Running:
    return _Running(mechanism, h, setting)
