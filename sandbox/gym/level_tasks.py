"""Tasks on levels: the crane, the liana and a figure that stands up.

Rewards are the change of a potential (so that standing about earns nothing) plus what the end of
the level is worth; each class says which.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces

from levels import load
from levels.measures import rest_length
from physics.portable import norm
from sandbox.gym.level_env import LevelEnv, Observation

_HERE = Path(__file__).parent
_END = 10.0  # what winning is worth, and losing costs


class _Task(LevelEnv):
    """A level with a potential: the reward is its change, and the end."""

    def _began(self) -> None:
        self._before = self._potential()

    def _potential(self) -> float:
        raise NotImplementedError

    def _cost(self, action: Any) -> float:
        """Of this action, beside the potential."""
        return 0.0

    def _rewarded(self, action: Any) -> float:
        now = self._potential()
        gained, self._before = now - self._before, now
        ending = {"won": _END, "lost": -_END}.get(self.session.status, 0.0)
        reward = gained - self._cost(action) + ending
        return reward if math.isfinite(reward) else -_END


class CraneEnv(_Task):
    """`taut/Crane-v0`: slew and wind until the truck stands on the pad, without swinging it.

    Actions: slew (0, 1 a, 2 d) and cable (0, 1 w up, 2 s down), ten times a second. Observed are
    truck and boom. Reward: a tenth of every metre towards the pad, less 0.02 m²/s² of sway a
    second, and 10 for setting it down; a broken cable costs 10.
    """

    _PAD = np.array((4.8, 1.0, -13.2))  # m, as in the level

    def __init__(self, **options: Any) -> None:
        options.setdefault("observed", ["truck", "boom"])
        super().__init__("crane", **options)
        self.drives.sort(key=lambda drive: drive.name, reverse=True)  # slew, then cable

    def _potential(self) -> float:
        return -0.1 * float(norm(self.session.position("truck") - self._PAD))

    def _cost(self, action: Any) -> float:
        """The truck's horizontal speed against that of the point it hangs from."""
        world = self.session.world
        boom, truck = self.session.handle("boom"), self.session.handle("truck")
        arm = world.position(truck) - world.position(boom)
        carried = np.cross(world.angular_velocity(boom), arm) + world.velocity(boom)
        sway = (world.velocity(truck) - carried)[[0, 2]]
        return 0.02 * float(sway[0] ** 2 + sway[1] ** 2) * self.steps * world.h

    def rope(self) -> float:
        """Length of the cable that is paid out, m."""
        return rest_length(self.session.names, "cable")


class LianaEnv(_Task):
    """`taut/Liana-v0`: swing on the liana, and let go in time to land on the far side.

    Actions: lean (0 not, 1 forward, 2 back: a push of a tenth of the climber's weight) and let go
    (0, 1), ten times a second. Observed are the climber's pelvis and hands. Reward: half of every
    metre towards the far side, 10 for landing there, -10 for the ravine.
    """

    _LEAN = 0.1  # of the weight

    def __init__(self, **options: Any) -> None:
        options.setdefault("observed", ["climber", "climber.hand_left", "climber.hand_right"])
        super().__init__("liana", **options)

    def _action_space(self) -> spaces.Space[Any]:
        return spaces.MultiDiscrete([3, 2])

    def _act(self, action: Any) -> None:
        lean, let_go = int(action[0]), int(action[1])
        super()._act([let_go])
        self._push = {1: self._LEAN, 2: -self._LEAN}.get(lean, 0.0)
        self._lean_now()

    def _lean_now(self) -> None:
        if self._push:
            weight = 9.81 * self.session.values["climber"]
            pelvis = self.session.handle("climber")
            impulse = self._push * weight * self.steps * self.session.world.h
            self.session.world.apply_impulse(pelvis, (impulse, 0.0, 0.0))

    def _potential(self) -> float:
        return 0.5 * min(float(self.session.position("climber")[0]), 4.0)


class StandUpEnv(_Task):
    """`taut/StandUp-v0`: a figure in the plane rises from a crouch and keeps standing.

    Actions: three numbers from -1 to 1, the angles that the servos of ankle, knee and hip pull to,
    over the range of each joint; thirty times a second. Observed are foot, shin, thigh and trunk,
    and the angles of the joints. Reward: the height of the head gained, m, and 1 for every second
    in which it is above nine tenths of the full height; a fall costs 10 and ends it.
    """

    JOINTS = ("ankle", "knee", "hip")

    def __init__(self, **options: Any) -> None:
        options.setdefault("observed", ["foot", "shin", "thigh", "trunk"])
        options.setdefault("steps", 4)
        super().__init__(load(_HERE / "stand_up.toml"), **options)

    def _action_space(self) -> spaces.Space[Any]:
        return spaces.Box(-1.0, 1.0, (len(self.JOINTS),), np.float32)

    @property
    def observations(self) -> list[str]:
        return [*super().observations, *self.JOINTS]

    def _observation(self) -> Observation:
        world, joints = self.session.world, self.session.joints
        angles = [float(world.joint_value(joints[name])) for name in self.JOINTS]
        return np.concatenate([super()._observation(), np.array(angles)])

    def _act(self, action: Any) -> None:
        world, joints = self.session.world, self.session.joints
        for name, share in zip(self.JOINTS, np.clip(action, -1.0, 1.0), strict=True):
            parameters = world.joint(joints[name]).parameters
            low, high = parameters["limits"]
            target = low + 0.5 * (float(share) + 1.0) * (high - low)
            world.set_joint(joints[name], servo={**parameters["servo"], "target": target})

    def _potential(self) -> float:
        return float(self.session.position("head")[1])

    def _cost(self, action: Any) -> float:
        stands = self.session.position("head")[1] > 0.9 * self.session.values["height"]
        return -self.steps * self.session.world.h if stands else 0.0
