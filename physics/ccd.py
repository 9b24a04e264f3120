"""Continuous collision detection (CCD) at the end of a step: no body may have tunnelled.

Detection looks along the velocity a body has when the step begins (swept shapes, in collision/).
What a joint or an impact takes off that course within the step may pass a surface that detection
never looked at. So

    course       a body that ended far off its course is refused: such a step must be shorter
    tunnelling   of the others that are off their course, the path of the centre is cast as a ray
                 against everything that stands still: it must not end beyond a surface
"""

import math

from physics.collision.arrays import DEAD, MOVING
from physics.collision.broadphase import may_collide, walks
from physics.collision.rays import ray_meets_box, ray_shape
from physics.collision.tree import skip
from physics.collision.vec import dot, length, load, scale, sub
from physics.jit import kernel
from physics.params import (
    COURSE_ALONE_SHARE,
    COURSE_FREE,
    COURSE_JOINTED,
    COURSE_UNTOUCHED,
    OFF_COURSE,
    OFF_COURSE_SHARE,
    TUNNELLING_DEPTH,
)
from physics.rollback import roll_back
from physics.state import BROKEN, DYNAMIC, KEYFRAMED, REJECTED, STEPS


@kernel
def roll_back_if_tunnelled(scene, collider, h):
    """Rolls the step that was just taken back if a body tunnelled; returns whether it did."""
    if scene.counters[BROKEN] > 0 or not tunnelled(scene, collider, h):
        return False
    roll_back(scene.bodies, scene.elements)
    scene.counters[STEPS] -= 1
    scene.counters[REJECTED] = 1
    return True


@kernel
def tunnelled(scene, collider, h):
    """Whether the centre of a body that left its course ended beyond a surface at rest."""
    bodies, shapes = scene.bodies, collider.shapes
    for s in range(collider.space.span[0]):
        moves = shapes[s].kind != DEAD and shapes[s].movable == MOVING
        left = moves and _left_course(bodies, shapes[s].body, h)
        if left and _passed_surface(bodies, collider, s):
            return True
    return False


@kernel
def _left_course(bodies, b, h):
    """Whether a body ended far from where it was heading, for its size."""
    size = bodies.inertia_max[b] / bodies.mass[b]  # radius of gyration, squared
    allowed = max(OFF_COURSE_SHARE * OFF_COURSE_SHARE * size, OFF_COURSE * OFF_COURSE)
    return _off_course(bodies, b, h) > allowed


@kernel
def _off_course(bodies, b, h):
    """Square of how far a body ended from where its velocity at the start was leading it, m²."""
    square = 0.0
    for i in range(3):
        course = bodies.start_position[b, i] + h * bodies.start_velocity[2 * b, i]
        square += (bodies.position[b, i] - course) ** 2
    return square


@kernel
def _passed_surface(bodies, collider, s):
    """Whether something at rest that shape s may touch lies across its body's path."""
    space, shapes = collider.space, collider.shapes
    b = shapes[s].body
    origin = load(bodies.start_position, b)
    way = sub(load(bodies.position, b), origin)
    size = length(way)
    if size == 0.0:
        return False
    direction = scale(way, 1.0 / size)
    for k in range(1, space.planes[0] + 1):
        if _ends_beyond(collider, s, space.planes[k], origin, direction, size):
            return True
    leaves, node = space.leaves[0], 1
    while True:
        if ray_meets_box(origin, direction, space.tree_box, node, size):
            if node < leaves:
                node *= 2
                continue
            other = space.order[0, node - leaves]
            if _ends_beyond(collider, s, other, origin, direction, size):
                return True
        node = skip(node)
        if node == 1:
            return False


@kernel
def _ends_beyond(collider, s, other, origin, direction, size):
    """Whether the path ends beyond the surface of the other shape, which stands still."""
    shapes = collider.shapes
    if walks(shapes[other]) or not may_collide(collider.excluded, shapes[s], shapes[other]):
        return False
    t, normal = ray_shape(collider.pool, shapes[other], origin, direction, size)
    if not t < math.inf:
        return False
    return (t - size) * dot(direction, normal) > TUNNELLING_DEPTH


@kernel
def stayed_on_course(scene, h):
    """Whether no body ended so far off its course that detection cannot have looked there.

    Beside contacts jointed bodies are held to their own size; where nothing was near, only to what
    could cross a room.
    """
    bodies = scene.bodies
    alone = max(COURSE_FREE, COURSE_ALONE_SHARE * h * _fastest_start(bodies))
    for b in range(len(bodies.kind)):
        if bodies.kind[b] == DYNAMIC and not _kept_course(scene, b, h, alone):
            return False
    return True


@kernel
def _kept_course(scene, b, h, alone):
    """Whether a body ended near where it was heading; `alone`: m for one without joints."""
    bodies, rows, span = scene.bodies, scene.contacts, scene.system.span
    square = _off_course(bodies, b, h)
    if span[b, 1] - span[b, 0] <= 2:
        return square <= alone * alone
    if rows.count[0] == 0:
        return square <= COURSE_FREE * COURSE_FREE
    size = bodies.inertia_max[b] / bodies.mass[b]  # radius of gyration, squared
    small = square <= max(size, COURSE_UNTOUCHED * COURSE_UNTOUCHED)
    return square <= COURSE_JOINTED * COURSE_JOINTED and (small or _is_pushed(rows, b))


@kernel
def _fastest_start(bodies):
    """Largest speed of a body at the start of the step, m/s."""
    worst = 0.0
    v = bodies.start_velocity
    for b in range(len(bodies.kind)):
        if bodies.kind[b] >= KEYFRAMED:
            worst = max(worst, v[2 * b, 0] ** 2 + v[2 * b, 1] ** 2 + v[2 * b, 2] ** 2)
    return math.sqrt(worst)


@kernel
def _is_pushed(rows, b):
    """Whether a contact pushes the body: then it is that which took it off its course."""
    for c in range(rows.count[0]):
        if (rows.body_a[c] == b or rows.body_b[c] == b) and rows.mu[c, 0] > 0.0:
            return True
    return False
