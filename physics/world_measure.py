"""Energies, errors, statistics, contacts, queries, saving."""

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from physics import state as st
from physics.checks import quaternion, vector
from physics.collision import queries
from physics.contact.events import contact_table
from physics.energy import energies
from physics.linalg import quaternion_to_matrix
from physics.portable import dot
from physics.records import Energy, Handle, Hit, Stats
from physics.state import Floats
from physics.world_base import WorldBase


class Measuring(WorldBase):
    """What can be asked of a world."""

    def energy(self) -> Energy:
        """Mechanical energy of everything that moves; potential is zero at the origin."""
        kinetic, potential, elastic = energies(self._ensure_stepper().scene, self._gravity)
        if self._rest.count:
            height, strain = self._sleeping_energy()
            potential, elastic = potential + height, elastic + strain
        if self._softs is not None:
            kinetic, potential, elastic = np.add(
                (kinetic, potential, elastic), self._softs.energies(self._gravity)
            ).tolist()
        return Energy(kinetic, potential, elastic, kinetic + potential + elastic)

    def _sleeping_energy(self) -> tuple[float, float]:
        """Potential and elastic energy of what sleeps, which no step looks at."""
        bodies, elements = self._bodies.arrays, self._joints.arrays
        asleep = self._rest.asleep[: len(bodies.kind)].astype(bool)
        weight = bodies.mass[asleep] * bodies.gravity_scale[asleep]
        potential = -float(dot(weight, dot(bodies.position[asleep], self._gravity)))
        own = asleep[elements.body].any(axis=1)
        phi, C = elements.phi[own], elements.compliance[own]
        rows = (elements.role[own] == st.BILATERAL)[:, None] & (C > 0.0)
        rows &= elements.mode[own] == st.POSITION
        elastic = 0.5 * float((phi[rows] ** 2 / C[rows]).sum())
        springs = elements.role[own] == st.STIFFNESS
        springs &= ~((elements.tension_only[own] != 0) & (phi[:, 0] < 0.0))
        return potential, elastic + 0.5 * float(
            (elements.stiffness[own][springs] * phi[springs, 0] ** 2).sum()
        )

    def constraint_error(self) -> float:
        """Largest |φ| over hard translational rows of bilateral joints and over seams, m."""
        live = np.flatnonzero(self._joints.arrays.role == st.BILATERAL)
        seams = 0.0 if self._softs is None else self._softs.seam_error()
        return max(self._translation_error(live), seams)

    @property
    def stats(self) -> Stats:
        """How the steps so far were solved."""
        counts = self._counters
        size = self._stepper.system.size if self._stepper is not None else (0, 0)
        return Stats(
            solver=self.solver,
            stabilization=self.stabilization,
            steps=int(counts[st.STEPS]),
            factorisations=int(counts[st.FACTORISATIONS]),
            newton=int(counts[st.NEWTON]),
            sweeps=int(counts[st.SWEEPS]),
            residual=float(self._measures[st.RESIDUAL]),
            contacts=max(int(self._contacts.rows.count[0]), 0),
            error=float(self._measures[st.ERROR]),
            guard={
                "halved": int(counts[st.HALVED]),
                "implicit": int(counts[st.IMPLICIT]),
                "impact": int(counts[st.IMPACT]),
                "frozen": int(counts[st.FROZEN]),
            },
            diverged=self.diverged,
            times=dict(self._times),
            islands=self._contacts.islands,
            asleep=self._rest.count,
            unknowns=3 * int(size[0]),
            blocks=int(size[1]),
            soft={} if self._softs is None else self._softs.statistics(),
        )

    def added_by_stabilization(self) -> tuple[Floats, Floats]:
        """What the stabilization added in the last step, for overlays.

        Per body slot the added inertia over the body's own (the larger of moving and turning), and
        per joint slot the added damping, N s/m or N m s/rad.
        """
        bodies, elements = self._bodies.arrays, self._joints.arrays
        joints = np.zeros(int(elements.joint.max(initial=-1)) + 1)  # grabs have slots, too
        if self.stabilization == "none" or self._stepper is None:
            return np.zeros(len(bodies.kind)), joints
        added = np.trace(self._stepper.system.added, axis1=1, axis2=2) / 3
        rows = np.flatnonzero(elements.role == st.BILATERAL)
        for side in range(4):
            share = np.trace(elements.K[rows, side, side], axis1=1, axis2=2) / 3
            np.add.at(added, elements.node[rows, side], share)
        own = np.stack([bodies.mass, bodies.inertia_max], 1).ravel()
        ratio = np.divide(added, own, out=np.zeros(len(own)), where=bodies.solved == 1)
        damping = elements.added_damping[rows].max(axis=1, initial=0.0)
        np.maximum.at(joints, elements.joint[rows], damping)
        return ratio.reshape(-1, 2).max(axis=1), joints

    treatment = added_by_stabilization  # its name in earlier versions

    def contacts(self) -> Any:
        """The contact points of the last step, one record each.

        Fields: a, b (body slots), point, normal (from b to a), depth (m, negative: apart),
        impulse (N s along the normal), friction (N s, world vector on a).
        """
        awake = contact_table(self._contacts.shapes.contacts)
        aside = self._rest.contacts_aside()
        return awake if aside is None else np.concatenate([awake, contact_table(aside)])

    def raycast(self, origin: Any, direction: Any, max_distance: float = 1e3) -> Hit | None:
        """The first body a ray meets."""
        self._refresh_shapes()
        hit = queries.raycast(self._contacts.shapes, origin, direction, max_distance)
        handle = None if hit is None else self._slot_handle(hit.body)
        if hit is None or handle is None:
            return None
        return Hit(handle, hit.point, hit.normal, hit.distance)

    def shapecast(
        self, shape: Any, position: Any, motion: Any, orientation: Any = (1.0, 0.0, 0.0, 0.0)
    ) -> Hit | None:
        """The first body that a convex shape meets when moved by `motion`.

        Of the hit, `point` is where the shape's origin is then, `distance` how far it came.
        """
        if not shape.finite_convex:
            raise ValueError(f"{type(shape).__name__} cannot be cast; give a convex shape")
        self._refresh_shapes()
        turned = np.zeros((1, 3, 3))
        quaternion_to_matrix(quaternion("orientation", orientation)[None], 0, turned)
        start, way = vector("position", position), vector("motion", motion)
        hit = queries.cast(self._contacts.shapes, shape, start, turned[0], way)
        handle = None if hit is None else self._slot_handle(hit.body)
        if hit is None or handle is None:
            return None
        return Hit(handle, hit.point, hit.normal, hit.distance)

    def overlap(self, center: Any, radius: float) -> list[Handle]:
        """Bodies that meet a ball, in the order of their slots."""
        self._refresh_shapes()
        shapes = self._contacts.shapes
        slots = queries.overlap_ball(shapes, vector("center", center), radius)
        found = (self._slot_handle(int(body)) for body in sorted(shapes.shapes["body"][slots]))
        return [handle for handle in found if handle is not None]

    def _refresh_shapes(self) -> None:
        bodies = self._bodies.arrays
        queries.refresh(self._contacts.shapes, bodies.position, bodies.orientation)

    def snapshot(self) -> Mapping[str, Any]:
        """Everything needed to come back to this moment."""
        from physics.snapshot import take

        return take(self)

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Back to the moment of the snapshot, bit by bit."""
        from physics.snapshot import put_back

        put_back(self, snapshot)

    def hash(self) -> str:
        """Hex digest of the state: equal states, to the last bit, have equal hashes."""
        bodies, elements = self._bodies.arrays, self._joints.arrays
        alive = np.flatnonzero(bodies.kind != st.FREE_SLOT)
        nodes = np.stack([2 * alive, 2 * alive + 1], 1).ravel()
        live = np.flatnonzero(elements.role != st.DEAD)
        digest = hashlib.sha256(np.float64(self.time).tobytes())
        array: Any
        for array in (bodies.kind[alive], bodies.position[alive], bodies.orientation[alive]):
            digest.update(np.ascontiguousarray(array).tobytes())
        for array in (bodies.velocity[nodes], bodies.mean_velocity[nodes]):
            digest.update(np.ascontiguousarray(array).tobytes())
        for array in (elements.body[live], elements.lam[live], elements.rest[live]):
            digest.update(np.ascontiguousarray(array).tobytes())
        contacts = self._contacts.shapes.contacts
        count = max(int(contacts.count[0]), 0)
        for array in (contacts.feature[:count], contacts.impulse[:count]):
            digest.update(np.ascontiguousarray(array).tobytes())
        if self._softs is not None:
            self._softs.update_hash(digest)
        return digest.hexdigest()[:32]
