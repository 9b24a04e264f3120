"""Any level as an environment: the keys a player has are the actions, and what moves is observed.

Actions: one digit for each drive of the level (motors, servos, winches, buttons), in the order of
`actions`: 0 nothing, 1 its first key, 2 its second key. Observations: position, velocity and, in
three dimensions, orientation and angular velocity of the observed bodies, then the value of every
driven joint, then the sensors; names are in `observations`. The reward is 1 when the level is won
and -1 when it is lost, unless an expression says otherwise: `reward="-distance('truck', 'pad')"`.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from levels import Level, Session, load
from levels.commands import Key
from levels.plan import Drive
from levels.problems import did_you_mean
from levels.sensors import reading, sensor, sensors
from sandbox.gym.screen import RENDER_MODES, LevelCamera, Picture, Window

Observation = npt.NDArray[np.float64]
Info = dict[str, Any]

FAR = 1e6  # what is further, faster or larger is observed as this


class LevelEnv(gymnasium.Env[Observation, Any]):
    """`gymnasium.make("taut/Level-v0", level="crane", parameters={"load": (1e3, 1e5)})`.

    level          a name from `sandbox list`, a path, or a Level
    parameters     values for its parameters; a pair is a range, drawn from at every reset
    observed       bodies, props or prefabs (their main body); default: all that the file names
    sensors        name → expression, observed too: {"height": "y('truck')"}
    reward         an expression, read after every action; default: won and lost
    steps          physics steps for an action; default: ten actions a second
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 10}  # noqa: RUF012

    def __init__(
        self,
        level: str | Level = "crane",
        *,
        parameters: Mapping[str, Any] | None = None,
        observed: Sequence[str] | None = None,
        sensors: Mapping[str, str] | None = None,
        reward: str | None = None,
        steps: int | None = None,
        size: tuple[int, int] = (640, 360),
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f'render_mode "{render_mode}"; known: {", ".join(RENDER_MODES)}')
        self.level = level if isinstance(level, Level) else load(level)
        self.render_mode, self._size = render_mode, size
        self._parameters = _checked_parameters(self.level, dict(parameters or {}))
        self.session = self.level.session(**self._drawn(None))
        self.session.expecting = False
        self._start = self.session.snapshot()
        self.drives = [drive for drive in self.session.plan.drives if drive.forward or drive.back]
        self.observed = _checked_bodies(self.session, observed)
        self._sensors = _sensors(self.level, dict(sensors or {}))
        self._reward = sensor(self.level, reward) if reward else None
        self.steps = steps or max(1, round(0.1 / self.session.world.h))
        self.metadata = {**self.metadata, "render_fps": self._rate()}
        self._camera: LevelCamera | None = None
        self._window: Window | None = None
        self.action_space = self._action_space()
        self.observation_space = self._observation_space()

    # --- spaces -----------------------------------------------------------------------------------

    @property
    def actions(self) -> list[str]:
        """Names of the drives, one for each digit of an action."""
        return [drive.name for drive in self.drives]

    def _action_space(self) -> spaces.Space[Any]:
        return spaces.MultiDiscrete([_choices(drive) for drive in self.drives] or [1])

    def _observation_space(self) -> Any:
        count = len(self.observations)
        return spaces.Box(-FAR, FAR, (count,), np.float64)

    @property
    def observations(self) -> list[str]:
        """Names of the numbers that are observed."""
        flat = self.level.dimension == 2
        parts = "x y vx vy angle spin" if flat else "x y z vx vy vz qw qx qy qz wx wy wz"
        bodies = [f"{name}.{part}" for name in self.observed for part in parts.split()]
        return [*bodies, *self._driven(), *self._sensors]

    def _driven(self) -> list[str]:
        return [drive.name for drive in self.drives if drive.what != "button"]

    # --- the interface ----------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        super().reset(seed=seed)
        given = {**self._drawn(self.np_random), **(options or {}).get("parameters", {})}
        if given == self._start.private["given"]:
            self.session.restore(self._start)
        else:
            self.session = self.level.session(**given)
            self.session.expecting = False
            self._start = self.session.snapshot()
            self._drop_camera()
        self._began()
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        self._act(action)
        self.session.step(self.steps)
        observation = self._observation()
        lost = not self.session.is_finite()
        ended = lost or self.session.status != "playing"
        reward = self._rewarded(action)
        if self.render_mode == "human":
            self.render()
        return observation, reward, ended, False, self._info()

    def render(self) -> Picture | None:
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode; make the environment with one")
            return None
        if self._camera is None:
            self._camera = LevelCamera(self.session, self._size)
        picture = self._camera.picture()
        if self.render_mode == "rgb_array":
            return picture
        self._window = self._window or Window(self.level.title, self._rate())
        self._window.show(picture)
        return None

    def close(self) -> None:
        self._drop_camera()
        if self._window:
            self._window.close()
            self._window = None

    # --- what tasks change ------------------------------------------------------------------------

    def _began(self) -> None:
        """After every reset."""

    def _act(self, action: Any) -> None:
        """Press and let go of the keys that the action stands for."""
        for drive, digit in zip(self.drives, np.atleast_1d(action), strict=False):
            for key, wanted in ((drive.forward, digit == 1), (drive.back, digit == 2)):
                if key and wanted != (key in self.session.held):
                    self.session.issue(Key(key, bool(wanted)))

    def _rewarded(self, action: Any) -> float:
        if self._reward is not None:
            value = reading(self._reward, self.session)
            return value if math.isfinite(value) else 0.0
        return {"won": 1.0, "lost": -1.0}.get(self.session.status, 0.0)

    def _observation(self) -> Observation:
        numbers: list[float] = []
        for name in self.observed:
            numbers += self._motion(name)
        numbers += [self._driven_value(drive) for drive in self.drives if drive.what != "button"]
        numbers += [reading(expression, self.session) for expression in self._sensors.values()]
        return np.clip(np.nan_to_num(np.array(numbers, np.float64)), -FAR, FAR)

    def _info(self) -> Info:
        return {"status": self.session.status, "time": self.session.time}

    # --- parts ------------------------------------------------------------------------------------

    def _motion(self, name: str) -> list[float]:
        world, handle = self.session.world, self.session.handle(name)
        position, velocity = world.position(handle), world.velocity(handle)
        w, x, y, z = world.orientation(handle)
        if self.level.dimension == 2:
            spin = world.angular_velocity(handle)[2]
            return [*position[:2], *velocity[:2], 2.0 * math.atan2(z, w), spin]
        sign = 1.0 if w >= 0.0 else -1.0  # q and -q are the same turn
        turn = (sign * w, sign * x, sign * y, sign * z)
        return [*position, *velocity, *turn, *world.angular_velocity(handle)]

    def _driven_value(self, drive: Drive) -> float:
        if drive.what == "winch":
            return self.session.rest_length(drive.name)
        handles = [
            self.session.joints[name] for name in drive.joints if name in self.session.joints
        ]
        return float(self.session.world.joint_value(handles[0])) if handles else 0.0

    def _drawn(self, draw: np.random.Generator | None) -> dict[str, Any]:
        """Values for a level; without a generator the middle of each range."""
        found: dict[str, Any] = {}
        for name, value in self._parameters.items():
            if isinstance(value, tuple):
                share = 0.5 if draw is None else float(draw.random())
                found[name] = _between(self.level, name, value, share)
            else:
                found[name] = value
        return found

    def _rate(self) -> int:
        return max(1, round(1.0 / (self.steps * self.session.world.h)))

    def _drop_camera(self) -> None:
        if self._camera:
            self._camera.close()
            self._camera = None


def _choices(drive: Drive) -> int:
    return 1 + bool(drive.forward) + bool(drive.back)


def _checked_parameters(level: Level, given: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for name, value in given.items():
        is_range = isinstance(value, (tuple, list))
        ends = tuple(float(end) for end in value) if is_range else (value,)
        if is_range and not (len(ends) == 2 and ends[0] <= ends[1]):
            raise ValueError(f"{name}: {value!r} is no range; write (least, greatest)")
        for end in ends:
            level.variant(**{name: end})
        found[name] = ends if is_range else value
    return found


def _between(level: Level, name: str, ends: tuple[float, float], share: float) -> float:
    low, high = ends
    parameter = level.parameters.get(name)
    if parameter is not None and parameter.scale == "log" and low > 0.0:
        value = math.exp((1.0 - share) * math.log(low) + share * math.log(high))
    else:
        value = (1.0 - share) * low + share * high
    return float(round(value)) if parameter is not None and parameter.whole else value


def _checked_bodies(session: Session, wanted: Sequence[str] | None) -> list[str]:
    """Names whose main body moves."""
    plan, world = session.plan, session.world
    named = [name for name in plan.bodies if "." not in name]
    named += [name for name, group in plan.groups.items() if "." not in name and group.root]
    if wanted is not None:
        for name in wanted:
            if plan.find(name) is None:
                hint = did_you_mean(name, [*named, *plan.bodies])
                raise ValueError(f'there is no body "{name}" to be observed; {hint}'.rstrip("; "))
        return list(wanted)
    moving = [name for name in dict.fromkeys(named) if not world.is_fixed(session.handle(name))]
    return [name for name in moving if not world.is_particle(session.handle(name))]


def _sensors(level: Level, texts: dict[str, str]) -> dict[str, Any]:
    return dict(sensors(level, texts))
