"""What every part of the world shares: its stores, settings, names and handles."""

import difflib
from typing import TYPE_CHECKING, Any

import numpy as np

from physics import state as st
from physics.body_store import BodyStore
from physics.checks import choice, number, vector
from physics.contact.contact_store import ContactStore
from physics.islands.sleeping import Sleeping
from physics.joint_store import (
    JointStore,
)
from physics.records import Handle, JointRecord
from physics.scene import make_scene
from physics.stabilization import NAMES, STABILIZATIONS
from physics.state import SOLVERS, Floats
from physics.stepper import Stepper

if TYPE_CHECKING:
    from physics.soft.soft_store import SoftStore

STAGES = ("rows", "treatment", "factor", "solve", "project", "guard", "detect")


class WorldBase:
    """Stores, settings, names and handles of a world."""

    def __init__(
        self,
        rate: float = 60,
        gravity: Any = (0.0, -9.81, 0.0),
        stabilization: str = "adaptive",
        solver: str = "direct",
        dimension: int = 3,
        sleeping: bool = True,
    ) -> None:
        if dimension not in (2, 3):
            raise ValueError(f"dimension must be 2 or 3, not {dimension!r}")
        self.dimension = dimension
        self._contacts = ContactStore()
        self._rest = Sleeping(self._contacts)
        self._stepper: Stepper | None = None
        self._epoch, self._ticks, self._rate = 0.0, 0, 60.0
        self.rate = rate
        self._gravity = vector("gravity", gravity)
        self.sleeping = sleeping
        self.stabilization = stabilization
        self.solver = solver
        self._bodies = BodyStore()
        self._joints = JointStore()
        self._names: dict[str, Handle] = {}
        self._labels: dict[Handle, str] = {}
        self._counters = np.zeros(st.COUNTERS, np.int64)
        self._measures = np.zeros(st.MEASURES)
        self._clock = np.zeros(st.STAGES, np.int64)
        self._times: dict[str, float] = dict.fromkeys(STAGES, 0.0)
        self._events: list[tuple[Any, ...]] = []
        self._broken: set[Handle] = set()
        self._softs: SoftStore | None = None  # with the first cloth or solid

    # --- settings -----------------------------------------------------------------------------

    @property
    def rate(self) -> float:
        """Steps per second."""
        return self._rate

    @rate.setter
    def rate(self, value: float) -> None:
        rate = number("rate", value, "steps per second", positive=True)
        if rate != self._rate:
            self._epoch, self._ticks = self.time, 0
        self._rate = rate

    @property
    def time(self) -> float:
        """Seconds since the start: whole steps since the rate last changed, so it never drifts."""
        return self._epoch + self._ticks / self._rate

    @property
    def h(self) -> float:
        """Length of a step, s."""
        return 1.0 / self._rate

    @property
    def gravity(self) -> Floats:
        return self._gravity

    @gravity.setter
    def gravity(self, value: Any) -> None:
        gravity = vector("gravity", value)
        if not np.array_equal(gravity, self._gravity):
            self._gravity = gravity
            self.wake()

    @property
    def sleeping(self) -> bool:
        """Whether islands at rest fall asleep and are left out until something disturbs them."""
        return bool(self._rest.enabled[0])

    @sleeping.setter
    def sleeping(self, value: bool) -> None:
        self._rest.enabled[0] = bool(value)
        if not value:
            self.wake()

    def wake(self, handle: Handle | str | None = None) -> None:
        """Wakes a body with its island and whatever sleeps against it; without a handle all."""
        if handle is None:
            changed = self._rest.wake_all()
        else:
            changed = self._wake_near(self._body_slot(handle))
        if changed:
            self._stepper = None

    def asleep(self, handle: Handle | str) -> bool:
        """Whether a body sleeps: it rests, and is left out of the steps until it is disturbed."""
        slot = self._body_slot(handle)
        return slot < len(self._rest.asleep) and bool(self._rest.asleep[slot])

    def _wake_near(self, *slots: int) -> bool:
        """Wakes what sleeps at or against these bodies; True if the topology changed."""
        if self._rest.count == 0:
            return False
        self._rest.fit(len(self._bodies.arrays.kind))
        near = [self._rest.near(slot, self._joints.arrays) for slot in slots if slot != st.WORLD]
        changed = bool(near) and self._rest.wake(np.concatenate(near))
        if changed:
            self._stepper = None
        return changed

    @property
    def stabilization(self) -> str:
        return NAMES[self._treatment]

    @stabilization.setter
    def stabilization(self, value: str) -> None:
        self._treatment = STABILIZATIONS[choice("stabilization", value, STABILIZATIONS)].number

    @property
    def solver(self) -> str:
        return SOLVERS[self._solver]

    @solver.setter
    def solver(self, value: str) -> None:
        self._solver = SOLVERS.index(choice("solver", value, SOLVERS))
        self._stepper = None

    @property
    def diverged(self) -> bool:
        """Whether a step without the guard ran away; the last finite state is kept."""
        return bool(self._counters[st.DIVERGED])

    # --- handles ------------------------------------------------------------------------------

    def find(self, name: str) -> Handle:
        """The thing of that name."""
        if name in self._names:
            return self._names[name]
        near = difflib.get_close_matches(name, self._names, 3)
        hint = f"; near it: {', '.join(near)}" if near else ""
        raise ValueError(f'nothing is named "{name}"{hint}')

    def name(self, handle: Handle) -> str:
        return self._labels[self._resolve(handle)]

    def handles(self, kind: str | None = None) -> list[Handle]:
        """All handles, or those of one kind (body, particle, joint), in order of their slots."""
        chosen = [handle for handle in self._labels if kind in (None, handle.kind)]
        return sorted(chosen, key=lambda handle: (handle.kind, handle.slot))

    def _resolve(self, handle: Handle | str) -> Handle:
        if isinstance(handle, str):
            return self.find(handle)
        if handle not in self._labels:
            raise ValueError(f"{handle} is not in this world; it was removed or never added")
        return handle

    def _describe(self, handle: Handle | str) -> str:
        return f'"{handle if isinstance(handle, str) else self._labels[handle]}"'

    def _body_slot(self, handle: Handle | str) -> int:
        target = self._resolve(handle)
        if target.kind not in ("body", "particle"):
            raise ValueError(f"{self._describe(handle)} is a {target.kind}, not a body")
        return target.slot

    def _joint_slot(self, handle: Handle | str) -> int:
        target = self._resolve(handle)
        if target.kind != "joint":
            raise ValueError(f"{self._describe(handle)} is a {target.kind}, not a joint")
        return target.slot

    def _grab_slot(self, grab: Handle) -> int:
        target = self._resolve(grab)
        if target.kind != "grab":
            raise ValueError(f"{self._describe(grab)} is a {target.kind}, not a grab")
        return target.slot

    def _joint_handle(self, slot: int) -> Handle:
        for kind in ("joint", "grab"):
            handle = Handle(kind, slot, self._joints.generation[slot])
            if handle in self._labels:
                return handle
        raise ValueError(f"no joint in slot {slot}")

    def _slot_handle(self, slot: int) -> Handle | None:
        if slot == st.WORLD:
            return None
        for kind in ("body", "particle"):
            handle = Handle(kind, slot, self._bodies.generation[slot])
            if handle in self._labels:
                return handle
        return None

    # --- removing -----------------------------------------------------------------------------

    def remove(self, handle: Handle | str) -> None:
        """Removes a joint, or a body with all its joints."""
        target = self._resolve(handle)
        if target.kind in ("body", "particle"):
            self._wake_near(target.slot)
            for slot in self._joints.of_body(target.slot):
                self.remove(self._joint_handle(slot))
            self._contacts.remove(target.slot)
            if target.slot < len(self._rest.asleep):  # before the first step nobody has slept
                self._rest.forget(target.slot)
            self._bodies.release(target.slot)
            if self._softs is not None:
                self._softs.forget_body(target.slot)
        elif self._softs is not None and target.kind in ("cloth", "solid"):
            del self._softs.items[target.slot]
            for held in [h for h in self._labels if h.kind == "soft_grab"]:
                if held.slot == target.slot:
                    del self._names[self._labels.pop(held)]
        else:
            record = self._joints.joints[target.slot]
            self._wake_near(record.a, record.b)
            if self._excludes(record):
                self._contacts.shapes.include(record.a, record.b)
            self._joints.remove(target.slot)
        del self._names[self._labels.pop(target)]
        self._stepper = None

    def _excludes(self, record: JointRecord) -> bool:
        """Whether the joint keeps its two bodies from colliding."""
        return record.b != st.WORLD and not record.parameters.get("collide", False)

    def _register(self, name: str, handle: Handle) -> Handle:
        self._names[name] = handle
        self._labels[handle] = name
        self._stepper = None
        return handle

    def _check_name(self, name: str) -> None:
        if not isinstance(name, str) or not name:
            raise ValueError(f"a name must be a text that is not empty, not {name!r}")
        if name in self._names:
            raise ValueError(f'there is already something named "{name}"; names must differ')

    def _fresh_name(self, kind: str) -> str:
        count = len(self._joints.generation) + sum(self._joints.generation)
        while f"{kind} {count}" in self._names:
            count += 1
        return f"{kind} {count}"

    def _ensure_stepper(self) -> Stepper:
        if self._softs is not None and self._softs.items:
            self._rest.wake_all()  # nothing sleeps beside soft bodies: they may press on anything
        if self._stepper is None:
            self._rest.fit(len(self._bodies.arrays.kind))
            bodies, elements = self._rest.view(self._bodies.arrays, self._joints.arrays)
            arrays = make_scene(
                bodies,
                elements,
                self.dimension == 2,
                self.solver == "pgs",
                self._contacts.ref,
                self._counters,
                self._measures,
                self._clock,
            )
            self._stepper = Stepper(
                bodies, elements, arrays, self._contacts, self._rest, self._counters, self._measures
            )
            self._stepper.context.moving = self._joints.moving
        softs = self._softs
        self._stepper.coupling = softs if softs is not None and softs.items else None
        return self._stepper

    def _translation_error(self, chosen: Any) -> float:
        elements = self._joints.arrays
        if len(chosen) == 0 or self._counters[st.STEPS] == 0:
            return 0.0
        hard = (elements.traits[chosen] & st.TRANSLATES != 0) & (elements.compliance[chosen] == 0)
        hard &= (elements.idle[chosen] == 0) & (elements.mode[chosen] == st.POSITION)
        hard &= (elements.role[chosen] == st.BILATERAL)[:, None]
        return float(np.abs(elements.phi[chosen][hard]).max(initial=0.0))
