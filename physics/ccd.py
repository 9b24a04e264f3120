"""Continuous collision detection (CCD) at the end of a step: no body may have tunnelled.

Detection looks along the velocity a body has when the step begins (swept shapes, in collision/).
What a joint or an impact takes off that course within the step may pass a surface that detection
never looked at. So of bodies that are off their course the path of the centre is cast as a ray
against everything that stands still. If it ends beyond a surface, the step is solved once more with
the contacts that detection finds along the way the bodies took; what passes even then is frozen.
"""

import math

from physics.collision.arrays import DEAD, MOVING
from physics.collision.broadphase import may_collide, walks
from physics.collision.rays import ray_meets_box, ray_shape
from physics.collision.tree import skip
from physics.collision.vec import dot, length, load, scale, sub
from physics.jit import kernel
from physics.params import OFF_COURSE, OFF_COURSE_SHARE, TUNNELLING_DEPTH


@kernel
def find_tunnelled(scene, collider, h):
    """Bodies that left their course and ended beyond a surface at rest; how many.

    Writes scene.label[0] of every body: 1 where it did.
    """
    bodies, shapes, mark = scene.bodies, collider.shapes, scene.label[0]
    for b in range(len(mark)):
        mark[b] = 0
    found = 0
    for s in range(collider.space.span[0]):
        if shapes[s].kind == DEAD or shapes[s].movable != MOVING:
            continue
        b = shapes[s].body
        if mark[b] == 0 and _left_course(bodies, b, h) and _passed_surface(bodies, collider, s):
            mark[b] = 1
            found += 1
    return found


@kernel
def way_velocities(bodies, system, h, out):
    """The velocity that leads every body where the step took it; writes out, per node."""
    for b in system.bodies:
        for c in range(3):
            out[2 * b, c] = (bodies.position[b, c] - bodies.frame_position[b, c]) / h


@kernel
def _left_course(bodies, b, h):
    """Whether a body ended far from where its velocity was leading it, for its size."""
    size = bodies.inertia_max[b] / bodies.mass[b]  # radius of gyration, squared
    allowed = max(OFF_COURSE_SHARE * OFF_COURSE_SHARE * size, OFF_COURSE * OFF_COURSE)
    square = 0.0
    for i in range(3):
        course = bodies.frame_position[b, i] + h * bodies.frame_velocity[2 * b, i]
        square += (bodies.position[b, i] - course) ** 2
    return square > allowed


@kernel
def _passed_surface(bodies, collider, s):
    """Whether something at rest that shape s may touch lies across its body's path."""
    space, shapes = collider.space, collider.shapes
    b = shapes[s].body
    origin = load(bodies.frame_position, b)
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
