"""The lunar lander on this engine, with the interface of Gymnasium's LunarLander-v3.

The same eight observations, four actions (or two numbers), rewards, sizes and engine powers, so
that a policy made for the original has everything it asks for. What differs is the contact: legs
and ground are solved exactly, so that a landing does not jitter, and rest is rest.
"""

import math
from typing import Any

import numpy as np
from gymnasium import spaces

from physics import HeightField, World
from sandbox.gym.classics import (
    GROUND,
    Motion,
    Painter,
    Point,
    Prism,
    angle_of,
    block,
    standing,
    turn,
)
from sandbox.gym.planar_env import RATE, SCALE, SIZE, Observation, PlanarEnv
from sandbox.gym.screen import Picture

WIDE, TALL = SIZE[0] / SCALE, SIZE[1] / SCALE  # m
CHUNKS = 11  # corners of the ground
PAD_HEIGHT = TALL / 4
LANDER = [(-14, 17), (-17, 0), (-17, -10), (17, -10), (17, 0), (14, 17)]  # pixels
LEG_AWAY, LEG_DOWN = 20 / SCALE, 18 / SCALE
LEG_SIZE = (4 / SCALE, 16 / SCALE)
LEG_TORQUE, LEG_SPEED = 40.0, 0.3  # N m, rad/s: the motors that push the legs out
LEG_OUT, LEG_PLAY = 0.4, 0.5  # rad: where a leg rests, and how far it gives way
MAIN_POWER, SIDE_POWER = 13.0, 0.6  # N s a step for each metre of lever
MAIN_PLACE, SIDE_PLACE, SIDE_HEIGHT = 4 / SCALE, 12 / SCALE, 14 / SCALE
START_FORCE = 1000.0  # N, during the first step
STILL_SPEED, STILL_SPIN, STILL_FOR = 0.01, math.radians(2.0), 0.5  # m/s, rad/s, s: it has landed


class LunarLander(PlanarEnv):
    """`gymnasium.make("taut/LunarLander-v0", continuous=False, gravity=-10.0, enable_wind=False)`.

    Observed: x, y (from the pad, in half screens), their speeds, angle, its speed, left and right
    leg on the ground. Actions: 0 nothing, 1 left, 2 main, 3 right engine; or `continuous` two
    numbers: main (above 0: half to full power) and side (beyond ±0.5). Landing at rest earns 100,
    a crash or leaving the screen costs 100, fuel a little; the rest is the change of a potential.
    """

    def __init__(
        self,
        render_mode: str | None = None,
        continuous: bool = False,
        gravity: float = -10.0,
        enable_wind: bool = False,
        wind_power: float = 15.0,
        turbulence_power: float = 1.5,
    ) -> None:
        super().__init__(render_mode)
        if not -12.0 < gravity < 0.0:
            raise ValueError(f"gravity {gravity:g} m/s²: must be between -12 and 0")
        self.continuous, self.gravity = continuous, gravity
        self.enable_wind, self.wind_power = enable_wind, wind_power
        self.turbulence_power = turbulence_power
        high = np.array([2.5, 2.5, 10, 10, 2 * math.pi, 10, 1, 1], np.float32)
        low = np.array([*-high[:6], 0, 0], np.float32)
        self.observation_space = spaces.Box(low, high)
        self.action_space = (
            spaces.Box(-1, 1, (2,), np.float32) if continuous else spaces.Discrete(4)
        )
        self._body = Prism([(x / SCALE, y / SCALE) for x, y in LANDER], 5.0)
        self._leg = block(*LEG_SIZE, 1.0)

    def _idle(self) -> Any:
        return np.zeros(2, np.float32) if self.continuous else 0

    # --- the world of an episode ------------------------------------------------------------------

    def _build(self) -> None:
        self.world = World(RATE, (0.0, self.gravity, 0.0), dimension=2, sleeping=False)
        self._ground()
        start = (0.5 * WIDE, TALL)
        self.lander = self._body.add(self.world, "lander", start, friction=0.1)
        self.legs = [self._add_leg(start, side) for side in (-1, 1)]
        push = self.np_random.uniform(-START_FORCE, START_FORCE, 2)
        self.world.apply_force(self.lander, (push[0], push[1], 0.0))
        self._gust = self.np_random.integers(-9999, 9999, 2) if self.enable_wind else None
        self._still, self._crashed = 0.0, False
        self._standing: set[int] = set()
        self._now = Motion(self.world, self.lander)

    def _ground(self) -> None:
        """Corners at random heights, smoothed over three, and a flat pad in the middle."""
        heights = self.np_random.uniform(0.0, TALL / 2, CHUNKS + 1)
        middle = CHUNKS // 2
        heights[middle - 2 : middle + 3] = PAD_HEIGHT
        smooth = [0.33 * (heights[i - 1] + heights[i] + heights[i + 1]) for i in range(CHUNKS)]
        self.spacing = WIDE / (CHUNKS - 1)
        self.corners = [(self.spacing * i, float(y)) for i, y in enumerate(smooth)]
        self.pad = (self.spacing * (middle - 1), self.spacing * (middle + 1))
        field = HeightField(np.repeat(np.array(smooth)[:, None], 2, axis=1), self.spacing)
        self.world.add_body(
            "ground", field, fixed=True, position=(0.5 * WIDE, 0.0, 0.0), friction=0.1, group=GROUND
        )

    def _add_leg(self, start: Point, side: int) -> Any:
        """Hinged at the lander's origin, held out by a motor against a limit: a spring."""
        angle = -side * LEG_OUT
        lever = turn(angle, (side * LEG_AWAY, LEG_DOWN))
        place = (start[0] - lever[0], start[1] - lever[1])
        leg = self._leg.add(self.world, f"leg {side}", place, angle, friction=0.2)
        limits = (0.0, LEG_PLAY) if side < 0 else (-LEG_PLAY, 0.0)
        motor = {"speed": side * LEG_SPEED, "max_force": LEG_TORQUE}
        self.world.add_joint(
            "hinge", self.lander, leg, at=(*start, 0.0), axis=(0, 0, 1), limits=limits, motor=motor
        )
        return leg

    # --- a step -----------------------------------------------------------------------------------

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        main, side = self._throttles(action)
        self._blow()
        self._fire(main, side)
        self.world.step()
        self._now = Motion(self.world, self.lander)
        self._standing = standing(self.world)
        self._crashed = self._crashed or self.lander.slot in self._standing
        state = self._state()
        shaping = (
            -100 * math.hypot(state[0], state[1])
            - 100 * math.hypot(state[2], state[3])
            - 100 * abs(state[4])
            + 10 * (state[6] + state[7])
        )
        reward = self._gained(shaping) - 0.30 * main - 0.03 * abs(side)
        ended = self._crashed or abs(state[0]) >= 1.0
        if ended:
            reward = -100.0
        elif self._rests():
            ended, reward = True, 100.0
        if self.render_mode == "human":
            self.render()
        return self._observed(state), float(reward), ended, False, {}

    def _throttles(self, action: Any) -> tuple[float, float]:
        """Power of the main engine, 0 to 1, and of the side engines, left negative."""
        if not self.continuous:
            if not self.action_space.contains(action):
                raise ValueError(f"{action!r} is no action; they are 0, 1, 2 and 3")
            return float(action == 2), {1: -1.0, 3: 1.0}.get(int(action), 0.0)
        main, side = (float(x) for x in np.clip(np.asarray(action, float), -1.0, 1.0))
        power = 0.5 + 0.5 * main if main > 0.0 else 0.0
        return power, math.copysign(min(abs(side), 1.0), side) if abs(side) > 0.5 else 0.0

    def _blow(self) -> None:
        """Wind until the first leg is down: tanh(sin 2kt + sin πkt) never repeats itself."""
        legs = {leg.slot for leg in self.legs}
        if self._gust is None or legs & self._standing:
            return
        strength = [math.tanh(math.sin(0.02 * t) + math.sin(0.01 * math.pi * t))
                    for t in self._gust]  # fmt: skip
        self._gust = self._gust + 1
        self.world.apply_force(self.lander, (strength[0] * self.wind_power, 0.0, 0.0))
        self.world.apply_torque(self.lander, (0.0, 0.0, strength[1] * self.turbulence_power))

    def _fire(self, main: float, side: float) -> None:
        """Engines push at a lever that flutters a little, which is what makes steering hard."""
        flutter = self.np_random.uniform(-1.0, 1.0, 2) / SCALE
        x, y = self._body.origin(self._now)
        angle = self._now.angle
        tip, across = (math.sin(angle), math.cos(angle)), (-math.cos(angle), math.sin(angle))
        if main > 0.0:
            lever = MAIN_PLACE + 2.0 * flutter[0]
            out = (tip[0] * lever + across[0] * flutter[1],
                   -tip[1] * lever - across[1] * flutter[1])  # fmt: skip
            self._push(out, MAIN_POWER * main, (x + out[0], y + out[1]))
        if side != 0.0:
            lever = 3.0 * flutter[1] + math.copysign(SIDE_PLACE, side)
            out = (tip[0] * flutter[0] + across[0] * lever,
                   -tip[1] * flutter[0] - across[1] * lever)  # fmt: skip
            place = (x + out[0] - tip[0] * 17 / SCALE, y + out[1] + tip[1] * SIDE_HEIGHT)
            self._push(out, SIDE_POWER * abs(side), place)

    def _push(self, out: Point, power: float, at: Point) -> None:
        """During the next step, as a force and its torque about the centre of mass."""
        force = (-out[0] * power * RATE, -out[1] * power * RATE)
        arm = (at[0] - self._now.x, at[1] - self._now.y)
        self.world.apply_force(self.lander, (*force, 0.0))
        self.world.apply_torque(self.lander, (0.0, 0.0, arm[0] * force[1] - arm[1] * force[0]))

    def _state(self) -> list[float]:
        now = self._now
        x, y = self._body.origin(now)
        return [
            (x - 0.5 * WIDE) / (0.5 * WIDE),
            (y - (PAD_HEIGHT + LEG_DOWN)) / (0.5 * TALL),
            now.vx * 0.5 * WIDE / RATE,
            now.vy * 0.5 * TALL / RATE,
            now.angle,
            20.0 * now.spin / RATE,
            *(float(leg.slot in self._standing) for leg in self.legs),
        ]

    def _rests(self) -> bool:
        """Slow for half a second."""
        now = self._now
        slow = math.hypot(now.vx, now.vy) < STILL_SPEED and abs(now.spin) < STILL_SPIN
        self._still = self._still + 1.0 / RATE if slow else 0.0
        return self._still >= STILL_FOR

    # --- the picture ------------------------------------------------------------------------------

    def _paint(self) -> Picture:
        painter = Painter(SIZE, SCALE)
        painter.polygon([*self.corners, (WIDE, 0.0), (0.0, 0.0)], "#8a8f98")
        for x in self.pad:
            painter.line([(x, PAD_HEIGHT), (x, PAD_HEIGHT + 50 / SCALE)], "#e8e8e8")
            flag = [(0.0, 50.0), (0.0, 40.0), (25.0, 45.0)]
            painter.polygon([(x + a / SCALE, PAD_HEIGHT + b / SCALE) for a, b in flag], "#f0b429")
        for part, handle, color in (
            *((self._leg, leg, "#6a5fb0") for leg in self.legs),
            (self._body, self.lander, "#8066e6"),
        ):
            place = self.world.position(handle)
            painter.polygon(part.outline(place, angle_of(self.world, handle)), color)
        return painter.picture()
