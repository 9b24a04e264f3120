"""What can be measured of a world: energies, errors, what the stabilization added, statistics."""

import hashlib
from typing import Any

import numpy as np

from physics import state as st
from physics.acceptance import REASONS
from physics.contact.events import contact_table
from physics.energy import energies
from physics.portable import dot
from physics.records import ContactTable, Energy, Stats
from physics.state import Elements, Floats, Ints
from physics.stores import Stores


def energy(stores: Stores) -> Energy:
    """Mechanical energy of everything that moves; potential is zero at the origin."""
    gravity = stores.settings.gravity
    stores.stepping.measured()
    stores.stepping.reported(1.0 / stores.time.rate)
    kinetic, potential, elastic = energies(stores.stepping.ensure().scene, gravity)
    if stores.rest.count:
        height, strain = _sleeping_energy(stores)
        potential, elastic = potential + height, elastic + strain
    soft = stores.softs.energies(gravity)
    kinetic, potential, elastic = kinetic + soft[0], potential + soft[1], elastic + soft[2]
    return Energy(kinetic, potential, elastic, kinetic + potential + elastic)


def _sleeping_energy(stores: Stores) -> tuple[float, float]:
    """Potential and elastic energy of what sleeps, which no step looks at."""
    bodies, elements = stores.bodies.arrays, stores.joints.arrays
    asleep = stores.rest.asleep[: len(bodies.kind)].astype(bool)
    weight = bodies.mass[asleep] * bodies.gravity_scale[asleep]
    potential = -float(dot(weight, dot(bodies.position[asleep], stores.settings.gravity)))
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


def translation_error(elements: Elements, chosen: Ints) -> float:
    """Largest |φ| of the hard translational rows of the chosen elements, m."""
    if len(chosen) == 0:
        return 0.0
    hard = (elements.traits[chosen] & st.TRANSLATES != 0) & (elements.compliance[chosen] == 0)
    hard &= (elements.idle[chosen] == 0) & (elements.mode[chosen] == st.POSITION)
    hard &= (elements.role[chosen] == st.BILATERAL)[:, None]
    joints = float(np.abs(elements.phi[chosen][hard]).max(initial=0.0))
    ropes = chosen[(elements.rope[chosen] != 0) & (elements.compliance[chosen, 0] == 0)]
    return max(joints, float(elements.phi[ropes, 0].max(initial=0.0)))


def constraint_error(stores: Stores) -> float:
    """Largest |φ| over hard translational rows of bilateral joints and over seams, m."""
    stores.stepping.measured()
    elements = stores.joints.arrays
    live = np.flatnonzero(elements.role == st.BILATERAL)
    return max(translation_error(elements, live), stores.softs.seam_error())


def statistics(stores: Stores) -> Stats:
    """How the steps so far were solved."""
    counts, measures = stores.records.counters, stores.records.measures
    stepper = stores.stepping.present
    size = stepper.system.size if stepper is not None else (0, 0)
    return Stats(
        solver=stores.settings.solver,
        stabilization=stores.settings.stabilization,
        steps=int(counts[st.STEPS]),
        factorisations=int(counts[st.FACTORISATIONS]),
        newton=int(counts[st.NEWTON]),
        sweeps=int(counts[st.SWEEPS]),
        residual=float(measures[st.RESIDUAL]),
        contacts=max(int(stores.contacts.rows.count[0]), 0),
        error=float(measures[st.ERROR]),
        guard={
            "halved": int(counts[st.HALVED]),
            "drained": int(counts[st.DRAINED]),
            "implicit": int(counts[st.IMPLICIT]),
            "frozen": int(counts[st.FROZEN]),
        },
        refused={reason: int(counts[st.REFUSED_BY + i]) for i, reason in enumerate(REASONS)},
        diverged=stores.records.diverged,
        times=dict(stores.records.seconds),
        islands=stores.contacts.islands,
        regimes=_regimes(stores),
        asleep=stores.rest.count,
        unknowns=3 * int(size[0]),
        blocks=int(size[1]),
        soft=stores.softs.statistics(),
    )


def _regimes(stores: Stores) -> dict[str, int]:
    """How many islands were stepped in each way; nothing before the first step."""
    stepper = stores.stepping.present
    counts = dict.fromkeys(st.REGIMES, 0)
    if stepper is not None:
        islands = stepper.context.arrays.islands
        found = np.bincount(islands.regime[: islands.count[0]], minlength=len(st.REGIMES))
        counts = dict(zip(st.REGIMES, found.tolist(), strict=True))
    return counts


def added_by_stabilization(stores: Stores) -> tuple[Floats, Floats]:
    """What the stabilization added in the last step: see the method of World."""
    bodies, elements = stores.bodies.arrays, stores.joints.arrays
    stepper = stores.stepping.present
    joints = np.zeros(int(elements.joint.max(initial=-1)) + 1)  # grabs have slots, too
    if stores.settings.stabilization == "none" or stepper is None:
        return np.zeros(len(bodies.kind)), joints
    added = np.trace(stepper.system.added, axis1=1, axis2=2) / 3
    rows = np.flatnonzero(elements.role == st.BILATERAL)
    for side in range(4):
        share = np.trace(elements.K[rows, side, side], axis1=1, axis2=2) / 3
        np.add.at(added, elements.node[rows, side], share)
    own = np.stack([bodies.mass, bodies.inertia_max], 1).ravel()
    ratio = np.divide(added, own, out=np.zeros(len(own)), where=bodies.solved == 1)
    damping = elements.added_damping[rows].max(axis=1, initial=0.0)
    np.maximum.at(joints, elements.joint[rows], damping)
    return ratio.reshape(-1, 2).max(axis=1), joints


def contacts(stores: Stores) -> ContactTable:
    """The contact points of the last step: see `World.contacts`."""
    awake = contact_table(stores.contacts.shapes.contacts)
    aside = stores.rest.contacts_aside()
    return awake if aside is None else np.concatenate([awake, contact_table(aside)])


def contact_force(stores: Stores, body: int, other: int | None) -> Floats:
    """Net force of rigid contacts on a body in the last step, N: see `World.contact_force`."""
    h = float(stores.contacts.rows.last_h[0]) or 1.0 / stores.time.rate
    table = contacts(stores)
    force = np.zeros(3)
    for side, across, sign in (("a", "b", 1.0), ("b", "a", -1.0)):
        own = table[side] == body
        if other is not None:
            own &= table[across] == other
        push = table["impulse"][own, None] * table["normal"][own] + table["friction"][own]
        force += sign / h * push.sum(axis=0)
    return force


def state_hash(stores: Stores) -> str:
    """Hex digest of the state: equal states, to the last bit, have equal hashes."""
    bodies, elements = stores.bodies.arrays, stores.joints.arrays
    alive = np.flatnonzero(bodies.kind != st.FREE_SLOT)
    nodes = np.stack([2 * alive, 2 * alive + 1], 1).ravel()
    live = np.flatnonzero(elements.role != st.DEAD)
    found = stores.contacts.shapes.contacts
    count = max(int(found.count[0]), 0)
    digest = hashlib.sha256(np.float64(stores.time.now).tobytes())
    array: Any
    for array in (bodies.kind[alive], bodies.position[alive], bodies.orientation[alive]):
        digest.update(np.ascontiguousarray(array).tobytes())
    for array in (bodies.velocity[nodes], bodies.mean_velocity[nodes], bodies.lag[alive]):
        digest.update(np.ascontiguousarray(array).tobytes())
    for array in (elements.body[live], elements.lam[live], elements.rest[live]):
        digest.update(np.ascontiguousarray(array).tobytes())
    for array in (found.feature[:count], found.impulse[:count]):
        digest.update(np.ascontiguousarray(array).tobytes())
    stores.softs.update_hash(digest)
    return digest.hexdigest()[:32]
