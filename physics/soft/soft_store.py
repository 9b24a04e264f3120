"""All soft bodies of a world, stepped together with its rigid bodies.

before      shapes and rows; soft and rigid solved together; impulses become forces on bodies
(the rigid step runs)
after       soft bodies move; the forces on rigid bodies are taken back
"""

import copy
import hashlib
import time
from typing import Any

import numpy as np

from physics.collision.poses import update_poses
from physics.snapshot import Saved
from physics.soft.cluster import Cluster, groups_of
from physics.soft.coupling.ledger import CoupledLedger
from physics.soft.coupling.rigid_side import RigidSide
from physics.soft.soft_item import SoftItem
from physics.stabilization import NAMES, STABILIZATIONS
from physics.state import Floats, Settings
from physics.step_context import StepContext


class SoftStore:
    """Owns the soft bodies; slots are never used twice."""

    def __init__(self, world: int = 0) -> None:
        self._world = world  # number of the world that it belongs to
        self.items: dict[int, SoftItem] = {}
        self.made = 0
        self.seconds = 0.0  # spent since the caller last set it to zero
        self._force: Floats = np.zeros((0, 3))
        self._settings: Settings | None = None
        self._rigid: RigidSide | None = None  # of the step at hand
        self._ledger = CoupledLedger()
        self._clusters: dict[tuple[int, ...], Cluster] = {}  # of bodies near each other, by slots

    def add(self, item: SoftItem) -> int:
        slot = self.made
        self.made += 1
        self.items[slot] = item
        return slot

    def remove(self, slot: int) -> None:
        """Takes a soft body out; those near it are looked for anew in the next step."""
        del self.items[slot]
        self._clusters = {slots: c for slots, c in self._clusters.items() if slot not in slots}

    def before(self, stepper: StepContext, settings: Settings) -> None:
        """Solves for the soft bodies' velocities and pushes the rigid ones."""
        began = time.perf_counter()
        h, bodies, shapes = settings.h, stepper.bodies, stepper.contacts.shapes
        velocity = bodies.velocity.reshape(-1, 6)
        span = int(shapes.space.span[0])
        update_poses(
            bodies.position, bodies.orientation, velocity, h, shapes.pool, span, shapes.shapes
        )
        bodies.soft_force[...] = 0.0
        for item in self.items.values():
            item.body.gravity = settings.gravity
            chosen = STABILIZATIONS[NAMES[settings.stabilization]]
            item.body.options.stabilization = chosen.soft
            item.find_rows(shapes, bodies, h)
            item.bear_load(bodies, h)
        groups = self._solve_groups(h)
        for item in self.items.values():
            item.assemble(h)
        met = {int(b) for item in self.items.values() for b in item.meets(bodies)}
        slots = np.array(sorted(met), np.int64)
        rigid = self._rigid = RigidSide(stepper, settings, slots) if met else None
        self._ledger.begin(_solved_with_others(groups), rigid, h)
        for group in groups:
            group.solve(bodies, rigid, h)
        self._ledger.note_forces()
        self.seconds += time.perf_counter() - began

    def _solve_groups(self, h: float) -> list[SoftItem | Cluster]:
        """Who is solved with whom, contacts among them found."""
        groups: list[SoftItem | Cluster] = []
        near: dict[tuple[int, ...], Cluster] = {}
        ours = {slot: item for slot, item in self.items.items() if item.comparator is None}
        compared = [(slot,) for slot in self.items if slot not in ours]  # they meet nobody
        for slots in groups_of(ours, h) + compared:
            items = [self.items[slot] for slot in slots]
            if len(slots) > 1:
                near[slots] = self._cluster(slots, items)
                if near[slots].find(h):
                    groups.append(near[slots])
                    continue
            for item in items:
                item.find_self_contacts(h)
                groups.append(item)
        self._clusters = near
        return groups

    def _cluster(self, slots: tuple[int, ...], items: list[SoftItem]) -> Cluster:
        known = self._clusters.get(slots)
        return known if known is not None and known.is_of(items) else Cluster(items)

    def after(self, stepper: StepContext, settings: Settings) -> None:
        """Moves the soft bodies."""
        began = time.perf_counter()
        if self._rigid is not None:
            self._rigid.place(settings.h)
        self._ledger.end(settings.gravity)
        for item in self.items.values():
            item.finish(settings.h)
        self.seconds += time.perf_counter() - began

    def forget_body(self, slot: int) -> None:
        """A rigid body is removed: what was sewn to it is loose."""
        for item in self.items.values():
            seams = [seam for seam in item.seams if seam.body == slot]
            if seams:
                item.unpick(seams)

    # --- asking ---------------------------------------------------------------------------------

    def energies(self, gravity: Floats) -> tuple[float, float, float]:
        """Kinetic, potential and elastic energy of all soft bodies, J."""
        kinetic = potential = elastic = 0.0
        for item in self.items.values():
            item.body.gravity = gravity
            kinetic += item.body.kinetic_energy()
            potential += item.body.potential_energy()
            elastic += item.body.elastic_energy()
        return kinetic, potential, elastic

    def seam_error(self) -> float:
        """Largest distance of a sewn node from where it is sewn to, m."""
        errors = [
            float(np.abs(item.body.rows.error[: len(item.seams)]).max(initial=0.0))
            for item in self.items.values()
        ]
        return max(errors, default=0.0)

    def statistics(self) -> dict[str, Any]:
        """How the soft bodies were solved in the last step."""
        items = self.items.values()
        return {
            "bodies": len(self.items),
            "nodes": sum(len(item.body.x) for item in items),
            "solver": {slot: item.body.chosen_solver for slot, item in self.items.items()},
            "stabilization": {
                slot: item.body.options.stabilization for slot, item in self.items.items()
            },
            "stepping": {slot: item.stepping[0] for slot, item in self.items.items()},
            "exploded": [slot for slot, item in self.items.items() if item.exploded],
            "factorisations": sum(item.rounds for item in items),
            "iterations": sum(item.iterations for item in items),
            "rows": sum(int(item.body.rows.count[0]) for item in items),
            "guarded": sum(item.body.guarded > 0 for item in items),
            "drained": sum(item.body.drained for item in items),
            "violation": max((item.body.violation for item in items), default=0.0),
            "self_contacts": sum(item.self_contacts for item in items),
            "touching": sum(cluster.contacts for cluster in self._clusters.values()),
        }

    def update_hash(self, digest: "hashlib._Hash") -> None:
        """Adds the state of every soft body."""
        for slot, item in sorted(self.items.items()):
            digest.update(np.int64(slot).tobytes())
            for array in (*item.body.state, item.body.model.link_stiffness):
                digest.update(np.ascontiguousarray(array).tobytes())
            rows, count = item.body.rows, int(item.body.rows.old_count[0])
            digest.update(rows.old_key[:count].tobytes())
            digest.update(rows.old_load[:count].tobytes())
        for slots, cluster in sorted(self._clusters.items()):
            digest.update(np.array(slots, np.int64).tobytes())
            digest.update(cluster.loads.tobytes())

    def save(self) -> Saved:
        return {
            "world": self._world,
            "items": dict(self.items),
            "made": self.made,
            "states": {slot: item.save() for slot, item in self.items.items()},
            "asked": self._ledger.left,
            "moved": self._ledger.displaced.save(),
            "clusters": {slots: cluster.save() for slots, cluster in self._clusters.items()},
        }

    def restore(self, saved: Saved) -> None:
        self.items = {slot: self._own(slot, item, saved) for slot, item in saved["items"].items()}
        self.made = saved["made"]
        for slot, item in self.items.items():
            item.restore(saved["states"][slot])
        self._ledger.left = saved["asked"]
        self._ledger.displaced.restore(saved["moved"])
        clusters = {}
        for slots, state in saved["clusters"].items():
            clusters[slots] = self._cluster(slots, [self.items[slot] for slot in slots])
            clusters[slots].restore(state)
        self._clusters = clusters

    def _own(self, slot: int, item: SoftItem, saved: Saved) -> SoftItem:
        """The body that takes the saved state: never the object that another world holds."""
        if saved["world"] == self._world:
            return item
        present = self.items.get(slot)
        alike = present is not None and present.kind == item.kind and present.nodes == item.nodes
        return present if present is not None and alike else copy.deepcopy(item)


def _solved_with_others(groups: list[SoftItem | Cluster]) -> list[list[SoftItem]]:
    """Soft bodies that have to do with others in a step, by those that they are solved with."""
    found = []
    for group in groups:
        items = group.items if isinstance(group, Cluster) else [group]
        met = isinstance(group, Cluster) or items[0].body.rows.count[0] > 0
        if met and items[0].comparator is None:
            found.append(items)
    return found
