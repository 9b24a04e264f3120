"""The world: adding and stepping. The one class most users need."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from physics import state as st
from physics.checks import choice, locks, number, numbers, quaternion, vector
from physics.constraints import JOINTS
from physics.joint_store import (
    make_frame,
)
from physics.mass import UNMOVED, body_mass, particle_mass
from physics.params import PGS_SWEEPS
from physics.records import Handle, JointRecord
from physics.shapes import SHAPES
from physics.world_base import STAGES
from physics.world_hands import Hands
from physics.world_joints import JointAccess
from physics.world_measure import Measuring
from physics.world_soft import SoftAccess
from physics.world_state import StateAccess

PLANAR_LOCKS = "z rx ry"


class World(StateAccess, JointAccess, SoftAccess, Hands, Measuring):
    """A world of bodies, particles and joints that steps through time.

    >>> world = World(rate=60)
    >>> ball = world.add_body("ball", Sphere(0.1), mass=1.0, position=(0, 2, 0))
    >>> world.step(60)
    """

    def add_body(
        self,
        name: str,
        shape: Any,
        *,
        mass: float | None = None,
        density: float | None = None,
        position: Any = (0.0, 0.0, 0.0),
        orientation: Any = (1.0, 0.0, 0.0, 0.0),
        velocity: Any = (0.0, 0.0, 0.0),
        angular_velocity: Any = (0.0, 0.0, 0.0),
        fixed: bool = False,
        keyframed: bool = False,
        friction: float = 0.5,
        restitution: float = 0.0,
        rolling_friction: float = 0.0,
        group: int = 1,
        mask: int = 0xFFFF,
        locked: str = "",
    ) -> Handle:
        """A rigid body. `position` is where its centre of mass is.

        `rolling_friction` is a length: the torque that brakes rolling and spinning, per normal
        force, about the radius of the patch that a soft thing rests on.
        """
        self._check_name(name)
        what = f'of body "{name}"'
        moves = not fixed and not keyframed
        _check_shape(name, shape, moves)
        properties = body_mass(name, shape, mass, density) if moves else UNMOVED
        kind = st.DYNAMIC if moves else st.KEYFRAMED if keyframed else st.STATIC
        free = locks(f"locked {what}", f"{locked} {PLANAR_LOCKS if self.dimension == 2 else ''}")
        pose = (
            vector(f"position {what}", position),
            quaternion(f"orientation {what}", orientation),
            vector(f"velocity {what}", velocity),
            vector(f"angular_velocity {what}", angular_velocity),
        )
        number(f"friction {what}", friction)
        number(f"restitution {what}", restitution)
        number(f"rolling_friction {what}", rolling_friction, "m")
        slot = self._bodies.take_slot()
        self._bodies.fill(slot, kind, shape, properties, *pose, free)
        self._contacts.add(
            slot,
            shape,
            moves,
            keyframed,
            friction=friction,
            restitution=restitution,
            rolling=rolling_friction,
            group=group,
            mask=mask,
        )
        return self._register(name, Handle("body", slot, self._bodies.generation[slot]))

    def add_particle(
        self,
        name: str,
        *,
        mass: float = 1.0,
        position: Any = (0.0, 0.0, 0.0),
        velocity: Any = (0.0, 0.0, 0.0),
        radius: float = 0.0,
        fixed: bool = False,
        friction: float = 0.5,
        group: int = 1,
        mask: int = 0xFFFF,
    ) -> Handle:
        """A point mass."""
        self._check_name(name)
        what = f'of particle "{name}"'
        properties = UNMOVED if fixed else particle_mass(name, mass)
        free = locks(f"locked {what}", PLANAR_LOCKS if self.dimension == 2 else "")
        place, speed = vector(f"position {what}", position), vector(f"velocity {what}", velocity)
        number(f"radius {what}", radius)
        slot = self._bodies.take_slot()
        kind = st.STATIC if fixed else st.PARTICLE
        turn, still = np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3)
        self._bodies.fill(slot, kind, None, properties, place, turn, speed, still, free)
        self._contacts.add_particle(
            slot, radius, not fixed, friction=friction, group=group, mask=mask
        )
        return self._register(name, Handle("particle", slot, self._bodies.generation[slot]))

    def add_particles(
        self,
        names: Sequence[str],
        *,
        position: Any,
        mass: Any = 1.0,
        velocity: Any = (0.0, 0.0, 0.0),
        radius: Any = 0.0,
        fixed: Any = False,
        friction: Any = 0.5,
        group: Any = 1,
        mask: Any = 0xFFFF,
    ) -> list[Handle]:
        """Many point masses at once; every property is one value for all or one for each."""
        n = len(names)
        held = np.broadcast_to(np.asarray(fixed, np.bool_), (n,))
        masses = numbers("mass of particles", mass, (n,))
        if n and masses[~held].min(initial=np.inf) <= 0.0:
            name = names[int(np.flatnonzero((masses <= 0.0) & ~held)[0])]
            raise ValueError(f'mass of particle "{name}" must be above zero')
        places = numbers("position of particles", position, (n, 3))
        speeds = numbers("velocity of particles", velocity, (n, 3))
        sizes = numbers("radius of particles", radius, (n,)).tolist()
        rough = numbers("friction of particles", friction, (n,)).tolist()
        groups = np.broadcast_to(group, (n,)).tolist()
        masks = np.broadcast_to(mask, (n,)).tolist()
        if len(set(names)) < n:
            raise ValueError("two particles have the same name; names must differ")
        for name in names:
            self._check_name(name)
        free = locks("locked of particles", PLANAR_LOCKS if self.dimension == 2 else "")
        slots = self._bodies.fill_particles(masses, held, places, speeds, free)
        surfaces = zip(sizes, rough, groups, masks, (~held).tolist(), strict=True)
        for slot, (size, rub, own, others, moves) in zip(slots, surfaces, strict=True):
            self._contacts.add_particle(slot, size, moves, friction=rub, group=own, mask=others)
        generations = self._bodies.generation
        return [
            self._register(name, Handle("particle", slot, generations[slot]))
            for name, slot in zip(names, slots, strict=True)
        ]

    def add_joint(
        self,
        kind: str,
        a: Handle | str,
        b: Handle | str | None = None,
        *,
        at: Any = None,
        axis: Any = None,
        at_a: Any = None,
        at_b: Any = None,
        name: str | None = None,
        **parameters: Any,
    ) -> Handle:
        """A joint between two bodies, or a body and the world (b=None).

        `at` is the world point it sits at, `axis` its direction; joints with an anchor on each
        body (distance, spring) take `at_a` and `at_b`, by default the bodies' centres.
        """
        choice("joint kind", kind, JOINTS)
        slot_a = self._body_slot(a)
        slot_b = st.WORLD if b is None else self._body_slot(b)
        if slot_a == slot_b:
            raise ValueError(f'joint "{kind}" of {self._describe(a)} with itself; give two bodies')
        checked = JOINTS[kind].check(parameters)
        frame = make_frame(self._bodies, kind, slot_a, slot_b, at, axis, at_a, at_b)
        label = name if name is not None else self._fresh_name(kind)
        self._check_name(label)
        record = JointRecord(kind, slot_a, slot_b, frame, checked)
        slot = self._joints.add(record, JOINTS[kind].build(frame, checked))
        if self._excludes(record):
            self._contacts.shapes.exclude(slot_a, slot_b)
        self._wake_near(slot_a, slot_b)
        self._stepper = None
        return self._register(label, Handle("joint", slot, self._joints.generation[slot]))

    # --- stepping -----------------------------------------------------------------------------

    def step(self, n: int = 1) -> None:
        """Takes n steps of 1/rate seconds."""
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
            raise ValueError(f"cannot take {n!r} steps; time runs forward, in whole steps")
        self._events.clear()
        self._clock[:] = 0
        if self._softs is not None:
            self._softs.seconds = 0.0
        began = time.perf_counter()
        left = n
        while left > 0 and not self.diverged:
            settings = st.Settings(self.h, self._gravity, self._treatment, self._solver, PGS_SWEEPS)
            stepper = self._ensure_stepper()
            done = stepper.run(settings, left)
            if stepper.stale:
                self._stepper = None
            left -= done
            self._ticks += done
            self._break_joints()
            self._take_contact_events()
        self._bodies.arrays.force[:] = 0.0
        self._share_time(time.perf_counter() - began)

    def _break_joints(self) -> None:
        broken = np.flatnonzero(self._joints.arrays.broken)
        for slot in sorted({int(self._joints.arrays.joint[e]) for e in broken}):
            handle = self._joint_handle(slot)
            self._events.append(("broken", handle, self._labels[handle]))
            self._broken.add(handle)
            self.remove(handle)
        self._joints.arrays.broken[:] = 0
        self._counters[st.BROKEN] = 0

    def _take_contact_events(self) -> None:
        for event in self._contacts.events:
            a, b = self._slot_handle(event.a), self._slot_handle(event.b)
            if event.kind == "contact_begin":
                self._events.append((event.kind, a, b, event.point, event.impulse))
            else:
                self._events.append((event.kind, a, b))
        self._contacts.events.clear()

    def _share_time(self, seconds: float) -> None:
        if self._softs is not None:
            self._times["soft"] = self._softs.seconds
            seconds -= self._softs.seconds
        total = max(int(self._clock.sum()), 1)
        for name, cycles in zip(STAGES, self._clock, strict=True):
            self._times[name] = seconds * int(cycles) / total

    def events(self) -> list[tuple[Any, ...]]:
        """What happened in the last call of step.

        ("broken", handle, name), ("contact_begin", a, b, point, impulse), ("contact_end", a, b).
        """
        return list(self._events)

    def is_broken(self, handle: Handle) -> bool:
        return handle in self._broken


def _check_shape(name: str, shape: Any, moves: bool) -> None:
    if not hasattr(shape, "finite_convex"):
        known = ", ".join(kind.__name__ for kind in SHAPES.values())
        raise ValueError(f'body "{name}" needs a shape object ({known}), not {shape!r}')
    if moves and not shape.finite_convex:
        raise ValueError(f'body "{name}" has a {shape.name}, which has no mass; give it fixed=True')
