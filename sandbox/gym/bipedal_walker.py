"""The two-legged walker on this engine, with the interface of Gymnasium's BipedalWalker-v3.

The same 24 observations (hull, four joints, two feet, ten lidar rays), four torques, rewards,
sizes, motors and ends; `hardcore` adds stumps, stairs and pits.
"""

import math
from typing import Any

import numpy as np
from gymnasium import spaces

from physics import Box, Handle, HeightField, World
from sandbox.gym.classics import GROUND, Motion, Painter, Prism, angle_of, block, standing
from sandbox.gym.planar_env import RATE, SCALE, SIZE, Observation, PlanarEnv
from sandbox.gym.screen import Picture
from sandbox.gym.walker_terrain import GRASS, HEIGHT, LENGTH, START, STEP, distances, grown

TORQUE = 80.0  # N m
SPEED = {"hip": 4.0, "knee": 6.0}  # rad/s
LIMITS = {"hip": (-0.8, 1.1), "knee": (-1.6, -0.1)}  # rad
LIDAR = 160 / SCALE  # m
HULL = [(-30, 9), (6, 9), (34, 1), (34, -8), (-30, -8)]  # pixels
HIP = -8 / SCALE  # m below the hull's origin
LEG = (8 / SCALE, 34 / SCALE)  # m
START_FORCE = 5.0  # N, during the first step
GRIP, SMOOTH = 2.5, 0.2  # friction of the ground and of the legs
KNEE_START = -0.1  # rad: the knee cannot be straight
_NOISE = 0.05  # rad: one leg begins a little ahead, the other behind
_RAYS = np.array([(math.sin(0.15 * i), -math.cos(0.15 * i)) for i in range(10)]) * LIDAR


class BipedalWalker(PlanarEnv):
    """`gymnasium.make("taut/BipedalWalker-v0", hardcore=False)`.

    Observed: angle and spin of the hull, its velocity, then for each leg the angles and speeds of
    hip and knee and whether the foot is down, then the lidar. Actions: four torques as shares of
    the largest. Walking to the end earns about 300, a fall costs 100, torque a little.
    """

    def __init__(self, render_mode: str | None = None, hardcore: bool = False) -> None:
        super().__init__(render_mode)
        self.hardcore = hardcore
        leg = [math.pi, 5.0, math.pi, 5.0, 5.0]
        high = np.array([math.pi, 5, 5, 5, *leg, *leg, *[1.0] * 10], np.float32)
        low = -high
        low[[8, 13]] = 0.0
        self.observation_space = spaces.Box(low, high)
        self.action_space = spaces.Box(-1.0, 1.0, (4,), np.float32)
        self._hull = Prism([(x / SCALE, y / SCALE) for x, y in HULL], 5.0)
        self._upper, self._lower = block(*LEG, 1.0), block(0.8 * LEG[0], LEG[1], 1.0)

    def _idle(self) -> Any:
        return np.zeros(4, np.float32)

    # --- the world of an episode ------------------------------------------------------------------

    def _build(self) -> None:
        self.world = World(RATE, (0.0, -10.0, 0.0), dimension=2, sleeping=False)
        self.terrain = grown(self.np_random, self.hardcore)
        self._edges = self.terrain.edges()
        self._ground()
        start = (0.5 * STEP * START, HEIGHT + 2 * LEG[1])
        self.hull = self._hull.add(self.world, "hull", start, friction=0.1)
        self.world.apply_force(
            self.hull, (self.np_random.uniform(-START_FORCE, START_FORCE), 0.0, 0.0)
        )
        self.joints: list[tuple[Handle, str, Handle, Handle]] = []
        self.feet = [self._add_leg(start, side) for side in (-1, 1)]
        self._standing: set[int] = set()
        self._fallen = False

    def _ground(self) -> None:
        heights = np.repeat(self.terrain.heights[:, None], 2, axis=1)
        middle = 0.5 * STEP * (LENGTH - 1)
        self.world.add_body(
            "ground", HeightField(heights, STEP), fixed=True, position=(middle, 0.0, 0.0),
            friction=GRIP, group=GROUND,
        )  # fmt: skip
        for number, (left, right, bottom, top) in enumerate(self.terrain.blocks):
            self.world.add_body(
                f"block {number}", Box((right - left, top - bottom, STEP)), fixed=True,
                position=(0.5 * (left + right), 0.5 * (bottom + top), 0.0), friction=GRIP,
                group=GROUND,
            )  # fmt: skip

    def _add_leg(self, start: tuple[float, float], side: int) -> Handle:
        """Thigh and shin; angles count from a leg that hangs straight down."""
        hip = (start[0], start[1] + HIP)
        lean = side * _NOISE
        upper, knee = self._segment(self._upper, f"thigh {side}", hip, lean)
        bend = lean + KNEE_START
        lower, _ = self._segment(self._lower, f"shin {side}", knee, bend)
        self._add_joint("hip", self.hull, upper, hip, lean)
        self._add_joint("knee", upper, lower, knee, KNEE_START)
        return lower

    def _segment(
        self, part: Prism, name: str, top: tuple[float, float], angle: float
    ) -> tuple[Handle, tuple[float, float]]:
        """A piece of a leg that hangs from a point; and where it ends."""
        down = (math.sin(angle), -math.cos(angle))
        middle = (top[0] + 0.5 * LEG[1] * down[0], top[1] + 0.5 * LEG[1] * down[1])
        end = (top[0] + LEG[1] * down[0], top[1] + LEG[1] * down[1])
        return part.add(self.world, name, middle, angle, friction=SMOOTH), end

    def _add_joint(
        self, kind: str, a: Handle, b: Handle, at: tuple[float, float], angle: float
    ) -> None:
        """The engine counts angles from the pose a joint was made in."""
        low, high = LIMITS[kind]
        joint = self.world.add_joint(
            "hinge", a, b, at=(*at, 0.0), axis=(0, 0, 1), limits=(low - angle, high - angle),
            motor={"speed": 0.0, "max_force": 0.0},
        )  # fmt: skip
        self.joints.append((joint, kind, a, b))

    # --- a step -----------------------------------------------------------------------------------

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        shares = [float(x) for x in np.clip(np.asarray(action, float), -1.0, 1.0)]
        for (joint, kind, _, _), share in zip(self.joints, shares, strict=True):
            speed = math.copysign(SPEED[kind], share)
            self.world.set_joint(joint, motor={"speed": speed, "max_force": TORQUE * abs(share)})
        self.world.step()
        self._standing = standing(self.world)
        self._fallen = self._fallen or self.hull.slot in self._standing
        now = Motion(self.world, self.hull)
        x, y = self._hull.origin(now)
        state = self._state(now, (x, y))
        reward = self._gained(130.0 * x / SCALE - 5.0 * abs(state[0]))
        reward -= 0.00035 * TORQUE * sum(map(abs, shares))
        ended = self._fallen or x < 0.0
        if ended:
            reward = -100.0
        ended = ended or x > (LENGTH - GRASS) * STEP
        if self.render_mode == "human":
            self.render()
        return self._observed(state), float(reward), bool(ended), False, {}

    def _place(self) -> tuple[float, float]:
        """Of the hull's origin."""
        return self._hull.origin(Motion(self.world, self.hull))

    def _state(self, now: Motion, place: tuple[float, float]) -> list[float]:
        state = [
            now.angle,
            2.0 * now.spin / RATE,
            0.3 * now.vx * (SIZE[0] / SCALE) / RATE,
            0.3 * now.vy * (SIZE[1] / SCALE) / RATE,
        ]
        turns = {self.hull: (now.angle, now.spin)}
        for leg in (0, 1):
            for _, kind, a, b in self.joints[2 * leg : 2 * leg + 2]:
                turns[b] = self._turn(b)
                angle, spin = turns[b][0] - turns[a][0], turns[b][1] - turns[a][1]
                state += [angle + (1.0 if kind == "knee" else 0.0), spin / SPEED[kind]]
            state.append(float(self.feet[leg].slot in self._standing))
        return [*state, *distances(place, _RAYS, *self._near(place[0]))]

    def _turn(self, part: Handle) -> tuple[float, float]:
        """Angle and its speed."""
        spin = float(self.world.angular_velocity(part)[2])
        return angle_of(self.world, part), spin

    def _near(self, x: float) -> tuple[Any, Any]:
        """Edges that a ray can reach."""
        starts, ends = self._edges
        near = (starts[:, 0] > x - 2 * STEP) & (starts[:, 0] < x + LIDAR + STEP)
        return starts[near], ends[near]

    # --- the picture ------------------------------------------------------------------------------

    def _paint(self) -> Picture:
        x, y = self._place()
        painter = Painter(SIZE, SCALE, left=max(0.0, x - SIZE[0] / SCALE / 5))
        corners = [(float(a), float(b)) for a, b in self.terrain.corners]
        painter.polygon([*corners, (corners[-1][0], -9.0), (0.0, -9.0)], "#66994c")
        for left, right, bottom, top in self.terrain.blocks:
            painter.polygon([(left, bottom), (left, top), (right, top), (right, bottom)], "#9aa3ad")
        for share, ray in zip(distances((x, y), _RAYS, *self._near(x)), _RAYS, strict=True):
            painter.line([(x, y), (x + share * ray[0], y + share * ray[1])], "#7a3a44", 1)
        for number, (_, kind, _, part) in enumerate(self.joints):
            color = "#80405f" if number < 2 else "#b06a8f"
            self._paint_part(painter, self._upper if kind == "hip" else self._lower, part, color)
        self._paint_part(painter, self._hull, self.hull, "#8066e6")
        return painter.picture()

    def _paint_part(self, painter: Painter, part: Prism, handle: Handle, color: str) -> None:
        place = self.world.position(handle)
        painter.polygon(part.outline(place, angle_of(self.world, handle)), color)
