"""What is selected, as numbers over the last seconds: for the live plots, and for the inspector
after a test."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sandbox.render.soft_sheets import SOFT

if TYPE_CHECKING:
    from physics import Handle
    from sandbox.protocols import Floats, GameSession

Array = npt.NDArray[np.float64]
_LENGTH = 600  # steps that are shown
_MOST = 12  # things that are watched without being selected


@dataclass(frozen=True)
class Quantity:
    name: str
    unit: str
    meaning: str


OF_BODY = (
    Quantity("height", "m", "of its centre of mass"),
    Quantity("speed", "m/s", "of its centre of mass"),
    Quantity("force", "N", "all that acts on it but its weight, together"),
)
OF_JOINT = (
    Quantity("force", "N", "that it bears"),
    Quantity("torque", "N m", "that it bears, with its motor and limits"),
)


@dataclass
class Course:
    """How the quantities of one thing went."""

    name: str
    quantities: tuple[Quantity, ...]
    _rows: list[tuple[float, ...]] = field(default_factory=list)  # time first

    def __len__(self) -> int:
        return min(len(self._rows), _LENGTH)

    def add(self, time: float, *values: float) -> None:
        self._rows.append((time, *values))
        if len(self._rows) >= 2 * _LENGTH:
            del self._rows[:_LENGTH]

    def back_to(self, time: float) -> None:
        while self._rows and self._rows[-1][0] > time:
            self._rows.pop()

    def columns(self) -> Array:
        """Time, s, and then the quantities, one row each."""
        return np.ascontiguousarray(np.array(self._rows[-_LENGTH:], float).T)

    def last(self, i: int) -> float:
        """The present value of the i-th quantity."""
        return self._rows[-1][i + 1] if self._rows else 0.0


class Watch:
    """Looks at some things after every step."""

    def __init__(self) -> None:
        self.courses: dict[str, Course] = {}
        self.always: list[Handle] = []  # whether selected or not
        self._velocities: dict[Handle, tuple[int, Floats]] = {}  # and the step they are of

    def also(self, handles: "list[Handle]") -> None:
        self.always = handles[:_MOST]

    def record(self, session: "GameSession", subject: "Handle | None") -> None:
        for handle in {*self.always, *((subject,) if subject is not None else ())}:
            try:
                self._record(session, handle)
            except ValueError:  # it is gone
                self.always = [other for other in self.always if other != handle]

    def _record(self, session: "GameSession", handle: "Handle") -> None:
        world, name = session.world, session.name_of(handle)
        if handle.kind == "joint":
            force, torque = world.joint_force(handle)
            sizes = float(np.linalg.norm(force)), float(np.linalg.norm(torque))
            self._course(name, OF_JOINT).add(session.time, *sizes)
            return
        velocity = np.array(world.velocity(handle), float)
        tick, before = self._velocities.get(handle, (-1, velocity))
        self._velocities[handle] = (session.tick, velocity)
        if tick != session.tick - 1:
            return
        push = world.mass(handle) * ((velocity - before) / world.h - np.asarray(world.gravity))
        self._course(name, OF_BODY).add(
            session.time,
            float(world.position(handle)[1]),
            float(np.linalg.norm(velocity)),
            float(np.linalg.norm(push)),
        )

    def _course(self, name: str, quantities: tuple[Quantity, ...]) -> Course:
        return self.courses.setdefault(name, Course(name, quantities))

    def back_to(self, time: float) -> None:
        """Forget what came after that moment: time was turned back."""
        for course in self.courses.values():
            course.back_to(time)


def can_be_watched(session: "GameSession", handle: "Handle | None") -> bool:
    """A joint, or a rigid body that can move."""
    if handle is None or handle.kind in SOFT:
        return False
    return handle.kind == "joint" or not session.world.is_fixed(handle)
