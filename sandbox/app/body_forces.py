"""The forces on one body in the last step, each by its name: what a free-body diagram shows."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from physics import Handle
    from sandbox.protocols import Floats, GameSession, GameWorld

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Force:
    """On the body, in world axes, N."""

    source: str  # "gravity", the name of a joint, "contact with crate"
    vector: Array

    @property
    def size(self) -> float:
        return float(np.linalg.norm(self.vector))


def forces_on(session: "GameSession", body: "Handle") -> list[Force]:
    """Gravity, then joints by name, then contacts by the other body, the largest first of each.

    A hand that holds the body is not among them.
    """
    world = session.world
    weight = Force("gravity", world.mass(body) * np.asarray(world.gravity, float))
    joints = sorted(_joint_forces(session, body), key=lambda force: -force.size)
    contacts = sorted(_contact_forces(session, body), key=lambda force: -force.size)
    return [weight, *joints, *contacts]


def total(forces: list[Force]) -> Force:
    return Force("sum", np.sum([force.vector for force in forces], axis=0))


def _joint_forces(session: "GameSession", body: "Handle") -> list[Force]:
    world, found = session.world, []
    for handle in world.handles("joint"):
        info = world.joint(handle)
        if body not in (info.a, info.b) or world.is_broken(handle):
            continue
        on_a = np.asarray(world.joint_force(handle)[0], float)
        name = session.name_of(handle) or info.kind
        found.append(Force(name, on_a if info.a == body else -on_a))
    return found


def _contact_forces(session: "GameSession", body: "Handle") -> list[Force]:
    """One for each body it touches, over all contact points."""
    world = session.world
    contacts = world.contacts()
    others: dict[int, Floats] = {}
    for mine, other, sign in (("a", "b", 1.0), ("b", "a", -1.0)):
        rows = contacts[contacts[mine] == body.slot]
        forces = sign * (rows["normal"] * rows["impulse"][:, None] + rows["friction"]) / world.h
        for slot, force in zip(rows[other], forces, strict=True):
            others[int(slot)] = others.get(int(slot), np.zeros(3)) + force
    names = _names_by_slot(world)
    return [
        Force(f"contact with {names.get(slot, 'another body')}", force)
        for slot, force in others.items()
        if force.any()
    ]


def _names_by_slot(world: "GameWorld") -> dict[int, str]:
    handles = (*world.handles("body"), *world.handles("particle"))
    return {handle.slot: world.name(handle) for handle in handles}
