"""The world: the one class most users need."""

import difflib
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from physics import snapshot as saving
from physics import state as st
from physics.callbacks import KINDS as CALLBACKS
from physics.callbacks import Callbacks, Listener
from physics.checks import choice, flag, number, quaternion, shown, vector, whole
from physics.constraints import JOINTS
from physics.definitions.body_keys import BODY_KEYS, BodyKeys, checked_keys
from physics.definitions.help_texts import explain, joint_docs
from physics.definitions.new_body import (
    free_axes,
    new_body,
    new_particle,
    new_particles,
    rotation_matrix,
)
from physics.definitions.new_soft import checked_soft, make_soft
from physics.deformable import Deformable
from physics.event_log import Event
from physics.joint_store import make_frame
from physics.names import BODIES, KINDS, SOFT
from physics.portable import inverse, transform
from physics.readouts import articulation as dense
from physics.readouts import measure, space_queries
from physics.readouts.measure import statistics
from physics.readouts.world_joints import JointReader
from physics.records import ContactTable, Energy, Handle, Hit, JointInfo, JointRecord, Stats
from physics.shapes import Compound, Part
from physics.shapes.base import Shape
from physics.soft.models import (
    CLOTH_PARAMETERS,
    SOLID_PARAMETERS,
    ClothParameters,
    SolidParameters,
    Spring,
)
from physics.state import Floats, Ints, RowsLike, VectorLike
from physics.stores import Stores

if TYPE_CHECKING:
    from physics.collision.queries import Hit as ShapeHit
    from physics.soft.soft_item import SoftItem

MOST_STEPS = 1_000_000_000  # in one call; 190 days at 60 a second


class World:
    """A world of bodies, particles, joints, cloths and solids that steps through time.

    >>> world = World(rate=60)
    >>> ball = world.add_body("ball", Sphere(0.1), mass=1.0, position=(0, 2, 0))
    >>> world.step(60)

    SI units throughout. Whatever is added has a name and gives a handle; every call takes either.
    A call that cannot do what it is asked raises ValueError (TypeError for what is no handle or
    name at all), and the world stays as it was.

    Settings      rate, gravity, stabilization, solver, sleeping, alpha, dimension; h, time
    Adding        add_body, add_particle, add_particles, add_joint, add_cloth, add_solid, remove
    Names         find, name, handles
    Stepping      step, events, on, off, diverged, frozen, stats
    Motion        position, orientation, velocity, angular_velocity, poses, and set_… of the first
                  four; point_velocity, to_world, to_local; shape, mass, center_of_mass, origin,
                  is_fixed, is_particle
    Acting        apply_force, apply_torque, apply_impulse; grab, move_grab, grab_point,
                  release_grab; wake, asleep
    Joints        joint, set_joint, joint_value, joint_speed, joint_force, motor_force, joint_error,
                  is_broken; articulation, inverse_dynamics
    Soft bodies   soft(handle) gives an object with their methods; world.cut(handle, …) and its
                  like are the same in one call
    Contacts      ignore_contacts, set_surface_velocity, overlaps
    Measuring     energy, constraint_error, contacts, contact_force, raycast, shapecast, overlap,
                  added_by_stabilization
    Saving        snapshot, restore, hash
    """

    __slots__ = (
        "__weakref__", "_bodies", "_callbacks", "_contacts", "_joint_reader", "_joints", "_names",
        "_rest", "_stores",
    )  # fmt: skip

    def __init__(
        self,
        rate: float = 60,
        gravity: VectorLike = (0.0, -9.81, 0.0),
        stabilization: str = "adaptive",
        solver: str = "direct",
        dimension: int = 3,
        sleeping: bool = True,
        alpha: float = 1.0,
    ) -> None:
        stores = Stores(rate, gravity, stabilization, solver, dimension, alpha)
        self._stores = stores
        self._names, self._bodies, self._joints = stores.names, stores.bodies, stores.joints
        self._contacts, self._rest = stores.contacts, stores.rest
        self._joint_reader = JointReader(stores.names, stores.bodies, stores.joints, stores.records)
        self._callbacks = Callbacks()
        self.sleeping = sleeping

    def __repr__(self) -> str:
        kinds = [handle.kind for handle in self.handles()]
        held = [f"{kinds.count(kind)} {plural}" for kind, plural in KINDS.items() if kind in kinds]
        settings = f"{self.rate:g} Hz, {self.stabilization}, {self.solver}"
        return f"World({', '.join(held) or 'empty'}; t = {self.time:.6g} s; {settings})"

    def __setattr__(self, name: str, value: object) -> None:
        if not hasattr(type(self), name):
            settable = ("rate", "gravity", "stabilization", "solver", "sleeping", "alpha")
            near = difflib.get_close_matches(name, settable, 1)
            hint = f'; did you mean "{near[0]}"?' if near else f" (settings: {', '.join(settable)})"
            raise AttributeError(f'a World has no setting "{name}"{hint}')
        super().__setattr__(name, value)

    # --- settings -----------------------------------------------------------------------------

    @property
    def dimension(self) -> int:
        """2 (everything stays in the xy plane) or 3."""
        return self._stores.settings.dimension

    @property
    def rate(self) -> float:
        """Steps per second."""
        return self._stores.time.rate

    @rate.setter
    def rate(self, value: float) -> None:
        before, self._stores.time.rate = self.rate, value
        if self.rate != before:
            self._stores.stepping.drop()  # which springs can be followed depends on it

    @property
    def h(self) -> float:
        """Length of a step, s."""
        return 1.0 / self._stores.time.rate

    @property
    def time(self) -> float:
        """Seconds since the start: whole steps since the rate last changed, so it never drifts."""
        return self._stores.time.now

    @property
    def gravity(self) -> Floats:
        """m/s², a copy; it is set as a whole: world.gravity = (0, -1.6, 0)."""
        return self._stores.settings.shown_gravity()

    @gravity.setter
    def gravity(self, value: VectorLike) -> None:
        gravity = vector("gravity", value)
        if not np.array_equal(gravity, self._stores.settings.gravity):
            self._stores.settings.gravity = gravity
            self._stores.stepping.wake_all()

    @property
    def sleeping(self) -> bool:
        """Whether islands at rest fall asleep and are left out until something disturbs them."""
        return bool(self._rest.enabled[0])

    @sleeping.setter
    def sleeping(self, value: bool) -> None:
        self._rest.enabled[0] = flag("sleeping", value)
        if not value:
            self._stores.stepping.wake_all()

    @property
    def stabilization(self) -> str:
        """none, geometric, inertial, constraint or adaptive."""
        return self._stores.settings.stabilization

    @stabilization.setter
    def stabilization(self, value: str) -> None:
        self._stores.settings.stabilization = value

    @property
    def alpha(self) -> float:
        """How far "inertial" and "constraint" leave stiffness alone [Andrews17, Eq. 10]."""
        return self._stores.settings.alpha

    @alpha.setter
    def alpha(self, value: float) -> None:
        self._stores.settings.alpha = value

    @property
    def solver(self) -> str:
        """direct or pgs."""
        return self._stores.settings.solver

    @solver.setter
    def solver(self, value: str) -> None:
        self._stores.settings.solver = value
        self._stores.stepping.drop()

    # --- adding and removing ------------------------------------------------------------------

    def add_body(
        self,
        name: str,
        shape: Shape | None = None,
        *,
        parts: Iterable[Part] | None = None,
        mass: float | None = None,
        density: float | None = None,
        inertia: VectorLike | RowsLike | None = None,
        center_of_mass: VectorLike | None = None,
        position: VectorLike | None = None,
        origin: VectorLike | None = None,
        orientation: VectorLike = (1.0, 0.0, 0.0, 0.0),
        velocity: VectorLike = (0.0, 0.0, 0.0),
        angular_velocity: VectorLike = (0.0, 0.0, 0.0),
        fixed: bool = False,
        keyframed: bool = False,
        locked: str = "",
        **keys: Unpack[BodyKeys],
    ) -> Handle:
        """A rigid body of one shape, or of several `parts`: Part(shape, position, orientation, …).

        `position` is where its centre of mass is; `origin`, instead, where the origin of its
        shape's own coordinates is. The centre of mass in those coordinates and the inertia about
        it (3 principal values or 3x3, kg m²) are the shape's unless `center_of_mass` and
        `inertia` give others. `locked` names axes, as in "z rx ry". Two bodies collide if the
        `mask` of each has a bit of the other's `group`.
        """
        self._names.check_new(name)
        what = f'of body "{name}"'
        if parts is not None:
            if shape is not None:
                raise ValueError(f"shape and parts {what} both say what it is; give one of them")
            shape = Compound(parts)  # type: ignore[arg-type]
        columns = checked_keys(what, keys)
        body = new_body(
            name, shape, self.dimension, columns, mass=mass, density=density, position=position,
            orientation=orientation, velocity=velocity, angular_velocity=angular_velocity,
            fixed=fixed, keyframed=keyframed, locked=locked, origin=origin, inertia=inertia,
            center_of_mass=center_of_mass,
        )  # fmt: skip
        slot = self._bodies.take_slot()
        driven = body.kind == st.KEYFRAMED
        center = body.mass.center
        self._contacts.add(slot, shape, body.moves, driven, center=center, **columns.shape)
        self._bodies.fill(slot, body)
        return self._register(name, "body", slot, self._bodies.generation[slot])

    def add_particle(
        self,
        name: str,
        *,
        mass: float = 1.0,
        position: VectorLike = (0.0, 0.0, 0.0),
        velocity: VectorLike = (0.0, 0.0, 0.0),
        radius: float = 0.0,
        fixed: bool = False,
        friction: float = 0.5,
        group: int = 1,
        mask: int = 0xFFFF,
    ) -> Handle:
        """A point mass."""
        self._names.check_new(name)
        what = f'of particle "{name}"'
        size = number(f"radius {what}", radius, "m", least=0.0)
        columns = checked_keys(what, {"friction": friction, "group": group, "mask": mask})
        particle = new_particle(
            name, self.dimension, columns, mass=mass, position=position, velocity=velocity,
            fixed=fixed,
        )  # fmt: skip
        slot = self._bodies.take_slot()
        self._contacts.add_particle(slot, size, particle.moves, **columns.shape)
        self._bodies.fill(slot, particle)
        return self._register(name, "particle", slot, self._bodies.generation[slot])

    def add_particles(
        self,
        names: Sequence[str],
        *,
        position: RowsLike,
        mass: float | VectorLike = 1.0,
        velocity: VectorLike | RowsLike = (0.0, 0.0, 0.0),
        radius: float | VectorLike = 0.0,
        fixed: bool | Sequence[bool] | NDArray[np.bool_] = False,
        friction: float | VectorLike = 0.5,
        group: int | Sequence[int] | Ints = 1,
        mask: int | Sequence[int] | Ints = 0xFFFF,
    ) -> list[Handle]:
        """Many point masses at once; every property is one value for all or one for each."""
        new = new_particles(
            names, mass=mass, fixed=fixed, position=position, velocity=velocity, radius=radius,
            friction=friction, group=group, mask=mask,
        )  # fmt: skip
        for name in new.names:
            self._names.check_new(name)
        self._contacts.shapes.check_room(len(new.names))
        free = free_axes("of particles", "", self.dimension)
        slots = self._bodies.fill_particles(new.mass, new.held, new.position, new.velocity, free)
        movable = (~new.held).tolist()
        for slot, size, moves, surface in zip(
            slots, new.radius, movable, new.surfaces, strict=True
        ):
            self._contacts.add_particle(slot, size, moves, **surface)
        generations = self._bodies.generation
        return [
            self._register(name, "particle", slot, generations[slot])
            for name, slot in zip(new.names, slots, strict=True)
        ]

    def add_joint(
        self,
        kind: str,
        a: Handle | str,
        b: Handle | str | None = None,
        *,
        at: VectorLike | None = None,
        axis: VectorLike | None = None,
        at_a: VectorLike | None = None,
        at_b: VectorLike | None = None,
        name: str | None = None,
        **parameters: Any,
    ) -> Handle:
        """A joint between two bodies, or a body and the world (b=None).

        `at` is the world point it sits at, `axis` its direction; joints with an anchor on each
        body (distance, spring) take `at_a` and `at_b`, by default the bodies' centres.

        Coordinates, limits, motors and servos count how b turns or slides about the axis of a.
        With one body they count how that body does against the world: `add_joint("hinge", door)`
        is `add_joint("hinge", frame, door)` with a fixed frame.
        """
        choice("joint kind", kind, JOINTS)
        slot_a = self._names.body(a)
        slot_b = st.WORLD if b is None else self._names.body(b)
        if slot_a == slot_b:
            itself = self._names.resolve(a).name
            raise ValueError(f'joint "{kind}" of "{itself}" with itself; give two bodies')
        checked = JOINTS[kind].check(parameters)
        frame = make_frame(self._bodies, kind, slot_a, slot_b, at, axis, at_a, at_b)
        label = name if name is not None else self._fresh_name(kind)
        self._names.check_new(label)
        record = JointRecord(kind, *JOINTS[kind].ends(slot_a, slot_b), frame, checked)
        self._stores.stepping.synchronise_bodies(self.h, slot_a, slot_b)
        slot = self._joints.add(record, JOINTS[kind].build(frame, checked))
        if not record.lets_collide:
            self._contacts.shapes.exclude(slot_a, slot_b)
        self._stores.stepping.wake_near(slot_a, slot_b)
        return self._register(label, "joint", slot, self._joints.generation[slot])

    def add_cloth(
        self,
        name: str,
        *,
        size: Sequence[float] = (1.0, 1.0),
        rows: int = 20,
        columns: int = 20,
        mesh: tuple[RowsLike, RowsLike] | None = None,
        position: VectorLike = (0.0, 0.0, 0.0),
        orientation: VectorLike = (1.0, 0.0, 0.0, 0.0),
        velocity: VectorLike = (0.0, 0.0, 0.0),
        mass: float = 1.0,
        model: str = "links",
        pins: Iterable[int] = (),
        springs: Iterable[Spring] = (),
        start: RowsLike | None = None,
        breaks_at: float | None = None,
        stepping: str = "conserving",
        radius: float = 0.01,
        friction: float = 0.5,
        group: int = 1,
        mask: int = 0xFFFF,
        self_collision: bool = False,
        **parameters: Unpack[ClothParameters],
    ) -> Handle:
        """A cloth: a grid of rows x columns nodes in its own xy plane, or `mesh` = (nodes, cells).

        `pins` are nodes held in place, `springs` hold others to points of the world. `start` (n, 3)
        is where they are at first, if not at rest. A thread tears at `breaks_at` N. Without
        `damping`, `stepping` "conserving" keeps energy ("euler", "servin", "spook": linear steps of
        the papers). `radius` (m) is kept from other surfaces, and twice that from itself with
        `self_collision`. `model` "links" is of distance links and takes the first four of these
        numbers; "membrane", triangles, and "quads" take the others:
        """
        return self._add_soft("cloth", name, locals())

    def add_solid(
        self,
        name: str,
        *,
        size: Sequence[float] = (1.0, 1.0, 1.0),
        cells: Sequence[int] = (4, 4, 4),
        ball: float | None = None,
        mesh: tuple[RowsLike, RowsLike] | None = None,
        position: VectorLike = (0.0, 0.0, 0.0),
        orientation: VectorLike = (1.0, 0.0, 0.0, 0.0),
        velocity: VectorLike = (0.0, 0.0, 0.0),
        material: str = "auto",
        elements: str = "hexahedra",
        pins: Iterable[int] = (),
        stepping: str = "conserving",
        radius: float = 0.0,
        friction: float = 0.5,
        group: int = 1,
        mask: int = 0xFFFF,
        **parameters: Unpack[SolidParameters],
    ) -> Handle:
        """An elastic solid: a box of `size` cut into `cells`, a `ball` of that radius, or `mesh`.

        Boxes and balls are of `elements` "hexahedra", which bend and twist as they should, linear
        "tetrahedra", "springs", "volumes"; `mesh` = (nodes, cells). With `damping` a mode of
        angular frequency ω has a loss factor of ω times it; without it `stepping` "conserving"
        keeps the energy. `material`: "stvk" has Green strain as compliant rows [Servin06], for
        strains that stay small; "corotational" and "neo_hookean" bear any. "auto": stvk from
        0.1 GPa on, else corotational. Strain beyond `yield_strain` stays, `creep` of the excess.
        """
        return self._add_soft("solid", name, locals())

    def _add_soft(self, kind: str, name: str, given: Mapping[str, Any]) -> Handle:
        self._names.check_new(name)
        item = make_soft(kind, name, checked_soft(kind, name, self.dimension, given))
        return self._register(name, kind, self._stores.softs.add(item), 0)

    def remove(self, handle: Handle | str) -> None:
        """Removes a joint, a cloth or solid, or a body with all its joints."""
        target = self._names.resolve(handle)
        if target.kind in BODIES:
            self._remove_body(target)
        elif target.kind in SOFT:
            for number in self._stores.hands.on_soft(target.slot):
                self._forget_grab(number)
            self._stores.softs.remove(target.slot)
            self._names.forget(target)
        elif target.kind == "grab":
            self.release_grab(target)
        else:
            self._remove_joint(target.slot)
            self._names.forget(target)
        self._stores.stepping.drop()

    def _remove_body(self, target: Handle) -> None:
        slot = target.slot
        self._stores.stepping.wake_near(slot)
        grabs = {self._stores.hands.joint(n): n for n in self._stores.hands.on_body(slot)}
        for joint in self._joints.of_body(slot):
            if joint in grabs:
                self._forget_grab(grabs[joint])
            else:
                self.remove(self._joint_handle(joint))
        self._contacts.remove(slot)
        if slot < len(self._rest.asleep):  # before the first step nobody has slept
            self._rest.forget(slot)
        self._bodies.release(slot)
        self._stores.softs.forget_body(slot)
        self._names.forget(target)

    def _remove_joint(self, slot: int) -> None:
        record = self._joints.joints[slot]
        self._stores.stepping.wake_near(record.a, record.b)
        self._stores.stepping.synchronise_bodies(self.h, record.a, record.b)
        if not record.lets_collide:
            self._contacts.shapes.include(record.a, record.b)
        self._joints.remove(slot)

    def _register(self, name: str, kind: str, slot: int, generation: int) -> Handle:
        self._stores.stepping.drop()
        return self._names.add(name, kind, slot, generation)

    def _fresh_name(self, kind: str) -> str:
        return self._names.fresh(kind, len(self._joints.generation) + sum(self._joints.generation))

    # --- names and handles --------------------------------------------------------------------

    def find(self, name: str) -> Handle:
        """The handle of what has that name."""
        return self._names.find(name)

    def name(self, handle: Handle) -> str:
        """The name of what a handle stands for."""
        return self._names.resolve(handle).name

    def handles(self, kind: str | None = None) -> list[Handle]:
        """All handles, or those of one kind (body, particle, joint, grab, cloth, solid), in order
        of their slots."""
        return self._names.handles(None if kind is None else choice("kind", kind, KINDS))

    def _body_handle(self, slot: int) -> Handle | None:
        if slot == st.WORLD:
            return None
        return self._names.at(BODIES, slot, self._bodies.generation[slot])

    def _joint_handle(self, slot: int) -> Handle:
        found = self._names.at(("joint",), slot, self._joints.generation[slot])
        assert found is not None
        return found

    # --- stepping -----------------------------------------------------------------------------

    def step(self, n: int = 1) -> None:
        """Takes n steps of 1/rate seconds."""
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
            raise ValueError(f"cannot take {shown(n)} steps; time runs forward, in whole steps")
        left = whole("n", n, 0, MOST_STEPS)
        self._callbacks.check_not_telling()
        if self._callbacks and left > 1:
            return self._step_and_tell(left)
        stores = self._stores
        stores.events.clear()
        stores.records.cycles[:] = 0
        stores.softs.start_clock()
        began = time.perf_counter()
        while left > 0 and not self.diverged:
            done = stores.stepping.run(self.h, left)
            left -= done
            stores.time.advance(done)
            self._break_joints()
            self._take_contact_events()
            self._report_frozen()
        self._bodies.arrays.force[:] = 0.0
        stores.records.share(time.perf_counter() - began, stores.softs.seconds)
        if self._callbacks and n:
            self._callbacks.tell(stores.events.latest())
        return None

    def _step_and_tell(self, n: int) -> None:
        """One by one, so that every listener hears of a step before the next is taken."""
        force = self._bodies.arrays.force.copy()
        happened: list[Event] = []
        for _ in range(n):
            if self.diverged:
                break
            if len(force) == len(self._bodies.arrays.force):
                self._bodies.arrays.force[:] = force  # it acts during the whole call
            self.step()
            happened += self._stores.events.latest()
        self._stores.events.keep(happened)

    def on(self, kind: str, function: Listener) -> None:
        """Call a function after every step in which something happened.

        contact_begin(a, b, point, impulse), contact_end(a, b), broken(handle, name), and step()
        after every step. It may change the world, but not step it; `off` takes it away again.
        Listeners are no part of snapshots.
        """
        self._callbacks.add(choice("kind of event", kind, CALLBACKS), function)

    def off(self, function: Listener) -> None:
        """No longer call a function that `on` was given."""
        self._callbacks.remove(function)

    def _break_joints(self) -> None:
        broken = np.flatnonzero(self._joints.arrays.broken)
        for slot in sorted({int(self._joints.arrays.joint[e]) for e in broken}):
            handle = self._joint_handle(slot)
            self._stores.events.add_broken(handle)
            self.remove(handle)
        self._joints.arrays.broken[:] = 0
        self._stores.records.counters[st.BROKEN] = 0

    def _report_frozen(self) -> None:
        """An event for every island that begins to stand still."""
        new = self._stores.events.newly_frozen(np.flatnonzero(self._bodies.arrays.frozen).tolist())
        if handles := tuple(h for slot in new if (h := self._body_handle(slot)) is not None):
            self._stores.events.add("frozen", handles)

    @property
    def frozen(self) -> tuple[Handle, ...]:
        """Bodies that stood still in the last step, because it had no solution for their island: a
        joint that cannot close, or a body wedged between things that do not give way."""
        slots = np.flatnonzero(self._bodies.arrays.frozen).tolist()
        return tuple(h for slot in slots if (h := self._body_handle(slot)) is not None)

    def _take_contact_events(self) -> None:
        for event in self._contacts.events:
            a, b = self._body_handle(event.a), self._body_handle(event.b)
            if event.kind == "contact_begin":
                self._stores.events.add(event.kind, a, b, event.point, event.impulse)
            else:
                self._stores.events.add(event.kind, a, b)
        self._contacts.events.clear()

    def events(self) -> list[Event]:
        """What happened in the last call of step.

        ("broken", handle, name), ("contact_begin", a, b, point, impulse), ("contact_end", a, b),
        ("frozen", handles) when an island begins to stand still: see `frozen`.
        """
        return self._stores.events.latest()

    @property
    def diverged(self) -> bool:
        """Whether a step without the guard ran away; the last finite state is kept."""
        return self._stores.records.diverged

    @property
    def stats(self) -> Stats:
        """How the steps so far were solved."""
        return statistics(self._stores)

    # --- motion of bodies ---------------------------------------------------------------------

    def position(self, handle: Handle | str) -> Floats:
        """Centre of mass, m."""
        return self._bodies.arrays.position[self._names.body(handle)].copy()

    def orientation(self, handle: Handle | str) -> Floats:
        """Unit quaternion (w, x, y, z)."""
        return self._bodies.arrays.orientation[self._names.body(handle)].copy()

    def velocity(self, handle: Handle | str) -> Floats:
        """Of the centre of mass, m/s."""
        return self._stores.stepping.reported(self.h)[2 * self._names.body(handle)].copy()

    def angular_velocity(self, handle: Handle | str) -> Floats:
        """World axes, rad/s."""
        return self._stores.stepping.reported(self.h)[2 * self._names.body(handle) + 1].copy()

    def point_velocity(self, handle: Handle | str, point: VectorLike) -> Floats:
        """Of the point of a body that is at a world point now, m/s."""
        arm = vector("point", point) - self.position(handle)
        return self.velocity(handle) + np.cross(self.angular_velocity(handle), arm)

    def to_world(self, handle: Handle | str, point: VectorLike) -> Floats:
        """Where a point given in a body's own axes, from its centre of mass, is in the world, m."""
        return self._bodies.to_world(self._names.body(handle), vector("point", point))

    def to_local(self, handle: Handle | str, point: VectorLike) -> Floats:
        """Where a point of the world is in a body's own axes, from its centre of mass, m."""
        return self._bodies.to_local(self._names.body(handle), vector("point", point))

    def poses(self) -> tuple[Floats, Floats]:
        """Positions (n, 3) and orientations (n, 4) of all slots; row = handle.slot."""
        return self._bodies.arrays.position.copy(), self._bodies.arrays.orientation.copy()

    def set_position(self, handle: Handle | str, value: VectorLike) -> None:
        """Puts the centre of mass somewhere, m."""
        slot, place = self._names.body(handle), vector("position", value)
        self._stores.stepping.wake_near(slot)
        self._bodies.arrays.position[slot] = place

    def set_orientation(self, handle: Handle | str, value: VectorLike) -> None:
        """Turns a body to a unit quaternion (w, x, y, z)."""
        slot, turn = self._names.body(handle), quaternion("orientation", value)
        self._stores.stepping.wake_near(slot)
        self._bodies.arrays.orientation[slot] = turn
        self._bodies.arrays.rotation[slot] = rotation_matrix(turn)

    def set_velocity(self, handle: Handle | str, value: VectorLike) -> None:
        """Of the centre of mass, m/s."""
        self._set_node(2 * self._names.body(handle), vector("velocity", value))

    def set_angular_velocity(self, handle: Handle | str, value: VectorLike) -> None:
        """World axes, rad/s."""
        self._set_node(2 * self._names.body(handle) + 1, vector("angular_velocity", value))

    def _set_node(self, node: int, value: Floats) -> None:
        bodies = self._bodies.arrays
        if bodies.kind[node // 2] == st.STATIC:
            raise ValueError("a fixed body has no velocity; make it keyframed to move it")
        if not np.array_equal(value, bodies.velocity[node]):
            self._stores.stepping.wake_near(node // 2)
        self._stores.stepping.synchronise_bodies(self.h, node // 2)
        bodies.velocity[node] = value * (bodies.free[node] if bodies.solved[node] else 1.0)
        bodies.mean_velocity[node], bodies.mean_excess[node] = bodies.velocity[node], 0.0

    def center_of_mass(self, handle: Handle | str) -> Floats:
        """Centre of mass of a body in its shape's own coordinates, m: there it has its position."""
        center = self._bodies.centers[self._names.body(handle)]
        return np.zeros(3) if center is None else np.array(center)

    def origin(self, handle: Handle | str) -> Floats:
        """Where the origin of a body's shape is, m."""
        slot = self._names.body(handle)
        return self._bodies.to_world(slot, -self.center_of_mass(handle))

    def set_surface_velocity(self, handle: Handle | str, velocity: VectorLike) -> None:
        """How fast the surface of a body runs against it, m/s in body axes: a conveyor belt."""
        slot = self._names.body(handle)
        self._contacts.set_belt(slot, vector("surface_velocity", velocity))
        self._stores.stepping.wake_near(slot)

    def ignore_contacts(self, a: Handle | str, b: Handle | str, ignored: bool = True) -> None:
        """Two bodies pass through each other from now on; with ignored=False no longer."""
        slots = self._names.body(a), self._names.body(b)
        if slots[0] == slots[1]:
            raise ValueError("a body never touches itself; give two bodies")
        self._contacts.set_ignored(*slots, flag("ignored", ignored))
        self._stores.stepping.drop()
        self._stores.stepping.wake_near(*slots)

    def shape(self, handle: Handle | str) -> Shape | None:
        """The shape object of a body; None for a particle."""
        return self._bodies.shapes[self._names.body(handle)]

    def mass(self, handle: Handle | str) -> float:
        """kg; infinite for what is fixed or keyframed."""
        target = self._names.resolve(handle)
        if target.kind in SOFT:
            return self.soft(target).mass()
        return float(self._bodies.arrays.mass[self._names.body(target)]) or float("inf")

    def is_fixed(self, handle: Handle | str) -> bool:
        """Whether a body or particle never moves."""
        return bool(self._bodies.arrays.kind[self._names.body(handle)] == st.STATIC)

    def is_particle(self, handle: Handle | str) -> bool:
        """Whether it is a point mass."""
        return self._names.resolve(handle).kind == "particle"

    # --- acting on bodies ---------------------------------------------------------------------

    def apply_force(
        self, handle: Handle | str, force: VectorLike, at: VectorLike | None = None
    ) -> None:
        """A force in N at a world point (default: the centre), during the next call of step."""
        slot, push = self._names.body(handle), vector("force", force)
        arm = None if at is None else vector("at", at) - self._bodies.arrays.position[slot]
        self._stores.stepping.wake_near(slot)
        self._bodies.arrays.force[2 * slot] += push
        if arm is not None:
            self._bodies.arrays.force[2 * slot + 1] += np.cross(arm, push)

    def apply_torque(self, handle: Handle | str, torque: VectorLike) -> None:
        """A torque in N m, during the next call of step."""
        slot, turn = self._names.body(handle), vector("torque", torque)
        self._stores.stepping.wake_near(slot)
        self._bodies.arrays.force[2 * slot + 1] += turn

    def apply_impulse(
        self, handle: Handle | str, impulse: VectorLike, at: VectorLike | None = None
    ) -> None:
        """An impulse in N s at a world point: changes the velocity at once.

        A cloth or solid takes it with the nodes around that point, which must be given.
        """
        target, push = self._names.resolve(handle), vector("impulse", impulse)
        place = None if at is None and target.kind not in SOFT else vector("at", at)
        if target.kind in SOFT and place is not None:
            return self._stores.softs.items[target.slot].push(push, place)
        slot, bodies = self._names.body(target), self._bodies.arrays
        if not bodies.solved[2 * slot]:
            raise ValueError(f'"{target.name}" does not move freely; it takes no impulse')
        self._stores.stepping.wake_near(slot)
        self._stores.stepping.synchronise_bodies(self.h, slot)
        bodies.velocity[2 * slot] += push / bodies.mass[slot] * bodies.free[2 * slot]
        if place is not None and bodies.solved[2 * slot + 1]:
            R = bodies.rotation[slot]
            twist = transform(R.T, np.cross(place - bodies.position[slot], push))
            turn = transform(R, transform(inverse(bodies.inertia[slot]), twist))
            bodies.velocity[2 * slot + 1] += turn * bodies.free[2 * slot + 1]
        return None

    def grab(self, handle: Handle | str, point: VectorLike) -> Handle:
        """Takes hold of a body at a world point with a spring scaled by the mass it meets.

        Of a cloth or solid it takes the nearest node.
        """
        target, place = self._names.resolve(handle), vector("point", point)
        if target.kind in SOFT:
            number = self._stores.hands.take_soft(target.slot, place)
        else:
            slot = self._names.body(target)
            number = self._stores.hands.take_body(slot, place)
            self._stores.stepping.wake_near(slot)
        return self._register(self._fresh_name("grab"), "grab", number, 0)

    def move_grab(self, grab: Handle | str, target: VectorLike) -> None:
        """Moves the hand to a world point."""
        self._stores.hands.move(self._names.grab(grab), vector("target", target))

    def grab_point(self, grab: Handle | str) -> Floats:
        """Where that which the hand holds is now, m."""
        return self._stores.hands.point(self._names.grab(grab))

    def release_grab(self, grab: Handle | str) -> None:
        """Lets go."""
        number = self._names.grab(grab)
        body = self._stores.hands.body(number)
        if body is not None:
            self._stores.stepping.wake_near(body)
            self._stores.stepping.drop()
        self._forget_grab(number)

    def _forget_grab(self, number: int) -> None:
        self._stores.hands.release(number)
        self._names.forget(Handle("grab", number, 0))

    def wake(self, handle: Handle | str | None = None) -> None:
        """Wakes a body with its island and whatever sleeps against it; without a handle all."""
        stepping = self._stores.stepping
        stepping.wake_all() if handle is None else stepping.wake_near(self._names.body(handle))

    def asleep(self, handle: Handle | str) -> bool:
        """Whether a body sleeps: it rests, and is left out of the steps until it is disturbed."""
        slot = self._names.body(handle)
        return slot < len(self._rest.asleep) and bool(self._rest.asleep[slot])

    # --- joints -------------------------------------------------------------------------------

    def joint(self, handle: Handle | str) -> JointInfo:
        """Where a joint is now, and its parameters."""
        return self._joint_reader.info(self._names.joint(handle))

    def set_joint(self, handle: Handle | str, **parameters: Any) -> None:
        """Changes parameters while running: motor speed, servo target, length, breaking force."""
        slot = self._names.joint(handle)
        record = self._joints.joints[slot]
        collided = record.lets_collide
        if self._joints.change(slot, parameters):
            self._stores.stepping.drop()
        if record.lets_collide != collided:
            shapes = self._contacts.shapes
            (shapes.exclude if collided else shapes.include)(record.a, record.b)
            self._stores.stepping.drop()
        self._stores.stepping.wake_near(record.a, record.b)

    def joint_value(self, handle: Handle | str) -> float:
        """Free coordinate: angle (rad), slide (m) or length (m).

        Of a gear it is the turn of body a, of an epicyclic one against the line of the centres.
        """
        return self._joint_reader.value(self._names.joint(handle))

    def joint_speed(self, handle: Handle | str) -> float:
        """How fast `joint_value` changes, rad/s or m/s."""
        return self._joint_reader.speed(self._names.joint(handle), self._motion)

    def _motion(self, handle: Handle) -> tuple[Floats, Floats]:
        return self.velocity(handle), self.angular_velocity(handle)

    def motor_force(self, handle: Handle | str) -> float:
        """Force (N) or torque (N m) of motor and servo along a joint's coordinate, last step."""
        return self._joint_reader.motor_force(self._names.joint(handle))

    def articulation(self, handle: Handle | str) -> dense.Articulation:
        """What hangs together with a body, dense; without motors, servos, limits and ropes."""
        return dense.matrices(self._stores, handle, self._motion)

    def inverse_dynamics(self, accelerations: Mapping[Handle | str, float]) -> dict[Handle, float]:
        """Forces (N, N m) on joint coordinates that give these accelerations (m/s², rad/s²),
        against gravity, applied forces and springs. Joints that are not named are free to move."""
        return dense.inverse_dynamics(self._stores, accelerations, self._motion)

    def joint_force(self, handle: Handle | str) -> tuple[Floats, Floats]:
        """Force (N) and torque about the anchor (N m) that the joint put on body a last step."""
        return self._joint_reader.force(self._names.joint(handle))

    def joint_error(self, handle: Handle | str) -> float:
        """Largest |φ| of the joint's hard translational rows, m."""
        return self._joint_reader.error(self._names.joint(handle))

    def is_broken(self, handle: Handle) -> bool:
        """Whether that joint broke; it is not in the world any more then."""
        return self._stores.events.has_broken(self._names.known(handle))

    # --- soft bodies --------------------------------------------------------------------------

    def soft(self, handle: Handle | str) -> Deformable:
        """A cloth or solid as an object: positions, velocities, cut, pin, attach …"""
        return Deformable(handle, self._names, self._bodies, self._stores.softs)

    def soft_body(self, handle: Handle | str) -> "SoftItem":
        """The parts behind a cloth or solid, for tools that draw or test."""
        return self.soft(handle).item

    def node_positions(self, handle: Handle | str) -> Floats:
        """(n, 3) of a cloth or solid, m."""
        return self.soft(handle).positions()

    def node_velocities(self, handle: Handle | str) -> Floats:
        """(n, 3) of a cloth or solid, m/s."""
        return self.soft(handle).velocities()

    def triangles(self, handle: Handle | str) -> NDArray[np.int64]:
        """(t, 3) surface of a cloth or solid: see `Deformable.triangles`."""
        return self.soft(handle).triangles()

    def strain(self, handle: Handle | str) -> float:
        """Largest stretch (l - L)/L of the threads of a cloth, or of the edges of a solid."""
        return self.soft(handle).strain()

    def springs(self, handle: Handle | str) -> list[tuple[int, Floats]]:
        """Node and fixed end of every spring that holds a cloth to the world."""
        return self.soft(handle).springs()

    def thread_force(self, handle: Handle | str) -> float:
        """Largest tension in a link of a cloth, N."""
        return self.soft(handle).thread_force()

    def is_torn(self, handle: Handle | str) -> bool:
        """Whether anything of a cloth or solid has torn or been cut."""
        return self.soft(handle).is_torn()

    def threads(self, handle: Handle | str) -> NDArray[np.int64]:
        """(n, 2) nodes that the links of a cloth join, without those that are torn or cut."""
        return self.soft(handle).threads()

    def cut_threads(self, handle: Handle | str) -> NDArray[np.int64]:
        """(n, 2) nodes that links joined before they were torn or cut."""
        return self.soft(handle).cut_threads()

    def cut_elements(self, handle: Handle | str) -> NDArray[np.int64]:
        """Numbers of the triangles of a membrane or tetrahedra of a solid that were cut out."""
        return self.soft(handle).cut_elements()

    def pinned_nodes(self, handle: Handle | str) -> NDArray[np.int64]:
        """Nodes that are held in place."""
        return self.soft(handle).pinned()

    def mass_near(self, handle: Handle | str, point: VectorLike) -> float:
        """What an impulse at a point of a cloth or solid meets, kg."""
        return self.soft(handle).mass_near(point)

    def seams(self, handle: Handle | str, body: Handle | str) -> Floats:
        """(n, 3) m: where a soft body is held to a rigid one."""
        return self.soft(handle).seams(body)

    def pin_nodes(
        self, handle: Handle | str, nodes: Iterable[int], velocity: VectorLike = (0, 0, 0)
    ) -> None:
        """Hold nodes where they are, or move them at a velocity from now on."""
        self.soft(handle).pin(nodes, velocity)

    def pin_near(self, handle: Handle | str, point: VectorLike) -> bool:
        """Hold the node nearest to a point where it is, or let it go; whether it is held now."""
        return self.soft(handle).pin_near(point)

    def free_nodes(self, handle: Handle | str, nodes: Iterable[int]) -> None:
        """Let pinned nodes go."""
        self.soft(handle).free(nodes)

    def attach(
        self,
        handle: Handle | str,
        nodes: Iterable[int],
        body: Handle | str,
        breaks_at: float = np.inf,
    ) -> None:
        """Sew nodes to a rigid body where they are; `breaks_at` is the force of one node, N."""
        self.soft(handle).attach(nodes, body, breaks_at)

    def attach_points(
        self,
        handle: Handle | str,
        points: RowsLike,
        body: Handle | str,
        breaks_at: float = np.inf,
    ) -> None:
        """Hold points of a soft body to a rigid one: see `Deformable.attach_points`."""
        self.soft(handle).attach_points(points, body, breaks_at)

    def detach(self, handle: Handle | str, body: Handle | str) -> None:
        """Unpick everything that holds the soft body to a rigid one."""
        self.soft(handle).detach(body)

    def cut(self, handle: Handle | str, a: VectorLike, b: VectorLike, normal: VectorLike) -> int:
        """Cut a cloth or solid along the segment a to b: see `Deformable.cut`."""
        return self.soft(handle).cut(a, b, normal)

    def remove_elements(self, handle: Handle | str, numbers: Iterable[int]) -> None:
        """Cut elements out, as `cut_elements` lists them."""
        self.soft(handle).remove_elements(numbers)

    def sever(self, handle: Handle | str, pairs: RowsLike) -> None:
        """Cut the links between pairs of nodes (n, 2), as `cut_threads` lists them."""
        self.soft(handle).sever(pairs)

    def set_nodes(self, handle: Handle | str, positions: RowsLike, velocities: RowsLike) -> None:
        """Put all nodes somewhere and set them in motion."""
        self.soft(handle).set_nodes(positions, velocities)

    def set_soft_solver(self, handle: Handle | str, solver: str) -> None:
        """auto, direct, iterative, or to compare with "cg", "minres": `Deformable.set_solver`."""
        self.soft(handle).set_solver(solver)

    def set_wind(
        self,
        handle: Handle | str,
        wind: VectorLike,
        *,
        density: float = 1.2,
        normal_drag: float = 1.2,
        tangent_drag: float = 0.05,
    ) -> None:
        """Air that moves with `wind` (m/s) around a cloth or solid; drag acts on its surface."""
        self.soft(handle).set_wind(
            wind, density=density, normal_drag=normal_drag, tangent_drag=tangent_drag
        )

    # --- measuring ----------------------------------------------------------------------------

    def energy(self) -> Energy:
        """Mechanical energy of everything that moves; potential is zero at the origin."""
        return measure.energy(self._stores)

    def constraint_error(self) -> float:
        """Largest |φ| over hard translational rows of bilateral joints and over seams, m."""
        return measure.constraint_error(self._stores)

    def contacts(self) -> ContactTable:
        """The contact points of the last step, one record each.

        Fields: a, b (body slots), point, normal (from b to a), depth (m, negative: apart),
        impulse (N s along the normal), friction (N s, world vector on a).
        """
        return measure.contacts(self._stores)

    def contact_force(self, handle: Handle | str, other: Handle | str | None = None) -> Floats:
        """Net force of rigid contacts on a body in the last step, N; or of those with `other`."""
        slot = self._names.body(handle)
        against = None if other is None else self._names.body(other)
        return measure.contact_force(self._stores, slot, against)

    def added_by_stabilization(self) -> tuple[Floats, Floats]:
        """Inertia that stabilization added in the last step over the body's own, per body slot (the
        larger of moving and turning), and damping per joint slot, N s/m or N m s/rad."""
        return measure.added_by_stabilization(self._stores)

    def raycast(
        self, origin: VectorLike, direction: VectorLike, max_distance: float = 1e3
    ) -> Hit | None:
        """The first body a ray meets."""
        shapes = self._contacts.shapes
        return self._hit(
            space_queries.first_on_ray(shapes, self._bodies, origin, direction, max_distance)
        )

    def shapecast(
        self,
        shape: Shape,
        position: VectorLike,
        motion: VectorLike,
        orientation: VectorLike = (1.0, 0.0, 0.0, 0.0),
    ) -> Hit | None:
        """The first body that a convex shape meets when moved by `motion`.

        Of the hit, `point` is where the shape's origin is then, `distance` how far it came.
        """
        shapes = self._contacts.shapes
        return self._hit(
            space_queries.first_on_way(shapes, self._bodies, shape, position, motion, orientation)
        )

    def overlaps(self, least: float = 1e-4) -> list[tuple[Handle, Handle, float]]:
        """Every two bodies that overlap by more than `least` metres and may touch, and how deep."""
        depth = number("least", least, "m", least=0.0)
        found = space_queries.overlapping(self._contacts.shapes, self._bodies, depth)
        named = [(self._body_handle(a), self._body_handle(b), depth) for a, b, depth in found]
        return [(a, b, depth) for a, b, depth in named if a is not None and b is not None]

    def _hit(self, found: "ShapeHit | None") -> Hit | None:
        handle = None if found is None else self._body_handle(found.body)
        if found is None or handle is None:
            return None
        return Hit(handle, found.point, found.normal, found.distance, found.part)

    def overlap(self, center: VectorLike, radius: float) -> list[Handle]:
        """Bodies that meet a ball, in the order of their slots."""
        slots = space_queries.within_ball(self._contacts.shapes, self._bodies, center, radius)
        found = (self._body_handle(int(slot)) for slot in slots)
        return [handle for handle in found if handle is not None]

    # --- saving -------------------------------------------------------------------------------

    def snapshot(self) -> saving.Saved:
        """Everything needed to come back to this moment."""
        return saving.take(self._names.world, self._stores.by_name())

    def restore(self, snapshot: saving.Saved, *, twin: bool = False) -> None:
        """Back to the moment of a snapshot of this world, bit by bit.

        With `twin` it may be one of another world that was built alike, as two sessions of one
        level are; that world's handles are valid here, too, from then on.
        """
        stores = self._stores.by_name()
        saving.check(self._names.world, stores, snapshot, flag("twin", twin))
        saving.put_back(stores, snapshot)

    def hash(self) -> str:
        """Hex digest of the state: equal states, to the last bit, have equal hashes."""
        return measure.state_hash(self._stores)


explain(World.add_body, BodyKeys, BODY_KEYS)
explain(World.add_cloth, ClothParameters, CLOTH_PARAMETERS)
explain(World.add_solid, SolidParameters, SOLID_PARAMETERS)
World.add_joint.__doc__ = f"{World.add_joint.__doc__}\n{joint_docs()}\n"
