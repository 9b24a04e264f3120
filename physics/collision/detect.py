"""Collision detection of one step, from poses to contact points: the page to read first."""

from physics.collision.arrays import OK
from physics.collision.broadphase import find_pairs
from physics.collision.narrowphase import find_contacts
from physics.collision.poses import update_poses
from physics.collision.warmstart import keep_old, match_impulses
from physics.collision.ways import add_kept
from physics.jit import kernel


@kernel
def detect(position, orientation, velocity, h, collider):
    """Finds the contacts of the coming step of h seconds; returns OK or what has to grow.

    position (n,3) [m], orientation (n,4), velocity (n,6) [m/s, rad/s] by body slot; collider:
    `ShapeStore.collider()`. Writes its poses, space, work and contacts, whose `impulse` comes in as
    the previous step's result and goes out as the warm start. After GROW_PAIRS or GROW_CONTACTS
    grow (`ShapeStore.grow`) and call again with the new collider.
    """
    pool, excluded, shapes = collider.pool, collider.excluded, collider.shapes
    space, work, contacts = collider.space, collider.work, collider.contacts
    keep_old(contacts)
    contacts.count[0] = -1
    update_poses(position, orientation, velocity, h, pool, space.span[0], shapes)
    status = find_pairs(shapes, excluded, space)
    if status != OK:
        return status
    status = find_contacts(position, h, pool, shapes, space, work[0], contacts)
    if status == OK:
        add_kept(contacts)
        match_impulses(contacts)
    return status
