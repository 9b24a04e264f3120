"""The state's groups as compiled code sees them: one pointer each (`schema.py`).

Python keeps the NamedTuples of `state`; both refer to the same memory.
"""

from typing import Any, NamedTuple

from physics.jit import kernel
from physics.state import (
    BodiesRef,
    ContactRowsRef,
    ElementsRef,
    Islands,
    IslandsRef,
    SceneRef,
    System,
    SystemRef,
    UnilateralRef,
)


class StepArrays(NamedTuple):
    """A scene for compiled code, the groups it is made of; system and islands for Python."""

    scene: Any
    bodies: Any
    system_ref: Any
    system: System
    islands: Islands


@kernel
def bodies_ref(arrays):
    return BodiesRef(*arrays)


@kernel
def elements_ref(arrays):
    return ElementsRef(*arrays)


@kernel
def system_ref(arrays):
    return SystemRef(*arrays)


@kernel
def unilateral_ref(arrays):
    return UnilateralRef(*arrays)


@kernel
def islands_ref(arrays):
    return IslandsRef(*arrays)


@kernel
def contact_rows_ref(arrays):
    return ContactRowsRef(*arrays)


@kernel
def scene_ref(parts):
    return SceneRef(*parts)


@kernel
def replace_contacts(scene, contacts):
    """Writes scene.contacts, after their capacity has grown."""
    scene.contacts = contacts
