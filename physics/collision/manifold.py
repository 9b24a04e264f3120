"""Candidate contact points of one pair, and their reduction to manifolds of at most four.

Candidates lie on the *cores* until `round_off` moves them to the rounded surfaces. Points with
nearly the same normal form a group. Of a group of more than four, the deepest point, the farthest
from it, the one that spans the largest triangle and the one that adds most area on the other side
are kept: that holds the depth and nearly all of the support area.

A rim that leans, as on a slope, needs the point over which it would tip, too: where only the sides
between four other points bear it gives way, sinks in, is pushed out, and so rocks for ever.
"""

import math

from physics.collision.arrays import ROUND
from physics.collision.tolerances import LEANING, ONE_WAY_CONE, ONE_WAY_DEPTH, SAME_NORMAL
from physics.collision.vec import along, cross, dot, load, store, sub, to_world, vector
from physics.jit import kernel

_FREE, _GROUP, _DONE = 0, 1, 2
_CLEARLY = 1e-5  # [m] a later point must be deeper by this much to be preferred: less flicker


@kernel
def mix(a, b):
    """A stable 24-bit number from two numbers."""
    x = a * 0x9E3779B1 + b * 0x85EBCA77 + 0x165667B1
    x ^= x >> 29
    x *= 0x27D4EB2F
    return (x >> 16) & 0xFFFFFF


@kernel
def add_candidate(on_a, on_b, n, gap, feature, work):
    """Appends one point; silently full beyond the capacity, which only dense meshes reach."""
    k = work.count
    if k >= len(work.gap):
        return
    store(on_a, work.on_a, k)
    store(on_b, work.on_b, k)
    store(n, work.normal, k)
    work.gap[k] = gap
    work.id[k] = feature
    work.state[k] = _FREE
    work.count = k + 1


@kernel
def round_off(first, radius_a, radius_b, work):
    """Moves candidates first … from the cores to the surfaces of given rounding radii."""
    for k in range(first, work.count):
        n = load(work.normal, k)
        store(along(load(work.on_a, k), n, -radius_a), work.on_a, k)
        store(along(load(work.on_b, k), n, radius_b), work.on_b, k)
        work.gap[k] -= radius_a + radius_b


@kernel
def shift_back(first, shift, work):
    """Undoes the displacement of a under which candidates first … were found.

    p_a moves back, and the gap grows by what the displacement had closed: gap -= n·shift.
    """
    for k in range(first, work.count):
        store(sub(load(work.on_a, k), shift), work.on_a, k)
        work.gap[k] -= dot(load(work.normal, k), shift)


@kernel
def move_candidate(k, to, work):
    """Writes candidate k over another one, where some are dropped."""
    store(load(work.on_a, k), work.on_a, to)
    store(load(work.on_b, k), work.on_b, to)
    store(load(work.normal, k), work.normal, to)
    work.gap[to] = work.gap[k]
    work.id[to] = work.id[k]


@kernel
def keep_one_way(a, b, touched, work):
    """Drops candidates on a one-way platform that do not come from where it may be touched.

    Of what comes from there, overlaps that were not contacts before are of something that is just
    passing through from the other side.
    """
    kept = 0
    for k in range(work.count):
        n, fits = load(work.normal, k), touched or work.gap[k] > -ONE_WAY_DEPTH
        if a.passes:
            fits = fits and -dot(n, to_world(a.matrix, vector(a.one_way))) > ONE_WAY_CONE
        if b.passes:
            fits = fits and dot(n, to_world(b.matrix, vector(b.one_way))) > ONE_WAY_CONE
        if not fits:
            continue
        move_candidate(k, kept, work)
        kept += 1
    work.count = kept


@kernel
def smallest_gap(first, work):
    gap = math.inf
    for k in range(first, work.count):
        gap = min(gap, work.gap[k])
    return gap


@kernel
def _deepest(state, work):
    best, at = math.inf, -1
    for k in range(work.count):
        if work.state[k] == state and work.gap[k] < best - _CLEARLY:
            best, at = work.gap[k], k
    return at


@kernel
def next_group(work):
    """Marks the free points whose normal agrees with the deepest free one; returns how many."""
    seed = _deepest(_FREE, work)
    if seed < 0:
        return 0
    n = load(work.normal, seed)
    size = 0
    for k in range(work.count):
        if work.state[k] == _FREE and dot(load(work.normal, k), n) > SAME_NORMAL:
            work.state[k] = _GROUP
            size += 1
    return size


@kernel
def _farthest(p, work):
    best, at = -1.0, -1
    for k in range(work.count):
        if work.state[k] == _GROUP:
            d = sub(load(work.on_b, k), p)
            if dot(d, d) > 1.001 * best:
                best, at = dot(d, d), k
    return at


@kernel
def _widest(p, q, n, sign, work):
    """The point with the largest signed area over the line pq."""
    best, at = 0.0, -1
    for k in range(work.count):
        if work.state[k] == _GROUP:
            d = sub(load(work.on_b, k), p)
            area = sign * dot(n, cross(sub(q, p), d))
            if area > 1.001 * best:
                best, at = area, k
    return at


@kernel
def lean(a, b):
    """Where what stands with its rim on fixed ground tends to: its way in the step, else nowhere.

    Of two that rest on each other and move alike the difference is but rounding.
    """
    own, other = vector(a.motion), vector(b.motion)
    if a.kind != ROUND and b.kind != ROUND:
        return (0.0, 0.0, 0.0)
    if dot(own, own) == 0.0:
        return other
    return own if dot(other, other) == 0.0 else (0.0, 0.0, 0.0)


@kernel
def _foremost(way, n, work):
    """The point farthest along `way`, -1 if that goes across the plane of the points."""
    across = dot(way, n)
    aside = along(way, n, -across)
    if dot(aside, aside) <= LEANING * LEANING * across * across:
        return -1
    best, at = -math.inf, -1
    for k in range(work.count):
        if work.state[k] == _GROUP and dot(load(work.on_b, k), aside) > best:
            best, at = dot(load(work.on_b, k), aside), k
    return at


@kernel
def _add_widest(p, q, n, count, work):
    """Picks the point that adds most area beyond the line pq on each of its sides."""
    for sign in (1.0, -1.0):
        k = _widest(p, q, n, sign, work)
        if k >= 0:
            work.picked[count] = k
            count += 1
    return count


@kernel
def _add_around(p, q, n, work):
    """Picks the point that spans the largest triangle with pq, and the one that adds most to it."""
    third, turn = -1, 1.0
    most = 0.0
    for sign in (1.0, -1.0):
        k = _widest(p, q, n, sign, work)
        area = _area(p, q, n, k, work)
        if area > 1.001 * most:
            third, turn, most = k, sign, area
    if third < 0:
        return 2
    work.picked[2] = third
    r = load(work.on_b, third)
    best, fourth = 0.0, -1
    for side in range(3):
        u, v = (p, q) if side == 0 else ((q, r) if side == 1 else (r, p))
        k = _widest(u, v, n, -turn, work)
        area = _area(u, v, n, k, work)
        if area > 1.001 * best:
            best, fourth = area, k
    if fourth < 0:
        return 3
    work.picked[3] = fourth
    return 4


@kernel
def _area(p, q, n, k, work):
    """Twice that of the triangle of p, q and point k along n."""
    return 0.0 if k < 0 else abs(dot(n, cross(sub(q, p), sub(load(work.on_b, k), p))))


@kernel
def pick_four(size, way, work):
    """Writes up to four of the marked group into work.picked; returns how many. Unmarks it.

    `way`: where the pair tends to (`lean`).
    """
    count, chosen = 0, work.picked
    if size <= 4:
        for k in range(work.count):
            if work.state[k] == _GROUP:
                chosen[count] = k
                count += 1
    else:
        first = _deepest(_GROUP, work)
        p, n = load(work.on_b, first), load(work.normal, first)
        second = _foremost(way, n, work)
        leans = second >= 0 and second != first
        if not leans:
            second = _farthest(p, work)
        q = load(work.on_b, second)
        chosen[0], chosen[1] = first, second
        count = _add_around(p, q, n, work) if leans else _add_widest(p, q, n, 2, work)
    for k in range(work.count):
        if work.state[k] == _GROUP:
            work.state[k] = _DONE
    return count
