"""Scripted policies: what a person would do who knows the task. They show that it can be done, and
what a learner has to beat. Each is called with an observation and gives an action."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Action = npt.NDArray[Any]


class CranePilot:
    """Most of a quarter turn, wait until the swing has come to its end, then down."""

    _SLEW, _DOWN = (10, 59), (80, 155)  # tenths of a second

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, observation: Any) -> Action:
        now, self._count = self._count, self._count + 1
        slew, down = self._SLEW, self._DOWN
        return np.array([slew[0] <= now < slew[1], 2 * (down[0] <= now < down[1])], np.int64)


class LevelPilot(CranePilot):
    """The same for `taut/Level-v0`, which plays the crane unless told otherwise: its actions are
    in the order of the level file, cable and then slew."""

    def __call__(self, observation: Any) -> Action:
        return super().__call__(observation)[::-1]


class LianaPilot:
    """Lean the way it swings, and let go beyond the middle on the way out."""

    def __call__(self, observation: Any) -> Action:
        x, speed = float(observation[0]), float(observation[3])
        return np.array([1 if speed > 0.0 else 2, x > 1.9 and speed > 0.0], np.int64)


class StandUpPilot:
    """Straighten ankle, knee and hip together over two and a half seconds, then hold."""

    _UPRIGHT = np.array([0.7, -1.4, 1.0])  # rad from the crouch
    _LOW, _HIGH = np.array([-0.3, -1.4, -0.6]), np.array([1.1, 0.6, 1.6])
    _ACTIONS = 75

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, observation: Any) -> Action:
        share = min(1.0, self._count / self._ACTIONS)
        self._count += 1
        target = share * self._UPRIGHT
        return (2.0 * (target - self._LOW) / (self._HIGH - self._LOW) - 1.0).astype(np.float32)


class LanderPilot:
    """Two proportional-derivative rules: lean towards the pad, and brake by the height.

    The height to be at grows with the way and the speed sideways: whoever touches down while
    drifting slides off the pad.
    """

    _SLIDES = 0.25  # in the units of the observation: touching faster than this is no landing

    def __init__(self, continuous: bool = False) -> None:
        self._continuous = continuous

    def __call__(self, observation: Any) -> Any:
        x, y, vx, vy, angle, spin, left, right = (float(number) for number in observation)
        lean = min(max(0.5 * x + 1.0 * vx, -0.4), 0.4)
        hover = 0.55 * abs(x) + 0.3 * abs(vx)
        turn, lift = 0.5 * (lean - angle) - spin, 0.5 * (hover - y) - 0.5 * vy
        if (left or right) and abs(vx) < self._SLIDES:
            turn, lift = 0.0, -0.5 * vy
        if self._continuous:
            wanted = np.array([20.0 * lift - 1.0, -20.0 * turn], np.float32)
            return np.clip(wanted, -1.0, 1.0)
        if lift > abs(turn) and lift > 0.05:
            return 2
        return 3 if turn < -0.05 else 1 if turn > 0.05 else 0


class WalkerPilot:
    """A gait of three phases for two legs that change places.

    swing   the free leg goes forward with a bent knee, while the other carries and straightens
    reach   the free leg is put down
    push    the leg behind pushes off; then the legs change places
    """

    def __init__(self, **gains: float) -> None:
        self._gains = {**_GAIT, **gains}
        self._phase, self._free, self._knee = "swing", 0, self._gains["carrying"]

    def __call__(self, observation: Any) -> Action:
        state, g = [float(number) for number in observation], self._gains
        legs = (state[4:9], state[9:14])  # hip, its speed, knee, its speed, foot down
        hips: list[float | None] = [None, None]
        knees: list[float | None] = [None, None]
        self._next(state, legs, hips, knees)
        action = np.zeros(4)
        level = g["level"] * state[0] + g["level_damper"] * state[1]
        for n, (hip, hip_speed, knee, knee_speed, _) in enumerate(legs):
            turn = _pulled(hips[n], hip, hip_speed, g["hip"], g["damper"])
            bend = _pulled(knees[n], knee, knee_speed, g["knee"], g["damper"])
            action[2 * n : 2 * n + 2] = turn + level, bend - g["bob"] * state[3]
        return np.clip(g["share"] * action, -1.0, 1.0).astype(np.float32)

    def _next(
        self,
        state: list[float],
        legs: tuple[list[float], list[float]],
        hips: list[float | None],
        knees: list[float | None],
    ) -> None:
        """Where hips and knees should be, and whether the phase is over."""
        free, bearing, g = self._free, 1 - self._free, self._gains
        if self._phase == "swing":
            hips[free], knees[free] = g["ahead"], g["bent"]
            faster = 2.0 if state[2] > g["speed"] else 1.0
            self._knee = min(self._knee + 0.03 * faster, g["carrying"])
            knees[bearing] = self._knee
            if legs[bearing][0] < g["behind"]:
                self._phase = "reach"
        if self._phase == "reach":  # at once, if the swing is over
            hips[free], knees[free], knees[bearing] = g["down"], g["carrying"], self._knee
            if legs[free][4]:
                self._phase, self._knee = "push", min(legs[free][2], g["carrying"])
        if self._phase == "push":
            knees[free], knees[bearing] = self._knee, 1.0
            if legs[bearing][2] > 0.88 or state[2] > 1.2 * g["speed"]:
                self._phase, self._free = "swing", bearing


_GAIT = {  # found by variation; it does not fall when each of them is varied by 3 %
    "hip": 0.491, "knee": 4.05, "damper": 0.072, "level": 0.895, "level_damper": 2.63,
    "bob": 9.94, "share": 0.461, "speed": 0.208, "carrying": 0.114, "ahead": 2.58,
    "bent": -0.617, "behind": 0.137, "down": 0.0316,
}  # fmt: skip


def _pulled(wanted: float | None, now: float, speed: float, gain: float, damper: float) -> float:
    return 0.0 if wanted is None else gain * (wanted - now) - damper * speed


def pilot(id: str) -> Any:
    """A fresh policy for an environment; KeyError if there is none."""
    makers: dict[str, Callable[[], Any]] = {
        "taut/Level-v0": LevelPilot,
        "taut/Crane-v0": CranePilot,
        "taut/Liana-v0": LianaPilot,
        "taut/StandUp-v0": StandUpPilot,
        "taut/LunarLander-v0": LanderPilot,
        "taut/LunarLanderContinuous-v0": lambda: LanderPilot(continuous=True),
        "taut/BipedalWalker-v0": WalkerPilot,
        "taut/BipedalWalkerHardcore-v0": WalkerPilot,
    }
    return makers[id]()
