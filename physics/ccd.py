"""Continuous collision detection (CCD) at the end of a step: no body may have tunnelled.

Detection looks along the velocity a body has when the step begins (swept shapes, in collision/).
What a joint, a spring or an impact takes off that course within the step may pass a surface that
detection never looked at. So the way that bodies really took, turning included, is cast against
everything (`collision/impact.py`). If one ends within or beyond another, the step is solved once
more with the contacts that detection finds along these ways, and with those that pushed along
earlier ones (`collision/ways.py`). What sinks in even then is left to its contacts; a centre that
ends beyond a surface at rest gets a contact of its own, and only if that does not hold it, either,
its island is frozen.
"""

from physics.collision.arrays import DEAD
from physics.collision.broadphase import may_collide, walks
from physics.collision.impact import Path, mark_passed, thickness
from physics.collision.rays import ray_meets_box, ray_shape
from physics.collision.tolerances import CENTRE_SHARE
from physics.collision.tree import skip
from physics.collision.vec import dot, length, load, scale, sub
from physics.collision.ways import stop_centre
from physics.jit import kernel
from physics.linalg import rotation_between
from physics.params import TUNNELLING_DEPTH
from physics.state import KEYFRAMED

_NOWHERE = (0.0, 0.0, 0.0)


@kernel
def find_tunnelled(scene, collider, h):
    """Bodies that ended beyond a surface that was not looked at; how many.

    Writes scene.label[0] of every body: 1 where it did.
    """
    bodies, mark = scene.bodies, scene.label[0]
    for b in range(len(mark)):
        mark[b] = 0
        if not bodies.solved[2 * b]:
            _keep_start(bodies, b)
    path = Path(
        bodies.frame_position, bodies.frame_orientation, bodies.position, bodies.orientation
    )
    return mark_passed(path, collider, h, TUNNELLING_DEPTH, mark)


@kernel
def _keep_start(bodies, b):
    """Where a body that is not solved for was when the step began; writes frame_position …"""
    keyed = bodies.kind[b] == KEYFRAMED
    for i in range(3):
        place = bodies.key_position[b, i] if keyed else bodies.position[b, i]
        bodies.frame_position[b, i] = place
    for i in range(4):
        turn = bodies.key_orientation[b, i] if keyed else bodies.orientation[b, i]
        bodies.frame_orientation[b, i] = turn


@kernel
def way_velocities(bodies, system, h, out):
    """The velocity and spin that lead every body where the step took it; writes out, per node."""
    for b in system.bodies:
        for c in range(3):
            out[2 * b, c] = (bodies.position[b, c] - bodies.frame_position[b, c]) / h
        x, y, z = rotation_between(bodies.frame_orientation, bodies.orientation, b)
        out[2 * b + 1, 0], out[2 * b + 1, 1], out[2 * b + 1, 2] = x / h, y / h, z / h


@kernel
def find_beyond(scene, collider):
    """Of the bodies that `find_tunnelled` marked those whose centre passed a surface; how many.

    Contacts cannot have stopped them: they turned about what touched, within the step. So their
    centres get contacts, for when the step is solved again. Writes scene.label[0] and contacts.
    """
    bodies, shapes, mark = scene.bodies, collider.shapes, scene.label[0]
    found = 0
    for s in range(collider.space.span[0]):
        b = shapes[s].body
        if shapes[s].kind == DEAD or mark[b] == 0 or not bodies.solved[2 * b]:
            continue
        other, normal, height = _passed_surface(bodies, collider, s)
        if other >= 0:
            mark[b], radius = 2, CENTRE_SHARE * thickness(shapes[s])
            at = bodies.frame_position
            stop_centre(at, shapes, collider.contacts, s, other, normal, height, radius)
    for b in range(len(mark)):
        mark[b] = mark[b] == 2
        found += mark[b]
    return found


@kernel
def _passed_surface(bodies, collider, s):
    """(shape, outward normal, height of the start above it) of what at rest, that shape s may
    touch, lies across its body's path first; -1 if nothing does."""
    space, shapes = collider.space, collider.shapes
    b = shapes[s].body
    origin = load(bodies.frame_position, b)
    way = sub(load(bodies.position, b), origin)
    size = length(way)
    first = (size, -1, _NOWHERE)
    if size > 0.0:
        direction = scale(way, 1.0 / size)
        for k in range(1, space.planes[0] + 1):
            first = _earlier(collider, s, space.planes[k], origin, direction, size, first)
        leaves, node = space.leaves[0], 1
        while True:
            if ray_meets_box(origin, direction, space.tree_box, node, size):
                if node < leaves:
                    node *= 2
                    continue
                other = space.order[0, node - leaves]
                first = _earlier(collider, s, other, origin, direction, size, first)
            node = skip(node)
            if node == 1:
                break
        return first[1], first[2], -first[0] * dot(direction, first[2])
    return -1, _NOWHERE, 0.0


@kernel
def _earlier(collider, s, other, origin, direction, size, first):
    """(distance, shape, normal): `first`, or where the path passes the other shape if it stands
    still, and that is nearer."""
    shapes = collider.shapes
    if walks(shapes[other]) or not may_collide(collider.excluded, shapes[s], shapes[other]):
        return first
    t, normal = ray_shape(collider.pool, shapes[other], origin, direction, size)
    if t < first[0] and (t - size) * dot(direction, normal) > TUNNELLING_DEPTH:
        return t, other, normal
    return first
