"""Everything `detect` works on as one pointer, for calls from Python and through addresses."""

from typing import Any

from numba import types
from numba.experimental import structref

from physics.jit import kernel


@structref.register
class _ColliderType(types.StructRef):
    def preprocess_fields(self, fields: Any) -> Any:
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class ColliderRef(structref.StructRefProxy):
    pass


structref.define_boxing(_ColliderType, ColliderRef)
structref.define_constructor(
    ColliderRef, _ColliderType, ["pool", "excluded", "shapes", "space", "work", "contacts"]
)


@kernel
def collider_ref(pool, excluded, shapes, space, work, contacts):
    return ColliderRef(pool, excluded, shapes, space, work, contacts)
