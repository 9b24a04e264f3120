"""The state's arrays as compiled code sees them: one pointer per group.

A NamedTuple of forty arrays would be passed to a kernel as some three hundred separate values, in
every call between kernels; a structref is one pointer. Python keeps the NamedTuples of `state`;
both refer to the same memory.
"""

from typing import Any

from numba import types
from numba.experimental import structref

from physics.jit import kernel
from physics.state import Bodies, ContactRows, Elements, Scene, System, Unilateral


class _Group(types.StructRef):
    def preprocess_fields(self, fields: Any) -> Any:
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


@structref.register
class _BodiesType(_Group):
    pass


@structref.register
class _ElementsType(_Group):
    pass


@structref.register
class _SystemType(_Group):
    pass


@structref.register
class _UnilateralType(_Group):
    pass


@structref.register
class _ContactRowsType(_Group):
    pass


@structref.register
class _SceneType(_Group):
    pass


class BodiesRef(structref.StructRefProxy):
    pass


class ElementsRef(structref.StructRefProxy):
    pass


class SystemRef(structref.StructRefProxy):
    pass


class UnilateralRef(structref.StructRefProxy):
    pass


class ContactRowsRef(structref.StructRefProxy):
    pass


class SceneRef(structref.StructRefProxy):
    pass


for _proxy, _kind, _group in (
    (BodiesRef, _BodiesType, Bodies),
    (ElementsRef, _ElementsType, Elements),
    (SystemRef, _SystemType, System),
    (UnilateralRef, _UnilateralType, Unilateral),
    (ContactRowsRef, _ContactRowsType, ContactRows),
    (SceneRef, _SceneType, Scene),
):
    structref.define_boxing(_kind, _proxy)
    structref.define_constructor(_proxy, _kind, list(_group._fields))


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
def contact_rows_ref(arrays):
    return ContactRowsRef(*arrays)


@kernel
def scene_ref(
    bodies,
    elements,
    system,
    unilateral,
    contacts,
    reach,
    label,
    addresses,
    dense,
    counters,
    measures,
    clock,
):
    return SceneRef(
        bodies,
        elements,
        system,
        unilateral,
        contacts,
        reach,
        label,
        addresses,
        dense,
        counters,
        measures,
        clock,
    )


@kernel
def replace_contacts(scene, contacts):
    """Writes scene.contacts, after their capacity has grown."""
    scene.contacts = contacts
