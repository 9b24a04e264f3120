"""Islands, and which of them are at rest.

An island is what hangs together by joints of any kind and by contacts that carry load: nothing in
it can move without the rest noticing. It may sleep when each of its bodies has been slow, and has
gone nowhere, for some time, and nothing in it is driven from outside.
"""

from physics.jit import kernel
from physics.params import REST_INTERVAL, SLEEP_SPEED, SLEEP_TIME, WAKE_DISTANCE
from physics.solver.graph import root, union
from physics.state import DYNAMIC, GRAB, ISLANDS, KEYFRAMED


@kernel
def find_resting(scene, sleep, h):
    """Looks at every awake body, each REST_INTERVAL steps; returns how many may sleep.

    Writes sleep.still, mark, ready and island, and status[ISLANDS], their number.
    """
    _time_stillness(scene.bodies, sleep, REST_INTERVAL * h)
    parent = scene.label[0]
    _join(scene, sleep.still, parent)
    n = len(parent)
    islands = 0
    solved, least = scene.bodies.solved, sleep.least
    for b in range(n):
        if solved[2 * b]:
            top = root(parent, b)
            least[top] = sleep.still[b] if top == b else min(least[top], sleep.still[b])
            islands += top == b
    scene.contacts.status[ISLANDS] = islands
    ready = 0
    for b in range(n):
        sleep.ready[b] = 0
        if solved[2 * b]:
            sleep.island[b] = root(parent, b)
            sleep.ready[b] = least[sleep.island[b]] >= SLEEP_TIME
            ready += sleep.ready[b]
    return ready


@kernel
def find_disturbed(rows, sleep, h):
    """Whether a sleeping body is about to be touched; writes sleep.ready of such."""
    found = False
    for c in range(rows.count[0]):
        for b in (rows.body_a[c], rows.body_b[c]):
            if sleep.asleep[b] and rows.gap[c] + h * rows.approach[c] < WAKE_DISTANCE:
                sleep.ready[b] = 1
                found = True
    return found


@kernel
def _time_stillness(bodies, sleep, interval):
    """How long each body has been slow and where it was; writes still and mark."""
    v, f, position = bodies.velocity, bodies.force, bodies.position
    for b in range(len(bodies.kind)):
        if not bodies.solved[2 * b]:
            continue
        speed, moved, force = 0.0, 0.0, 0.0
        for c in range(3):
            speed += v[2 * b, c] * v[2 * b, c]
            moved += (position[b, c] - sleep.mark[b, c]) ** 2
            force += abs(f[2 * b, c]) + abs(f[2 * b + 1, c])
            sleep.mark[b, c] = position[b, c]
        if bodies.kind[b] == DYNAMIC:
            turn = 0.0
            for c in range(3):
                turn += v[2 * b + 1, c] * v[2 * b + 1, c]
            speed += turn * bodies.inertia_max[b] / bodies.mass[b]
        limit = SLEEP_SPEED * SLEEP_SPEED
        calm = speed < limit and moved < limit * interval * interval
        if calm and force == 0.0 and not sleep.restless[b]:
            sleep.still[b] += interval
        else:
            sleep.still[b] = 0.0


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
