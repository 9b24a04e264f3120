"""The Python side of contacts: shapes of the bodies, detection before a step, events after it."""

import time
from typing import Any, NamedTuple

import numpy as np

from physics.collision import OK, ShapeStore, detect
from physics.collision.arrays import DEAD, SLOT_BITS, SPHERE
from physics.contact.rows import load_contacts
from physics.contact.touching import compare_touching
from physics.scene import StepArrays
from physics.state import Bodies, ContactRows, Floats
from physics.structs import contact_rows_ref, replace_contacts

_FIRST_POOL = 64
_EXACT_SEARCH = 64  # shapes up to which it is worth looking for a single pair that may touch


class ContactEvent(NamedTuple):
    """Two bodies began or ceased to touch."""

    kind: str  # contact_begin | contact_end
    a: int  # body slots
    b: int
    point: Floats  # m; for an end: not known, zero
    impulse: float  # N s along the normal in the first step


class ContactStore:
    """Owns the shapes and the contact rows of a world."""

    def __init__(self) -> None:
        self.shapes = ShapeStore()
        self.events: list[ContactEvent] = []
        self.seconds = 0.0  # spent on detection since the caller last set it to zero
        self._of_body: dict[int, int] = {}
        self._pool = np.zeros((_FIRST_POOL, 3, 3))
        self._last_h = np.zeros(1)
        self._touching = np.zeros((2, 1), np.int64)
        self._make_rows()

    # --- shapes --------------------------------------------------------------------------------

    def add(self, body: int, shape: Any, movable: bool, **surface: Any) -> None:
        """The shape of a body, its centre of mass at the body's position."""
        offset = -shape.mass_properties(1.0).center if shape.finite_convex else np.zeros(3)
        self._of_body[body] = self.shapes.add(
            shape, body, movable=movable, offset=offset, **surface
        )

    def add_particle(self, body: int, radius: float, movable: bool, **surface: Any) -> None:
        self._of_body[body] = self.shapes.add_particle(body, radius, movable=movable, **surface)

    def remove(self, body: int) -> None:
        slot = self._of_body.pop(body, None)
        if slot is None:
            return
        self.shapes.remove(slot)
        live = self._touching[0, 1 : self._touching[0, 0] + 1]
        kept = live[(live >> SLOT_BITS != slot) & (live & ((1 << SLOT_BITS) - 1) != slot)]
        self._touching[0, 0] = len(kept)
        self._touching[0, 1 : len(kept) + 1] = kept

    def may_touch(self) -> bool:
        """Whether any two shapes could ever touch; decided by groups, masks and joints."""
        shapes = self.shapes.shapes
        live = np.flatnonzero(shapes["kind"] != DEAD)
        point = (shapes["kind"] == SPHERE) & (shapes["radius"] == 0.0)
        if len(live) > _EXACT_SEARCH:
            fields = [shapes["group"], shapes["mask"], shapes["movable"], point]
            _, first = np.unique(np.stack(fields, 1)[live], axis=0, return_index=True)
            return any(self._compatible(live[i], live[j], point) for i in first for j in first)
        excluded = set(self.shapes.excluded.tolist())
        bodies = shapes["body"]
        for n, i in enumerate(live):
            for j in live[:n]:
                key = (min(bodies[i], bodies[j]) << 32) | max(bodies[i], bodies[j])
                if self._compatible(int(i), int(j), point) and int(key) not in excluded:
                    return True
        return False

    def _compatible(self, i: int, j: int, point: Any) -> bool:
        a, b = self.shapes.shapes[i], self.shapes.shapes[j]
        agree = bool(a["group"] & b["mask"]) and bool(b["group"] & a["mask"])
        return agree and bool(a["movable"] or b["movable"]) and not (point[i] and point[j])

    # --- rows ----------------------------------------------------------------------------------

    def _make_rows(self) -> None:
        """Rows for the present capacity of contacts."""
        given = self.shapes.contacts
        n = len(given.gap)
        self.rows = ContactRows(
            count=given.count,
            body_a=given.body_a,
            body_b=given.body_b,
            shape_a=given.shape_a,
            shape_b=given.shape_b,
            normal=given.normal,
            tangent1=given.tangent1,
            tangent2=given.tangent2,
            anchor_a=given.anchor_a,
            anchor_b=given.anchor_b,
            gap=given.gap,
            friction=given.friction,
            restitution=given.restitution,
            mu=given.impulse,
            warm=np.zeros((n, 3)),
            place=np.zeros((n, 4), np.int64),
            span=np.zeros((n, 4), np.int64),
            offset=np.zeros(n, np.int64),
            linked=np.zeros(n, np.uint8),
            J=np.zeros((n, 4, 3, 3)),
            block=np.zeros((n, 3, 3)),
            slip=np.zeros(n),
            moved=np.zeros((n, 3)),
            target=np.zeros(n),
            approach=np.zeros(n),
            falling=np.zeros(n),
            bias=np.zeros((n, 3)),
            change=np.zeros((n, 3)),
            direction=np.zeros((n, 3)),
            response=self._pool,
            last_h=self._last_h,
        )
        touching = np.zeros((2, n + 1), np.int64)
        used = min(self._touching.shape[1], n + 1)
        touching[:, :used] = self._touching[:, :used]
        self._touching = touching
        self._begun, self._ended = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.ref = contact_rows_ref(self.rows)

    # --- one step ------------------------------------------------------------------------------

    def prepare(self, bodies: Bodies, arrays: StepArrays, h: float, by_node: bool) -> None:
        """Detects the contacts of the coming step of h seconds and loads their rows.

        `by_node` is how solver "pgs" wants them, see `load_contacts`.
        """
        began = time.perf_counter()
        velocity = bodies.velocity.reshape(-1, 6)
        tables = self.shapes.tables()
        status = detect(bodies.position, bodies.orientation, velocity, h, *tables)
        while status != OK:
            self.shapes.grow(status)
            tables = self.shapes.tables()
            status = detect(bodies.position, bodies.orientation, velocity, h, *tables)
        if self.shapes.contacts.gap is not self.rows.gap:
            self._make_rows()
            replace_contacts(arrays.scene, self.ref)
        needed = load_contacts(arrays.bodies, arrays.system_ref, h, by_node, self.ref)
        if needed > len(self._pool):
            self._pool = np.zeros((2 * needed, 3, 3))
            self._make_rows()
            replace_contacts(arrays.scene, self.ref)
            load_contacts(arrays.bodies, arrays.system_ref, h, by_node, self.ref)
        self.seconds += time.perf_counter() - began

    def forget_step(self) -> None:
        """Back to the impulses the last step began with: it was undone."""
        n = max(int(self.rows.count[0]), 0)
        self.rows.mu[:n] = self.rows.warm[:n]

    def note(self) -> None:
        """Appends the events of the step just taken."""
        begun, ended = compare_touching(self.ref, self._touching, self._begun, self._ended)
        contacts = self.shapes.contacts
        for c in self._begun[:begun]:
            self.events.append(
                ContactEvent(
                    "contact_begin",
                    int(contacts.body_a[c]),
                    int(contacts.body_b[c]),
                    contacts.point[c].copy(),
                    float(contacts.impulse[c, 0]),
                )
            )
        bodies = self.shapes.shapes["body"]
        for key in self._ended[:ended].tolist():
            a, b = bodies[key >> SLOT_BITS], bodies[key & ((1 << SLOT_BITS) - 1)]
            self.events.append(ContactEvent("contact_end", int(a), int(b), np.zeros(3), 0.0))

    # --- saving --------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """A copy of everything but working room."""
        saved = {name: _copy(value) for name, value in vars(self.shapes).items() if name != "work"}
        return {
            "shapes": saved,
            "of_body": dict(self._of_body),
            "touching": self._touching.copy(),
            "last_h": float(self._last_h[0]),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Back to a saved state; the scene's rows must be replaced afterwards."""
        for name, value in saved["shapes"].items():
            setattr(self.shapes, name, _copy(value))
        self._of_body = dict(saved["of_body"])
        self._touching = saved["touching"].copy()
        self._last_h[0] = saved["last_h"]
        self._make_rows()


def _copy(value: Any) -> Any:
    """A copy of an array, a tuple of arrays, a list or a dict; numbers as they are."""
    if isinstance(value, tuple):
        return type(value)(*(array.copy() for array in value))
    return value.copy() if hasattr(value, "copy") else value
