"""When do two convex shapes in straight relative motion first touch (conservative advancement).

At distance d with unit normal n, no point can close the gap faster than the motion's component
along -n, because the shapes lie on either side of the plane through the closest point. So advancing
by d / (-n·motion) never passes the touch, and repeating it converges to it from outside. A fast
body gets its contact points at the touch, displaced back to now: the contact then says how far it
may still go along the normal it will really meet, not along the way to a corner it would miss.
"""

from physics.collision.gjk import distance
from physics.collision.tolerances import SWEEP_TARGET
from physics.collision.vec import add, dot, load, scale, store
from physics.jit import kernel

_MAX_ITERATIONS = 40


@kernel
def displace(points, shift):
    """Moves all points by shift."""
    for k in range(len(points)):
        store(add(load(points, k), shift), points, k)


@kernel
def advance(a, b, motion, radii, work):
    """(touch, time in [0, 1], normal from b to a, point on the core of a at the touch).

    Core a moves by `motion` from time 0 to 1 and is left where they touch. The normal is zero if
    the cores overlap from the start.
    """
    time = 0.0
    none = (0.0, 0.0, 0.0)
    for _ in range(_MAX_ITERATIONS):
        gap, apart, on_a = distance(a, b, work)
        if gap == 0.0:
            return True, time, none, on_a
        n = scale(apart, 1.0 / gap)
        if gap - radii <= SWEEP_TARGET:
            return True, time, n, on_a
        closing = -dot(n, motion)
        if closing * (1.0 - time) < gap - radii - SWEEP_TARGET:
            return False, 1.0, n, on_a
        ahead = (gap - radii - 0.5 * SWEEP_TARGET) / closing
        time += ahead
        displace(a.points, scale(motion, ahead))
    return True, time, n, on_a
