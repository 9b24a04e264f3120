"""[Lecture] and [Notes]: stability limits of integrators, and ways to hold constraints."""

import math

import numpy as np

from physics import World
from sandbox.reproduce import nets
from sandbox.reproduce.item import SHOWN, Chart, Result, Series, holds, item, near, short

STEPPERS: dict[str, nets.Stepper] = {
    "explicit Euler": nets.explicit_euler,
    "midpoint": nets.midpoint,
    "Runge-Kutta 4": nets.runge_kutta_4,
    "symplectic Euler": nets.symplectic_euler,
    "Verlet (leapfrog)": nets.leapfrog,
    "linearly implicit": nets.linearly_implicit,
    "backward Euler": nets.backward_euler,
    "regularised": nets.regularised,
}
LIMITS = {  # hω up to which a harmonic oscillator does not grow
    "explicit Euler": 0.0,
    "midpoint": (8.0 * math.log(1.05) / 400) ** 0.25,  # it grows by hω⁴/8 a step, however small
    "Runge-Kutta 4": 2.0 * math.sqrt(2.0),
    "symplectic Euler": 2.0,
    "Verlet (leapfrog)": 2.0,
}
OMEGA = 10.0  # rad/s


def oscillator() -> nets.Net:
    """A mass on a spring along x, drawn out by 1 % of its length: as good as harmonic."""
    x = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    net = nets.Net(x, np.array([[1, 0]]), np.array([OMEGA**2]), np.ones(2), [0], gravity=0.0)
    net.position = x + np.array([[0.0, 0, 0], [0.01, 0, 0]])
    return net


def _grows(stepper: nets.Stepper, h: float, steps: int = 400) -> bool:
    """Whether the largest stretch of the last steps is above that of the first."""
    places, energies = nets.run(oscillator(), stepper, h, steps * h)
    if not energies or not math.isfinite(energies[-1]):
        return True
    stretch = np.array([abs(x[1, 0] - 1.0) for x in places])
    if float(stretch.max()) > 0.3:  # thirty times what it began with: no harmonic motion any more
        return True
    return float(stretch[-50:].max()) > 1.05 * max(0.01, float(stretch[:50].max()))


def _limit(stepper: nets.Stepper) -> float:
    """Largest hω that does not grow, between 0.05 and 5, by halving; inf if all hold."""
    low, high = 0.0, 5.0
    if not _grows(stepper, high / OMEGA):
        return math.inf
    if _grows(stepper, 0.05 / OMEGA, 4000):
        return 0.0
    for _ in range(12):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if _grows(stepper, middle / OMEGA) else (middle, high)
    return low


@item(
    "[Lecture]", "Stability limits of integrators",
    conditions="""A harmonic oscillator of ω = 10 rad/s: the largest hω at which its amplitude
    does not grow within 400 steps. Derived: |1 + hλ| < 1 for explicit Euler (never, without
    damping), 2 for symplectic Euler and Verlet, 2√2 for Runge-Kutta 4, no limit for implicit
    ones.""",
    left_open="""what counts as growing: 5 % above the first fifty steps; the midpoint rule
    grows at any step, and by that much from hω = 0.177 on.""",
)  # fmt: skip
def stability_limits(quick: bool) -> Result:
    result, curves = Result(), []
    for name, stepper in STEPPERS.items():
        found, theory = _limit(stepper), LIMITS.get(name, math.inf)
        told = "none" if theory == math.inf else short(theory)
        ours = "none up to 5" if found == math.inf else short(found)
        good = found == theory if theory in (0.0, math.inf) else abs(found - theory) < 0.05
        result.add(f"{name}: largest hω", told, ours, holds(good))
    for name in ("explicit Euler", "symplectic Euler", "Verlet (leapfrog)", "linearly implicit"):
        h = 0.02
        _, energies = nets.run(oscillator(), STEPPERS[name], h, 2.0)
        start = 0.5 * OMEGA**2 * 0.01**2
        times = [h * (k + 1) for k in range(len(energies))]
        curves.append(Series(name, times, [energy / start for energy in energies]))
    result.charts.append(
        Chart("Energy of an oscillator, hω = 0.2", "time, s", "share", curves, log_y=True)
    )
    return result


def hanging_net(stiffness: float, rows: int = 5) -> nets.Net:
    """A small net held by two corners, lying at first."""
    gap = 0.25
    x = np.array([(gap * j, 0.0, gap * i) for i in range(rows) for j in range(rows)])
    edges = []
    for i in range(rows):
        for j in range(rows):
            if j + 1 < rows:
                edges.append((i * rows + j, i * rows + j + 1))
            if i + 1 < rows:
                edges.append((i * rows + j, (i + 1) * rows + j))
    count = len(edges)
    mass = np.full(rows * rows, 0.04)
    return nets.Net(x, np.array(edges), np.full(count, stiffness), mass, [0, rows - 1])


@item(
    "[Lecture]", "A mass-spring net by every integrator",
    conditions="""5 x 5 masses of 40 g held by two corners, 1 kN/m, h = 1/60 s, 3 s: whether it
    holds, and its energy at the end over that at the start (both against the lowest it can be).""",
    left_open="the net.",
)  # fmt: skip
def a_net_by_every_integrator(quick: bool) -> Result:
    result = Result()
    omega = math.sqrt(8 * 1e3 / 0.04)
    for name, stepper in STEPPERS.items():
        _, energies = nets.run(hanging_net(1e3), stepper, 1 / 60, 1.0 if quick else 3.0)
        worst = max(abs(energy) for energy in energies)
        stable = math.isfinite(worst) and worst < 1e3
        should = name not in LIMITS
        told = "stable" if should else f"explodes (hω = {omega / 60:.0f})"
        result.add(name, told, "stable" if stable else "explodes", holds(stable == should))
    return result


def pendulum_net(stiffness: float) -> nets.Net:
    """A point of 1 kg on an edge of 1 m, from the horizontal."""
    x = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    return nets.Net(x, np.array([[1, 0]]), np.array([stiffness]), np.ones(2), [0])


def _stretch(places: list[nets.Floats]) -> float:
    return max(abs(float(np.linalg.norm(x[1])) - 1.0) for x in places) if places else math.inf


@item(
    "[Notes]", "Penalty forces against hard constraints",
    conditions="""A pendulum of 1 m and 1 kg from the horizontal, h = 1/60 s, 2 s. Penalty: a
    spring of 1e3 … 1e7 N/m by symplectic Euler and by implicit steps; hard: this engine's
    distance joint. Largest stretch, and energy left.""",
    left_open="""everything but the claim: penalties that are stiff enough need ever shorter
    steps.""",
    why="Energy read at the end of a step of first order is off by O(h).",
)  # fmt: skip
def penalty_against_hard(quick: bool) -> Result:
    result = Result()
    for stiffness in (1e3, 1e5, 1e7):
        for name, stepper in (("symplectic", nets.symplectic_euler),
                              ("implicit", nets.linearly_implicit)):  # fmt: skip
            places, energies = nets.run(pendulum_net(stiffness), stepper, 1 / 60, 2.0)
            lost = not math.isfinite(energies[-1]) or abs(energies[-1]) > 1e4
            explicit = name == "symplectic"
            limit = 2 / math.sqrt(stiffness)
            told = "explodes" if explicit and limit < 1 / 60 else "holds"
            ours = "explodes" if lost else f"holds, stretch {short(100 * _stretch(places))} %"
            result.add(f"penalty {stiffness:.0e} N/m, {name}", told, ours,
                       holds(ours.startswith(told)))  # fmt: skip
    world = World(rate=60, sleeping=False)
    world.add_particle("bob", position=(1, 0, 0))
    world.add_joint("distance", "bob", at_b=(0, 0, 0))
    worst = 0.0
    for _ in range(120):
        world.step()
        worst = max(worst, abs(float(np.linalg.norm(world.position("bob"))) - 1.0))
    left = 1.0 + world.energy().total / 9.81
    result.add("hard, this engine: stretch, %", "0", short(100 * worst), holds(worst < 1e-8))
    result.add("hard, this engine: energy left", "1", short(left), near(left, 1.0, 0.02))
    return result


def _chain_net(load: float) -> nets.Net:
    n = 10
    x = np.array([(0.5 * k, 0.0, 0.0) for k in range(n + 1)])
    mass = np.ones(n + 1)
    mass[-1] = load
    edges = np.array([(k + 1, k) for k in range(n)])
    return nets.Net(x, edges, np.full(n, 1e7), mass, [0])


@item(
    "[Notes]", "Projective dynamics and XPBD beside a direct solve",
    conditions="""Ten links of 0.5 m and 1 kg with a load of 1, 100 and 1e4 kg, from the
    horizontal, h = 1/60 s, 1 s, edges of 1e7 N/m: largest stretch of an edge with 10 and 100
    rounds, and this engine's.""",
    left_open="""All but the methods; rounds as they are usual. They converge at the speed of a
    local iteration, which mass ratios slow down.""",
)  # fmt: skip
def projective_and_xpbd(quick: bool) -> Result:
    result, curves = Result(), []
    for rounds in (10,) if quick else (10, 100):

        def by_projection(net: nets.Net, s: nets.State, h: float, n: int = rounds) -> nets.State:
            return nets.projective(net, s, h, n)

        def by_position(net: nets.Net, s: nets.State, h: float, n: int = rounds) -> nets.State:
            return nets.xpbd(net, s, h, n)

        for name, stepper in (("projective", by_projection), ("XPBD", by_position)):
            stretches = []
            for load in (1.0, 100.0, 1e4):
                net = _chain_net(load)
                places, _ = nets.run(net, stepper, 1 / 60, 1.0)
                worst = max(float(np.abs(net.edge_parts(x)[1] / net.rest - 1).max())
                            for x in places)  # fmt: skip
                stretches.append(100 * worst)
            told = " / ".join(short(value) for value in stretches)
            result.add(f"{name}, {rounds} rounds: stretch, %, load 1 / 100 / 1e4", "grows", told,
                       holds(stretches[2] > stretches[0]))  # fmt: skip
            curves.append(Series(f"{name}, {rounds}", [1.0, 100.0, 1e4], stretches))
    ours = [100 * _engine_stretch(load) for load in (1.0, 100.0, 1e4)]
    result.add("this engine: stretch, %", "0", " / ".join(short(value) for value in ours),
               holds(max(ours) < 1e-4))  # fmt: skip
    curves.append(Series("this engine", [1.0, 100.0, 1e4], [max(v, 1e-12) for v in ours]))
    result.charts.append(
        Chart("Stretch of a chain", "load, kg", "%", curves, log_x=True, log_y=True)
    )
    return result


def _engine_stretch(load: float) -> float:
    net = _chain_net(load)
    world = World(rate=60, sleeping=False)
    for k, place in enumerate(net.position):
        world.add_particle(f"p{k}", mass=float(net.mass[k]), position=place, fixed=k == 0)
        if k:
            world.add_joint("distance", f"p{k}", f"p{k - 1}")
    worst = 0.0
    for _ in range(60):
        world.step()
        x = np.array([world.position(f"p{k}") for k in range(11)])
        worst = max(worst, float(np.abs(net.edge_parts(x)[1] / net.rest - 1).max()))
    return worst


@item(
    "[Lecture]", "Forth by an implicit step and back by an explicit one",
    conditions="""One linearly implicit step of h of a net, then an explicit one of -h from
    where it came to, with the forces linearised at the start: distance to the start.""",
)  # fmt: skip
def forth_and_back(quick: bool) -> Result:
    result = Result()
    net = hanging_net(100.0)
    rng = np.random.default_rng(0)
    x = net.position + 0.01 * rng.normal(size=net.position.shape) * net.free[:, None]
    v = 0.1 * rng.normal(size=x.shape) * net.free[:, None]
    h = 0.01
    ahead, faster = nets.linearly_implicit(net, (x, v), h)
    K = net.stiffness_matrix(x)
    force = net.force(x) - (K @ (ahead - x).ravel()).reshape(-1, 3) * net.free[:, None]
    back = ahead - h * faster, faster - h * force / net.mass[:, None]
    apart = max(float(np.abs(back[0] - x).max()), float(np.abs(back[1] - v).max()))
    result.add("largest difference", "< 1e-6", short(apart), holds(apart < 1e-6))
    result.add("way of the step, m", "", short(float(np.abs(ahead - x).max())), SHOWN)
    return result
