"""Islands, and which of them are at rest.

An island is what hangs together by joints of any kind and by contacts that carry load: nothing in
it can move without the rest noticing. It may sleep when each of its bodies has been slow, and has
gone nowhere, for some time, and nothing in it is driven from outside.
"""

from physics.jit import kernel
from physics.params import REST_INTERVAL, SLEEP_SPEED, SLEEP_TIME
from physics.solver.graph import root, union
from physics.state import DYNAMIC, GRAB, KEYFRAMED


@kernel
def find_resting(scene, rest, h):
    """Looks at every awake body, each REST_INTERVAL steps; returns how many may sleep.

    Writes rest.still, mark, ready and island, and news[3], the number of islands.
    """
    _time_stillness(scene.bodies, rest, REST_INTERVAL * h)
    parent = scene.label[0]
    _join(scene, rest.still, parent)
    n = len(parent)
    islands = 0
    solved, least = scene.bodies.solved, rest.least
    for b in range(n):
        if solved[2 * b]:
            top = root(parent, b)
            least[top] = rest.still[b] if top == b else min(least[top], rest.still[b])
            islands += top == b
    scene.contacts.news[3] = islands
    ready = 0
    for b in range(n):
        rest.ready[b] = 0
        if solved[2 * b]:
            rest.island[b] = root(parent, b)
            rest.ready[b] = least[rest.island[b]] >= SLEEP_TIME
            ready += rest.ready[b]
    return ready


@kernel
def _time_stillness(bodies, rest, interval):
    """How long each body has been slow and where it was; writes still and mark."""
    v, f, position = bodies.velocity, bodies.force, bodies.position
    for b in range(len(bodies.kind)):
        if not bodies.solved[2 * b]:
            continue
        speed, moved, force = 0.0, 0.0, 0.0
        for c in range(3):
            speed += v[2 * b, c] * v[2 * b, c]
            moved += (position[b, c] - rest.mark[b, c]) ** 2
            force += abs(f[2 * b, c]) + abs(f[2 * b + 1, c])
            rest.mark[b, c] = position[b, c]
        if bodies.kind[b] == DYNAMIC:
            turn = 0.0
            for c in range(3):
                turn += v[2 * b + 1, c] * v[2 * b + 1, c]
            speed += turn * bodies.inertia_max[b] / bodies.mass[b]
        limit = SLEEP_SPEED * SLEEP_SPEED
        calm = speed < limit and moved < limit * interval * interval
        if calm and force == 0.0 and not rest.restless[b]:
            rest.still[b] += interval
        else:
            rest.still[b] = 0.0


@kernel
def _join(scene, still, parent):
    """Union-find over joints and loaded contacts; what is driven is not still. Writes both."""
    bodies, elements, system, rows = scene.bodies, scene.elements, scene.system, scene.contacts
    for b in range(len(parent)):
        parent[b] = system.component[b] if system.component[b] >= 0 else b
    for e in system.unilateral:
        a, b = elements.body[e, 0], elements.body[e, 1]
        if bodies.solved[2 * a] and bodies.solved[2 * b]:
            union(parent, a, b)
        for r in range(3):
            if elements.mode[e, r] == GRAB:
                still[a] = 0.0
    for e in system.driven:
        _disturb(bodies, elements.body[e, 0], elements.body[e, 1], still)
    for c in range(rows.count[0]):
        if rows.mu[c, 0] > 0.0:
            a, b = rows.body_a[c], rows.body_b[c]
            if bodies.solved[2 * a] and bodies.solved[2 * b]:
                union(parent, a, b)
            else:
                _disturb(bodies, a, b, still)


@kernel
def _disturb(bodies, a, b, still):
    """A body that touches or hangs on a moving keyframed one is not still."""
    if _is_driven(bodies, a):
        still[b] = 0.0
    if _is_driven(bodies, b):
        still[a] = 0.0


@kernel
def _is_driven(bodies, b):
    if bodies.kind[b] != KEYFRAMED:
        return False
    for c in range(3):
        if bodies.velocity[2 * b, c] != 0.0 or bodies.velocity[2 * b + 1, c] != 0.0:
            return True
    return False
