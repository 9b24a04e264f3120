"""The Python side of contacts: shapes of the bodies, detection before a step, events after it."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from physics.collision import GROW_PAIRS, OK, Contacts, ShapeStore, detect
from physics.collision.arrays import DEAD, DRIVEN, FEATURE_BITS, MOVING, SLOT_BITS, SPHERE, UNMOVED
from physics.contact.contact_rows import load_contacts, response_blocks
from physics.contact.events import ContactEvent, compare_touching
from physics.contact.packed import PACKED
from physics.jit.threads import new_board
from physics.params import ANDERSON_DEPTH, DIRECT_CONTACTS, LANES
from physics.schema import allocate
from physics.shapes import Part, parts_of
from physics.state import (
    BEGUN,
    ENDED,
    EXIT,
    GROW_RESPONSE,
    ISLANDS,
    MAY_TOUCH,
    Bodies,
    Bytes,
    ContactRows,
    Ints,
)
from physics.structs import StepArrays, contact_rows_ref, replace_contacts

_FIRST_POOL = 64
# what contact rows have in common with the contacts that detection finds
_SHARED = tuple(name for name in ContactRows._fields if name in Contacts._fields)
_EXACT_SEARCH = 64  # shapes up to which it is worth looking for a single pair that may touch


class ContactStore:
    """Owns the shapes and the contact rows of a world."""

    def __init__(self) -> None:
        self.shapes = ShapeStore()
        self.events: list[ContactEvent] = []
        self._of_body: dict[int, list[int]] = {}
        self._ignored: dict[tuple[int, int], bool] = {}  # pairs that never touch by request
        self._pool = np.zeros((_FIRST_POOL, 3, 3))
        self._last_h = np.zeros(1)
        self.tolerance_scale = np.ones(1)  # factor on the tolerances of the sweeps
        self._touching = np.zeros((2, 1), np.int64)
        self._status = np.zeros(5, np.int64)
        self._bounded = 0
        self._board = new_board()
        self._make_rows()

    # --- shapes --------------------------------------------------------------------------------

    def add(
        self,
        body: int,
        shape: Any,
        movable: bool,
        driven: bool = False,
        *,
        center: Any,
        **surface: Any,
    ) -> None:
        """The shapes of a body, `center` of their common axes at the body's position.

        Adds all of them or, if one is refused, none.
        """
        kind = MOVING if movable else DRIVEN if driven else UNMOVED
        self.shapes.check_room(len(parts_of(shape)))
        slots: list[int] = []
        try:
            for k, part in enumerate(parts_of(shape)):
                own = {key: value for key, value in _own_surface(part) if value is not None}
                slots.append(
                    self.shapes.add(
                        part.shape, body, movable=kind, offset=np.array(part.position) - center,
                        rotation=part.orientation, part=k, **(surface | own),
                    )
                )  # fmt: skip
        except ValueError:
            for slot in slots:
                self.shapes.remove(slot)
            raise
        self._of_body[body] = slots

    def add_particle(self, body: int, radius: float, movable: bool, **surface: Any) -> None:
        self._of_body[body] = [self.shapes.add_particle(body, radius, movable=movable, **surface)]

    def remove(self, body: int) -> None:
        slots = self._of_body.pop(body, [])
        for pair in [pair for pair in self._ignored if body in pair]:
            self.set_ignored(*pair, False)
        for slot in slots:
            self.shapes.remove(slot)
        live = self._pairs()
        gone = np.isin(live >> SLOT_BITS, slots) | np.isin(live & ((1 << SLOT_BITS) - 1), slots)
        self._set_pairs(live[~gone])

    def set_ignored(self, a: int, b: int, ignored: bool) -> None:
        """Whether two bodies never touch, whatever joints, groups and masks say."""
        pair = (min(a, b), max(a, b))
        if ignored and pair not in self._ignored:
            self._ignored[pair] = True
            self.shapes.exclude(a, b)
        elif not ignored and self._ignored.pop(pair, False):
            self.shapes.include(a, b)

    def set_belt(self, body: int, velocity: Any) -> None:
        """Velocity of the surface of a body, body axes."""
        for slot in self._of_body.get(body, ()):
            self.shapes.set_belt(slot, velocity)

    def set_movable(self, bodies: Any, kind: int) -> None:
        """How the shapes of these bodies take part in detection (UNMOVED … DRIVEN)."""
        slots = [slot for body in bodies.tolist() for slot in self._of_body.get(body, ())]
        self.shapes.shapes["movable"][slots] = kind

    def may_touch(self) -> bool:
        """Whether any two shapes could ever touch; decided by groups, masks and joints.

        Writes it for the kernels too.
        """
        shapes = self.shapes.shapes
        live = shapes[shapes["kind"] != DEAD]
        point = (live["kind"] == SPHERE) & (live["radius"] == 0.0)
        many = len(live) > _EXACT_SEARCH
        if many:  # one of each sort against each other, whatever joints say
            fields = [live["group"], live["mask"], live["movable"], point]
            _, first = np.unique(np.stack(fields, 1), axis=0, return_index=True)
            live, point = live[first], point[first]
        group, mask, body, movable = (live[k] for k in ("group", "mask", "body", "movable"))
        fits = ((group[:, None] & mask) != 0) & ((group & mask[:, None]) != 0)
        fits &= (movable[:, None] + movable > 0) & ~(point[:, None] & point)
        if not many:
            low, high = np.minimum(body[:, None], body), np.maximum(body[:, None], body)
            fits &= ~np.isin((low << 32) | high, self.shapes.excluded)
            fits &= body[:, None] != body
        self._status[MAY_TOUCH] = fits.any()
        return bool(self._status[MAY_TOUCH])

    def _pairs(self) -> Ints:
        """Keys of the pairs that touch, ascending."""
        return self._touching[0, 1 : self._touching[0, 0] + 1]

    def _set_pairs(self, keys: Ints) -> None:
        if len(keys) >= self._touching.shape[1]:
            self.shapes.make_room(len(keys))
            self._make_rows()
        self._touching[0, 1 : len(keys) + 1] = keys
        self._touching[0, 0] = len(keys)

    # --- rows ----------------------------------------------------------------------------------

    def _make_rows(self) -> None:
        """Rows for the present capacity of contacts."""
        given = self.shapes.contacts
        n = len(given.gap)
        touching = np.zeros((2, n + 1), np.int64)
        used = min(self._touching.shape[1], n + 1)
        touching[:, :used] = self._touching[:, :used]
        self._touching = touching
        shared = {name: getattr(given, name) for name in _SHARED}
        own = {
            "mu": given.impulse,
            "inverse": self._pool,
            "response": self._pool,
            "reads": np.zeros((2, 1), np.int64),  # of the system that is solved
            "last_h": self._last_h,
            "tolerance_scale": self.tolerance_scale,
            "board": self._board,
            "touching": self._touching,
            "status": self._status,
        }
        sizes = {"d": ANDERSON_DEPTH, "k": DIRECT_CONTACTS, "l": LANES, "p": PACKED}
        self.rows = allocate(ContactRows, shared | own, c=n, b=self._bounded, **sizes)
        self.ref = contact_rows_ref(self.rows)

    def fit(self, bounded: int) -> bool:
        """Room for that many bounded rows beside the contacts; True if the rows were replaced."""
        if bounded <= self._bounded:
            return False
        self._bounded = bounded
        self._make_rows()
        return True

    # --- one step ------------------------------------------------------------------------------

    def detect(self, bodies: Bodies, arrays: StepArrays, h: float, by_node: bool) -> None:
        """Detects the contacts of the coming step of h seconds, along `bodies.ahead`; loads rows.

        `by_node` is how solver "pgs" wants them, see `load_contacts`.
        """
        velocity = bodies.ahead.reshape(-1, 6)
        state = (bodies.position, bodies.orientation, velocity, h)
        status = detect(*state, self.shapes.collider())
        while status != OK:
            self.grow(status, arrays)
            status = detect(*state, self.shapes.collider())
        if load_contacts(arrays.bodies, arrays.system_ref, h, by_node, self.ref) > len(self._pool):
            self.grow(GROW_RESPONSE, arrays)
            load_contacts(arrays.bodies, arrays.system_ref, h, by_node, self.ref)

    def grow(self, status: int, arrays: StepArrays) -> None:
        """Makes room for what `detect` (GROW_PAIRS, GROW_CONTACTS) or the rows need."""
        if status == GROW_RESPONSE:
            rows, n = self.rows, int(self.rows.count[0]) - 1
            needed = int(rows.offset[n] + response_blocks(self.ref, n))
            self._pool = np.zeros((2 * needed, 3, 3))
        else:
            self.shapes.grow(status)
        if status != GROW_PAIRS:
            self._make_rows()
            replace_contacts(arrays.scene, self.ref)

    def roll_back(self) -> None:
        """Back to the impulses that the last step was warm-started with."""
        n = max(int(self.rows.count[0]), 0)
        self.rows.mu[:n] = self.rows.warm[:n]

    def compare_touching(self) -> None:
        """Finds what began and ceased to touch, after a step outside the compiled loop."""
        self._status[[BEGUN, ENDED]] = compare_touching(self.ref)

    def record_events(self) -> None:
        """Appends the events found since the last call."""
        begun, ended = self._status[[BEGUN, ENDED]].tolist()
        self._status[[BEGUN, ENDED]] = 0
        contacts = self.shapes.contacts
        for c in self.rows.begun[:begun]:
            self.events.append(
                ContactEvent(
                    "contact_begin",
                    int(contacts.body_a[c]),
                    int(contacts.body_b[c]),
                    contacts.point[c].copy(),
                    float(contacts.struck[c, 0]),
                )
            )
        bodies = self.shapes.shapes["body"]
        for key in self.rows.ended[:ended].tolist():
            a, b = bodies[key >> SLOT_BITS], bodies[key & ((1 << SLOT_BITS) - 1)]
            self.events.append(ContactEvent("contact_end", int(a), int(b), np.zeros(3), 0.0))

    @property
    def exit_status(self) -> int:
        """Why the compiled loop over steps returned."""
        return int(self._status[EXIT])

    @property
    def islands(self) -> int:
        """How many there were when last counted."""
        return int(self._status[ISLANDS])

    # --- sleeping ------------------------------------------------------------------------------

    def take_aside(self, asleep: Bytes, kind: Bytes) -> tuple[dict[str, Any], Ints]:
        """Removes the contacts of sleeping bodies; returns them, and their touching pairs."""
        n = max(int(self.rows.count[0]), 0)
        contacts = _rows(self.shapes.contacts)
        a, b = self.rows.body_a[:n], self.rows.body_b[:n]
        out = (asleep[a] | asleep[b]) != 0
        taken = {name: array[:n][out] for name, array in contacts.items()}
        pairs = np.unique((taken["feature"] >> np.uint64(FEATURE_BITS)).astype(np.int64))
        self._write({name: array[:n][~out] for name, array in contacts.items()})
        live = self._pairs()
        parted = np.isin(live, pairs)
        kept = live[~parted]
        taken_pairs = live[parted].copy()
        self._set_pairs(kept)
        return taken, taken_pairs

    def bring_back(self, returned: dict[str, Any], pairs: Ints) -> None:
        """Puts contacts taken aside back in their order, in place of what was found meanwhile."""
        n = max(int(self.rows.count[0]), 0)
        shift = np.uint64(FEATURE_BITS)
        contacts = {name: array[:n] for name, array in _rows(self.shapes.contacts).items()}
        new = ~np.isin(contacts["feature"] >> shift, returned["feature"] >> shift)
        merged = {
            name: np.concatenate([array[new], returned[name]]) for name, array in contacts.items()
        }
        order = np.argsort(merged["feature"] >> shift, kind="stable")
        self._write({name: array[order] for name, array in merged.items()})
        self._set_pairs(np.union1d(self._pairs(), pairs))

    def _write(self, contacts: dict[str, Any]) -> None:
        """The given rows become the list of contacts."""
        n = len(contacts["gap"])
        if n > len(self.rows.gap):
            self.shapes.make_room(n)
            self._make_rows()
        for name, array in _rows(self.shapes.contacts).items():
            array[:n] = contacts[name]
        self.rows.count[0] = n

    # --- saving --------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """A copy of everything but working room."""
        room = ("work", "_collider")
        saved = {k: _copy(value) for k, value in vars(self.shapes).items() if k not in room}
        return {
            "shapes": saved,
            "of_body": {body: list(slots) for body, slots in self._of_body.items()},
            "ignored": dict(self._ignored),
            "touching": self._touching.copy(),
            "last_h": float(self._last_h[0]),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Back to a saved state; the scene's rows must be replaced afterwards."""
        for name, value in saved["shapes"].items():
            setattr(self.shapes, name, _copy(value))
        self._of_body = {body: list(slots) for body, slots in saved["of_body"].items()}
        self._ignored = dict(saved["ignored"])
        self._touching = saved["touching"].copy()
        self._last_h[0] = saved["last_h"]
        self._make_rows()


def _own_surface(part: Part) -> Iterable[tuple[str, float | None]]:
    """What a part says of its surface, by the names of `ShapeStore.add`."""
    yield "friction", part.friction
    yield "restitution", part.restitution
    yield "rolling", part.rolling_friction


def _rows(contacts: Contacts) -> dict[str, Any]:
    """The arrays with one row per contact of this step."""
    named = contacts._asdict().items()
    return {name: array for name, array in named if name != "count" and "old" not in name}


def _copy(value: Any) -> Any:
    """A copy of an array, a tuple of arrays, a list or a dict; numbers as they are."""
    if isinstance(value, tuple):
        return type(value)(*(array.copy() for array in value))
    return value.copy() if hasattr(value, "copy") else value
