"""Continuous collision detection (CCD) at the end of a step: no body may have tunnelled.

Detection looks along the velocity a body has when the step begins (swept shapes, in collision/).
What a joint, a spring or an impact takes off that course within the step may pass a surface that
detection never looked at. So the way that bodies really took, turning included, is cast against
everything (`collision/impact.py`). If one ends within or beyond another, the step is solved once
more with the contacts that detection finds along these ways; what passes even then is frozen.
"""

from physics.collision.impact import Path, mark_passed
from physics.jit import kernel
from physics.params import TUNNELLING_DEPTH
from physics.state import KEYFRAMED


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
    """The velocity that leads every body where the step took it; writes out, per node."""
    for b in system.bodies:
        for c in range(3):
            out[2 * b, c] = (bodies.position[b, c] - bodies.frame_position[b, c]) / h
