"""The things of a built level under their names: bodies, particles, joints, cloths and solids.

Names outlive handles: a joint that was cut or broke stays known as gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from levels.plan import Group, Plan
from levels.problems import did_you_mean
from physics import Handle, World
from physics.shapes.base import Shape
from physics.snapshot import Saved

Positions = npt.NDArray[np.float64]


class NameTable:
    """Names ↔ handles of one world, and the plan that says what they are."""

    def __init__(self, world: World, plan: Plan) -> None:
        self.world = world
        self.plan = plan
        self.first_plan = plan  # as the level begins
        self.handles: dict[str, Handle] = {}  # bodies and particles
        self.joints: dict[str, Handle] = {}
        self.softs: dict[str, Handle] = {}  # cloths and solids
        self.gone: set[str] = set()  # joints that were removed, cut or broke
        self.on_removed: list[Callable[[str], None]] = []  # told of bodies that are taken out
        self.cross_sections: dict[Handle, tuple[Shape | None, float]] = {}  # that winds met, m²
        self._by_handle: dict[Handle, str] | None = None

    def save(self) -> Saved:
        return {
            "handles": dict(self.handles),
            "joints": dict(self.joints),
            "softs": dict(self.softs),
            "gone": set(self.gone),
            "plan": self.plan,
        }

    def restore(self, saved: Saved) -> None:
        self.handles = dict(saved["handles"])
        self.joints = dict(saved["joints"])
        self.softs = dict(saved["softs"])
        self.gone = set(saved["gone"])
        self.set_plan(saved["plan"])

    def set_plan(self, plan: Plan) -> None:
        """What the world is made of has changed. A plan itself never does: snapshots share it."""
        self.plan = plan
        self._by_handle = None

    # --- looking things up ----------------------------------------------------------------------

    def handle(self, name: str) -> Handle:
        """Of a body or particle; a prop or prefab means its main body."""
        found = self.handles.get(name)
        if found is None:
            full = self.plan.find(name)
            found = self.handles.get(full) if full else None
        if found is None:
            raise _unknown("body", name, self.handles)
        return found

    def soft_handle(self, name: str) -> Handle:
        """Of a cloth or solid."""
        if name not in self.softs:
            raise _unknown("cloth or solid", name, self.softs)
        return self.softs[name]

    def soft_or_body(self, name: str) -> Handle:
        return self.softs[name] if name in self.softs else self.handle(name)

    def joint_handle(self, name: str) -> Handle:
        """Of a joint, or of the first that a prop still has."""
        return self.joints[self.joints_there(name)[0]]

    def joints_there(self, name: str) -> list[str]:
        """The joint, or all joints of the prop or prefab, that have not gone: at least one."""
        found = self.live_joints(name)
        if not found:
            raise _unknown("joint", name, self.joints)
        return found

    def live_joints(self, name: str) -> list[str]:
        return [joint for joint in self.plan.joints_of(name) or [name] if joint in self.joints]

    def name_of(self, handle: Handle) -> str:
        if self._by_handle is None or handle not in self._by_handle:
            everything = (*self.handles.items(), *self.joints.items(), *self.softs.items())
            self._by_handle = {other: name for name, other in everything}
        return self._by_handle.get(handle, "")

    def is_there(self, name: str) -> bool:
        """Is a body, cloth or solid, or any part of a prop, prefab or family there?"""
        group = self.group(name)
        parts = group.members if group else [self.plan.find(name) or name]
        return name in self.softs or any(part in self.handles for part in parts)

    def group(self, name: str) -> Group | None:
        return self.plan.group(name)

    def position(self, name: str) -> Positions:
        return np.asarray(self.world.position(self.handle(name)))

    def positions(self, name: str) -> Positions:
        """Of all parts of a prop or prefab, or of the one body: (n, 3)."""
        if name in self.softs:
            return np.asarray(self.world.node_positions(self.softs[name]))
        group = self.group(name)
        if group is None:
            return self.position(name)[None]
        slots = [self.handles[member].slot for member in group.members if member in self.handles]
        return np.asarray(self.world.poses()[0][slots])

    # --- taking things out ----------------------------------------------------------------------

    def remove_joint(self, name: str) -> None:
        """It counts as broken from then on."""
        self.world.remove(self.joints.pop(name))
        self.gone.add(name)

    def forget_joint(self, handle: Handle) -> str:
        """A joint has broken; physics has removed it already. Returns its name."""
        name = self.name_of(handle)
        self.joints.pop(name, None)
        self.gone.add(name)
        return name

    def remove_body(self, name: str) -> set[str]:
        """Take a body out of the world with all that holds it; returns the joints' names."""
        handle = self.handles.pop(name)
        held = [joint for joint, other in self.joints.items() if self._holds(other, handle)]
        for joint in held:
            self.world.remove(self.joints.pop(joint))
        self._removed(name, handle)
        return set(held)

    def remove_soft(self, name: str) -> None:
        self._removed(name, self.softs.pop(name))

    def _removed(self, name: str, handle: Handle) -> None:
        self.world.remove(handle)
        self._by_handle = None
        for tell in self.on_removed:
            tell(name)

    def _holds(self, joint: Handle, body: Handle) -> bool:
        info = self.world.joint(joint)
        return body in (info.a, info.b)


def _unknown(kind: str, name: str, known: Iterable[str]) -> ValueError:
    return ValueError(f'there is no {kind} "{name}" {did_you_mean(name, known)}'.strip())
