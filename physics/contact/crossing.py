"""Whether a body's middle went through a surface that nobody had looked at.

Detection looks along the velocity a body has when the step begins. What a joint or a blow takes off
that course within the step may end behind a wall that was never asked. So the way of its middle is
cast as a ray against everything that stands still: it must not end beyond a surface.
"""

import math

from physics.collision.arrays import DEAD, MOVING
from physics.collision.broadphase import may_collide, walks
from physics.collision.rays import ray_meets_box, ray_shape
from physics.collision.tree import skip
from physics.collision.vec import dot, length, load, scale, sub
from physics.jit import kernel
from physics.params import CROSSED_DEPTH, OFF_COURSE, OFF_COURSE_SHARE
from physics.schemes.shared import go_back
from physics.state import BROKEN, REJECTED, STEPS


@kernel
def undone_if_crossed(scene, collider, h):
    """Undoes the step that was just taken if a body crossed something; says whether it did."""
    if scene.counters[BROKEN] > 0 or not crossed(scene, collider, h):
        return False
    go_back(scene.bodies, scene.elements)
    scene.counters[STEPS] -= 1
    scene.counters[REJECTED] = 1
    return True


@kernel
def crossed(scene, collider, h):
    """Whether the middle of a body that left its course ended beyond a surface at rest."""
    bodies, shapes = scene.bodies, collider.shapes
    for s in range(collider.space.span[0]):
        moves = shapes[s].kind != DEAD and shapes[s].movable == MOVING
        if moves and _left_course(bodies, shapes[s].body, h) and _went_through(bodies, collider, s):
            return True
    return False


@kernel
def _left_course(bodies, b, h):
    """Whether a body ended far from where it was heading, for its size."""
    size = bodies.inertia_max[b] / bodies.mass[b]  # radius of gyration, squared
    square = 0.0
    for i in range(3):
        course = bodies.start_position[b, i] + h * bodies.start_velocity[2 * b, i]
        square += (bodies.position[b, i] - course) ** 2
    return square > max(OFF_COURSE_SHARE * OFF_COURSE_SHARE * size, OFF_COURSE * OFF_COURSE)


@kernel
def _went_through(bodies, collider, s):
    """Whether something at rest that shape s may touch lies across its body's way."""
    space, shapes = collider.space, collider.shapes
    b = shapes[s].body
    origin = load(bodies.start_position, b)
    way = sub(load(bodies.position, b), origin)
    size = length(way)
    if size == 0.0:
        return False
    direction = scale(way, 1.0 / size)
    for k in range(1, space.planes[0] + 1):
        if _lies_across(collider, s, space.planes[k], origin, direction, size):
            return True
    leaves, node = space.leaves[0], 1
    while True:
        if ray_meets_box(origin, direction, space.tree_box, node, size):
            if node < leaves:
                node *= 2
                continue
            other = space.order[0, node - leaves]
            if _lies_across(collider, s, other, origin, direction, size):
                return True
        node = skip(node)
        if node == 1:
            return False


@kernel
def _lies_across(collider, s, other, origin, direction, size):
    """Whether the way ends beyond the surface of the other shape, which stands still."""
    shapes = collider.shapes
    if walks(shapes[other]) or not may_collide(collider.excluded, shapes[s], shapes[other]):
        return False
    t, normal = ray_shape(collider.pool, shapes[other], origin, direction, size)
    if not t < math.inf:
        return False
    return (t - size) * dot(direction, normal) > CROSSED_DEPTH
