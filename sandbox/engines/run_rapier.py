"""Rapier: impulse joints, with more or fewer iterations of its solver."""

import math
from typing import Any

import numpy as np

from sandbox.engines.engine import Floats
from sandbox.engines.planar import Mechanism

_ITERATIONS = {"20 iterations": 20, "400 iterations": 400}


class _Running:
    def __init__(self, mechanism: Mechanism, h: float, setting: str) -> None:
        import rapier3d

        self._engine = rapier3d
        self._world: Any = rapier3d.PhysicsWorld(gravity=(0.0, -9.81, 0.0))
        self._world.set_num_threads(1)
        parameters = self._world.integration_parameters
        parameters.dt = h
        if setting in _ITERATIONS:
            parameters.num_solver_iterations = _ITERATIONS[setting]
        self._bodies = [self._body(bar) for bar in mechanism.bars]
        ground = self._world.add_body(rapier3d.RigidBody.fixed())
        for pin in mechanism.pins:
            bar = mechanism.bars[pin.a]
            other = self._bodies[pin.b] if pin.b >= 0 else ground
            place = mechanism.bars[pin.b].local(pin.x, pin.y) if pin.b >= 0 else (pin.x, pin.y)
            kind = (
                rapier3d.SphericalJointBuilder()
                if mechanism.balls
                else rapier3d.RevoluteJointBuilder((0.0, 0.0, 1.0))
            )
            joint = (
                kind.local_anchor1((*place, 0.0))
                .local_anchor2((*bar.local(pin.x, pin.y), 0.0))
                .build()
            )
            self._world.impulse_joints.insert(other, self._bodies[pin.a], joint, True)

    def _body(self, bar: Any) -> Any:
        rapier = self._engine
        half = (bar.length / 2, bar.width / 2, bar.width / 2)
        volume = bar.length * bar.width * bar.width
        mass = rapier.MassProperties.from_cuboid(bar.mass / volume, half)
        builder = (
            rapier.RigidBody.dynamic()
            .translation((bar.x, bar.y, 0.0))
            .rotation((0.0, 0.0, bar.angle))
            .linvel((bar.vx, bar.vy, 0.0))
            .angvel((0.0, 0.0, bar.omega))
            .can_sleep(False)
            .additional_mass_properties(mass)
        )
        return self._world.add_body(builder)

    def step(self, n: int) -> None:
        for _ in range(n):
            self._world.step()

    def places(self) -> Floats:
        found = []
        for handle in self._bodies:
            body = self._world.rigid_bodies[handle]
            place, turn = body.translation, body.rotation
            found.append((place.x, place.y, 2.0 * math.atan2(turn.k, turn.w)))
        return np.array(found)

    def speeds(self) -> Floats:
        found = []
        for handle in self._bodies:
            body = self._world.rigid_bodies[handle]
            found.append((body.linvel.x, body.linvel.y, body.angvel.z))
        return np.array(found)


def build(mechanism: Mechanism, h: float, setting: str) -> _Running:
    return _Running(mechanism, h, setting)
