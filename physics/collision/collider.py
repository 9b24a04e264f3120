"""Everything `detect` works on as one pointer, for calls from Python and through addresses."""

from physics.collision.arrays import ColliderRef
from physics.jit import kernel


@kernel
def collider_ref(parts):
    return ColliderRef(*parts)
