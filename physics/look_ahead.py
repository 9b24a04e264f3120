"""Where bodies would fly in the coming step, before it is solved: detection sweeps along that.

What is not looked at is not seen: a spring or a motor that throws a ball within the step would
throw it through what it has not come near yet.
"""

from physics.constraints.rows.distance import geometry
from physics.jit import kernel
from physics.linalg import cross
from physics.state import LENGTH, TRANSLATES


@kernel
def look_ahead(scene, settings):
    """The velocities with which bodies would fly through the coming step; writes bodies.ahead.

    Detection sweeps along them: without what falls and is pushed within the step it would be late.
    """
    _fly(scene.bodies, settings.gravity, settings.h, scene.bodies.ahead)
    _look_along_springs(scene.bodies, scene.elements, scene.system, settings.h)


@kernel
def _fly(bodies, gravity, h, out):
    """What gravity and forces from outside do alone; writes out, per node."""
    for b in range(len(bodies.kind)):
        for c in range(3):
            fall = 0.0
            if bodies.solved[2 * b]:
                pull = bodies.force[2 * b, c] + bodies.soft_force[2 * b, c]
                fall = bodies.gravity_scale[b] * gravity[c] + pull / bodies.mass[b]
                fall *= bodies.lag[b] + 0.5 * h
            out[2 * b, c] = bodies.velocity[2 * b, c] + fall * bodies.free[2 * b, c]
            out[2 * b + 1, c] = bodies.velocity[2 * b + 1, c]


@kernel
def _look_along_springs(bodies, elements, system, h):
    """What springs add within the step, each as if it were alone; writes bodies.ahead.

    By backward Euler, which never throws farther than to the rest length.
    """
    for e in system.stiffness:
        _look_along(bodies, elements, e, h, bodies.ahead)
    for e in system.bilateral:
        if elements.stiffness[e] > 0.0:
            _look_along(bodies, elements, e, h, bodies.ahead)


@kernel
def _look_along(bodies, elements, e, h, out):
    """Writes out of both bodies of one spring."""
    if not (elements.traits[e, 0] & LENGTH and elements.traits[e, 0] & TRANSLATES):
        return
    ax, ay, az, bx, by, bz, ux, uy, uz, length = geometry(e, bodies, elements)
    phi = length - elements.rest[e, 0]
    if elements.tension_only[e] and phi < 0.0:
        return
    a, b = elements.body[e, 0], elements.body[e, 1]
    w, o = out[2 * a + 1], out[2 * b + 1]
    cx, cy, cz = cross(w[0], w[1], w[2], ax, ay, az)
    dx, dy, dz = cross(o[0], o[1], o[2], bx, by, bz)
    speed = ux * (out[2 * a, 0] + cx - out[2 * b, 0] - dx)
    speed += uy * (out[2 * a, 1] + cy - out[2 * b, 1] - dy)
    speed += uz * (out[2 * a, 2] + cz - out[2 * b, 2] - dz)
    mobility, kick = 0.0, 0.5 * h
    for body in (a, b):
        if bodies.solved[2 * body]:
            mobility += 1.0 / bodies.mass[body]
            kick = max(kick, bodies.lag[body] + 0.5 * h)
    k, c = elements.stiffness[e], elements.damper[e]
    force = -(k * (phi + h * speed) + c * speed) / (1.0 + kick * (h * k + c) * mobility)
    for side in range(2):
        body, sign = elements.body[e, side], 1.0 - 2.0 * side
        if bodies.solved[2 * body]:
            push = sign * kick * force / bodies.mass[body]
            out[2 * body, 0] += push * ux * bodies.free[2 * body, 0]
            out[2 * body, 1] += push * uy * bodies.free[2 * body, 1]
            out[2 * body, 2] += push * uz * bodies.free[2 * body, 2]
