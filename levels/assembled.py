"""The things of a running level under their names, and the tools that add, hold and remove them.

`Things` is the half of a Session that knows the world's inhabitants; `levels.runtime` adds time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from levels.build import Assembly, add_planned_body, add_planned_joint
from levels.commands import Join
from levels.frames import vec
from levels.plan import Group, Plan, PlannedJoint
from levels.problems import did_you_mean
from levels.spawn import plan_body
from physics import JOINTS, Handle, World
from physics.portable import norm

Positions = npt.NDArray[np.float64]


class Things:
    """Names ↔ handles of one world. Names outlive handles: a cut joint stays known as broken."""

    world: World
    plan: Plan
    built: Assembly
    handles: dict[str, Handle]
    joints: dict[str, Handle]
    softs: dict[str, Handle]

    def set_assembly(self, built: Assembly) -> None:
        self.built = built
        self.world, self.plan = built.world, built.plan
        self.first_plan = built.plan  # as the level begins
        self.reels: dict[str, int] = {}  # wound ropes: the piece that is at the drum now
        self.handles, self.joints, self.softs = built.handles, built.joints, built.softs
        self.gone: set[str] = set(built.gone)  # joints that were cut
        self.spawned: dict[str, dict[str, Any]] = {}
        self.joined: list[Join] = []
        self.sewn: list[tuple[str, str]] = []  # cloths and solids, and bodies sewn to them by hand
        self.grabs: dict[int, Any] = {}
        self.grabbed: dict[int, str] = {}  # the body in each hand
        self.let_go: dict[str, float] = {}  # s of the world, when a hand last had the body
        self._names: dict[Handle, str] | None = None

    def copy_names(self) -> dict[str, Any]:
        return {
            "handles": dict(self.handles),
            "joints": dict(self.joints),
            "softs": dict(self.softs),
            "gone": set(self.gone),
            "grabs": dict(self.grabs),
            "grabbed": dict(self.grabbed),
            "let_go": dict(self.let_go),
            "spawned": dict(self.spawned),
            "joined": list(self.joined),
            "sewn": list(self.sewn),
            "reels": dict(self.reels),
            "plan": self.plan,
        }

    def set_names(self, names: dict[str, Any]) -> None:
        self.handles = self.built.handles = dict(names["handles"])
        self.joints = self.built.joints = dict(names["joints"])
        self.softs = self.built.softs = dict(names["softs"])
        self.gone = set(names["gone"])
        self.grabs, self.grabbed = dict(names["grabs"]), dict(names["grabbed"])
        self.let_go = dict(names["let_go"])
        self.spawned = dict(names["spawned"])
        self.joined = list(names["joined"])
        self.sewn = list(names["sewn"])
        self.reels = dict(names["reels"])
        self.set_plan(names["plan"])

    def set_plan(self, plan: Plan) -> None:
        """What the world is made of has changed. A plan itself never does: snapshots share it."""
        self.plan = self.built.plan = plan
        self._names = None

    # --- looking things up ----------------------------------------------------------------------

    def handle(self, name: str) -> Handle:
        """Of a body or particle; a prop or prefab means its main body."""
        found = self.handles.get(name)
        if found is None:
            full = self.plan.find(name)
            found = self.handles.get(full) if full else None
        if found is None:
            raise ValueError(
                f'there is no body "{name}" {did_you_mean(name, self.handles)}'.strip()
            )
        return found

    def thing(self, name: str) -> Handle:
        """Of a cloth or solid, or else of a body."""
        return self.softs[name] if name in self.softs else self.handle(name)

    def joint_handle(self, name: str) -> Handle:
        for full in self.plan.joints_of(name) or [name]:
            if full in self.joints:
                return self.joints[full]
        raise ValueError(f'there is no joint "{name}" {did_you_mean(name, self.joints)}'.strip())

    def name_of(self, handle: Handle) -> str:
        if self._names is None or handle not in self._names:
            all_ = (*self.handles.items(), *self.joints.items(), *self.softs.items())
            self._names = {other: name for name, other in all_}
        return self._names.get(handle, "")

    def group(self, name: str) -> Group | None:
        return self.plan.groups.get(name)

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

    def in_zone(self, point: Positions, zone: str) -> bool:
        box = self.plan.zones[zone]
        flat = self.world.dimension == 2
        axes = (0, 1) if flat else (0, 1, 2)
        return all(abs(point[i] - box.center[i]) <= box.size[i] / 2 for i in axes)

    def touching(self, a: str, b: str) -> bool:
        first, second = self._slots(a), self._slots(b)
        for contact in self.world.contacts():
            pair = (int(contact["a"]), int(contact["b"]))
            if (pair[0] in first and pair[1] in second) or (pair[1] in first and pair[0] in second):
                return True
        return False

    def _slots(self, name: str) -> set[int]:
        group = self.group(name)
        members = group.members if group else [name]
        return {self.handle(m).slot for m in members if group is None or m in self.handles}

    # --- ropes and joints -----------------------------------------------------------------------

    def is_broken(self, name: str) -> bool:
        if name in self.softs:
            return self.world.is_torn(self.softs[name])
        return any(joint in self.gone for joint in self.plan.joints_of(name) or [name])

    def forget_joint(self, handle: Handle) -> str:
        """A joint has broken; physics has removed it already. Returns its name."""
        name = self.name_of(handle)
        self.joints.pop(name, None)
        self.gone.add(name)
        return name

    def tension(self, name: str) -> float:
        if name in self.softs:
            return self.world.thread_force(self.softs[name])
        forces = [self.world.joint_force(self.joints[j])[0] for j in self._live_joints(name)]
        return max((float(norm(force)) for force in forces), default=0.0)

    def stretch(self, name: str) -> float:
        """Sum of what the joints have given way, as a share of the rest length; of a cloth the
        most that any thread is stretched."""
        if name in self.softs:
            return self.world.strain(self.softs[name])
        longer = rest = 0.0
        for joint in self._live_joints(name):
            info = self.world.joint(self.joints[joint])
            measured = JOINTS[info.kind].inextensible
            wanted = info.parameters["length"] if measured else None
            span = (
                self.world.joint_value(self.joints[joint])
                if measured
                else float(norm(np.subtract(info.anchor_a, info.anchor_b)))
            )
            longer += span if wanted is None else max(0.0, span - wanted)
            rest += wanted or 0.0
        group = self.group(name)
        if group is not None and group.segment_length:
            rest += group.segment_length * len(group.members)
        return longer / rest if rest > 0 else longer

    def rest_length(self, name: str) -> float:
        """Of a rope or cable as far as it is paid out now, m."""
        group = self.plan.groups[name]
        total = group.segment_length * sum(member in self.handles for member in group.members)
        for joint in self._live_joints(name):
            info = self.world.joint(self.joints[joint])
            if JOINTS[info.kind].inextensible:
                total += info.parameters.get("length") or 0.0
        return total

    def _live_joints(self, name: str) -> list[str]:
        return [joint for joint in self.plan.joints_of(name) or [name] if joint in self.joints]

    # --- tools ----------------------------------------------------------------------------------

    def grab(self, hand: int, body: str, point: Any) -> None:
        self.drop(hand)
        handle = self.thing(body)
        self.grabs[hand] = self.world.grab(handle, vec(point))
        self.grabbed[hand] = self.world.name(handle)

    def drag(self, hand: int, target: Any) -> None:
        if hand in self.grabs:
            self.world.move_grab(self.grabs[hand], vec(target))

    def drop(self, hand: int) -> None:
        if hand in self.grabs:
            self.world.release_grab(self.grabs.pop(hand))
            self.let_go[self.grabbed[hand]] = float(self.world.time)

    def free_for(self, name: str) -> float:
        """How long no hand has held the body, or any part of the prop or prefab, s."""
        group = self.group(name)
        parts = set(group.members) if group is not None else {self.name_of(self.thing(name))}
        if any(self.grabbed[hand] in parts for hand in self.grabs):
            return 0.0
        return float(self.world.time) - max(self.let_go.get(part, 0.0) for part in parts)

    def cut(self, name: str) -> None:
        """Remove a joint, or all joints of a prop. They count as broken from then on."""
        found = [joint for joint in self.plan.joints_of(name) or [name] if joint in self.joints]
        if not found:
            raise ValueError(
                f'there is no joint "{name}" {did_you_mean(name, self.joints)}'.strip()
            )
        for joint in found:
            self.world.remove(self.joints.pop(joint))
            self.gone.add(joint)

    def delete(self, name: str) -> None:
        """Remove a body with the joints that hold it, or a cloth or solid."""
        if name in self.softs:
            self.grabs = {h: g for h, g in self.grabs.items() if self.grabbed.get(h) != name}
            self.world.remove(self.softs.pop(name))
            self._names = None
            return
        handle = self.handle(name)
        full = next(other for other, own in self.handles.items() if own == handle)
        self.gone |= self.remove_body(full)

    def remove_body(self, name: str) -> set[str]:
        """Take a body out of the world with all that holds it; returns the joints' names."""
        handle = self.handles.pop(name)
        held = [joint for joint, other in self.joints.items() if self._holds(other, handle)]
        for joint in held:
            self.world.remove(self.joints.pop(joint))
        self.grabs = {hand: g for hand, g in self.grabs.items() if self.grabbed.get(hand) != name}
        self.world.remove(handle)
        self._names = None
        return set(held)

    def _holds(self, joint: Handle, body: Handle) -> bool:
        info = self.world.joint(joint)
        return body in (info.a, info.b)

    def add_planned_joint(self, joint: PlannedJoint) -> None:
        add_planned_joint(self.built, joint)

    def slit(self, name: str, a: Any, b: Any, along: Any) -> None:
        """Cut a cloth between two points, along a line of sight."""
        if name not in self.softs:
            raise ValueError(f'there is no cloth "{name}" {did_you_mean(name, self.softs)}'.strip())
        self.world.cut(self.softs[name], vec(a), vec(b), vec(along))

    def pin(self, name: str, point: Any = None) -> None:
        """Fix a body to the world where it is, or the node of a cloth or solid that is nearest to
        a point; a second time lets it go."""
        if name in self.softs:
            if point is None:
                raise ValueError(f'"{name}" is soft: say at which point to pin it')
            self.world.pin_near(self.softs[name], vec(point))
            return
        joint = f"{name}.pin".replace(".", "_")
        if joint in self.joints:
            self.cut(joint)
            return
        handle = self.handle(name)
        kind = "ball" if self.world.is_particle(handle) else "fixed"
        self.join(joint, kind, name, "", {"at": vec(self.world.position(handle))})

    def join(self, name: str, kind: str, a: str, b: str, parameters: dict[str, Any]) -> None:
        """A joint added by a tool."""
        if name in self.joints:
            raise ValueError(f'there is already a joint "{name}"')
        other = self.handle(b) if b else None
        made = self.world.add_joint(kind, self.handle(a), other, name=name, **parameters)
        self.joints[name] = made
        self.gone.discard(name)
        self.joined = [
            *(j for j in self.joined if j.name != name),
            Join(name, kind, a, b, parameters),
        ]

    def sew(self, name: str, body: str, point: Any) -> None:
        """Hold the point of a cloth or solid that is nearest to a point to a body."""
        if name not in self.softs:
            known = did_you_mean(name, self.softs)
            raise ValueError(f'there is no cloth or solid "{name}" {known}'.strip())
        self.world.attach_points(self.softs[name], [vec(point)], self.handle(body))
        if (name, body) not in self.sewn:
            self.sewn.append((name, body))

    def spawn(self, name: str, table: dict[str, Any]) -> None:
        """A body from the table a level file would have for it."""
        if name in self.handles:
            raise ValueError(f'there is already a body "{name}"')
        plan = self.plan.copy()
        body = plan_body(plan, self.world.dimension, name, table)
        self.set_plan(plan)
        add_planned_body(self.built, body)
        self.spawned[name] = dict(table)
