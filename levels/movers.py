"""What moves by itself: bodies along paths and formulas, motors and servos by formula, wind.

Before every step each formula is evaluated once, for the end of the step where a place is meant and
for its beginning where a speed is. A formula without a finite value leaves things as they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from levels import air
from levels.caps import LARGEST_NUMBER, MAX_COORDINATE, MAX_DRIVEN_SPEED
from levels.expressions import Expression, Scope
from levels.frames import Frame, Quat, Vec, multiply, rotate, scale, subtract
from levels.moving_parts import moved
from levels.name_table import NameTable
from levels.paths import Path, offset_at
from physics.records import Handle
from physics.snapshot import Saved

if TYPE_CHECKING:
    from levels.runtime import Session

Number = float | Expression


@dataclass(frozen=True)
class Mover:
    """A body that moves by itself."""

    body: str
    frame: Frame
    axes: Quat
    position: tuple[Number, ...] = ()
    rotation: tuple[Number, ...] = ()
    path: Path | None = None


@dataclass(frozen=True)
class Program:
    """A motor speed or servo target that follows a formula."""

    joint: str
    table: str
    key: str
    value: Expression


@dataclass(frozen=True)
class Wind:
    """Moving air: see `levels.plan.PlannedWind`."""

    name: str
    velocity: tuple[Number, ...]
    axes: Quat
    zone: str | None
    soft: str | None
    density: float
    drag: float


@dataclass(frozen=True)
class Moving:
    """All of a level's programs, compiled."""

    movers: tuple[Mover, ...] = ()
    programs: tuple[Program, ...] = ()
    winds: tuple[Wind, ...] = ()


class Programs:
    """Runs them. Actions take single ones over: those are `stopped`, or have a wind `given`."""

    def __init__(self, moving: Moving) -> None:
        self._moving = moving
        self._stopped: dict[tuple[str, str], float] = {}  # joint and table → speed or target
        self._given: dict[str, Vec] = {}  # wind → m/s

    def save(self) -> Saved:
        return {"stopped": dict(self._stopped), "given": dict(self._given)}

    def restore(self, saved: Saved) -> None:
        self._stopped, self._given = dict(saved["stopped"]), dict(saved["given"])

    def take_over(self, joint: str, table: str, value: float) -> None:
        """An action drives the joint from now on."""
        self._stopped[joint, table] = value

    def resume(self, names: NameTable) -> None:
        """What actions have set, in a world that was built anew."""
        for (joint, table), value in self._stopped.items():
            if joint in names.joints:
                handle = names.joints[joint]
                own = names.world.joint(handle).parameters.get(table) or {"max_force": math.inf}
                key = "speed" if table.endswith("motor") else "target"
                names.world.set_joint(handle, **{table: {**own, key: value}})
        for wind, velocity in self._given.items():
            if wind in names.softs:
                air.blow_on(names, wind, velocity)

    def set_wind(self, names: NameTable, name: str, velocity: Vec) -> None:
        """From now on it blows like this."""
        if not all(abs(value) <= MAX_COORDINATE for value in velocity):
            raise ValueError("the wind is beyond all bounds")
        self._given[name] = velocity
        if name in names.softs:
            air.blow_on(names, name, velocity)

    def run(self, session: Session) -> None:
        for program in self._moving.programs:
            if (program.joint, program.table) not in self._stopped:
                _drive(program, session)
        for mover in self._moving.movers:
            handle = session.names.handles.get(mover.body)
            if handle is not None:
                _move(mover, session, handle)
        for wind in self._moving.winds:
            velocity = self._given.get(wind.name) or _vector(wind.velocity, session)
            if velocity is not None:
                _blow(wind, rotate(wind.axes, velocity), session)


def _value(number: Number, scope: Scope) -> float | None:
    if not isinstance(number, Expression):
        return number
    try:
        value = float(number(scope))
    except (ArithmeticError, ValueError, LookupError):
        return None
    return value if abs(value) <= LARGEST_NUMBER else None


def _vector(numbers: tuple[Number, ...], scope: Scope) -> Vec | None:
    x, y, z = (_value(number, scope) for number in numbers)
    if x is None or y is None or z is None or max(abs(x), abs(y), abs(z)) > MAX_COORDINATE:
        return None
    return (x, y, z)


def _drive(program: Program, session: Session) -> None:
    handle = session.names.joints.get(program.joint)
    value = _value(program.value, session)
    if handle is None or value is None:
        return
    value = min(max(value, -MAX_COORDINATE), MAX_COORDINATE)
    table = session.world.joint(handle).parameters.get(program.table) or {}
    if table.get(program.key) != value:
        changed = {key: entry for key, entry in table.items() if entry is not None}
        session.world.set_joint(handle, **{program.table: {**changed, program.key: value}})


class _Later:
    """A session at the end of the coming step, as far as time is asked for."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.time = session.time + session.world.h
        self.values = session.values

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)


def _move(mover: Mover, session: Session, handle: Handle) -> None:
    """The velocity that brings the body to where it has to be when the step ends."""
    later = _Later(session)
    if mover.path is not None:
        offset, degrees = offset_at(mover.path, later.time)
    else:
        first, second = _vector(mover.position, later), _vector(mover.rotation, later)
        if first is None or second is None:
            return
        offset, degrees = first, second
    world, goal = session.world, moved(mover.frame, mover.axes, offset, degrees)
    x, y, z = (float(value) for value in world.position(handle))
    velocity = _bounded(scale(subtract(goal.position, (x, y, z)), 1 / world.h))
    w, i, j, k = (float(value) for value in world.orientation(handle))
    spin = _bounded(
        scale(_rotation_vector(multiply(goal.orientation, (w, -i, -j, -k))), 1 / world.h)
    )
    world.set_velocity(handle, velocity)
    world.set_angular_velocity(handle, spin)


def _rotation_vector(q: Quat) -> Vec:
    """Axis times angle, by the shorter way round."""
    w, x, y, z = q if q[0] >= 0 else (-q[0], -q[1], -q[2], -q[3])
    size = math.sqrt(x * x + y * y + z * z)
    if size < 1e-12:
        return (2 * x, 2 * y, 2 * z)
    factor = 2 * math.atan2(size, w) / size
    return (factor * x, factor * y, factor * z)


def _bounded(v: Vec) -> Vec:
    size = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return scale(v, MAX_DRIVEN_SPEED / size) if size > MAX_DRIVEN_SPEED else v


def _blow(wind: Wind, velocity: Vec, session: Session) -> None:
    if wind.soft is not None:
        if wind.soft in session.softs:
            air.blow_on(session.names, wind.soft, velocity)
        return
    air.blow(session.names, velocity, wind.zone, wind.density, wind.drag)
