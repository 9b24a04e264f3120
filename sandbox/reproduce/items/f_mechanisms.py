"""Public problems with known answers: IFToMM's multibody library, light cart-pole, heavy top."""

import math
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from physics import Box, Sphere, World
from sandbox.engines import planar
from sandbox.engines.engine import ENGINES
from sandbox.reproduce.item import SHOWN, Chart, Result, Series, item, near, short, within
from sandbox.reproduce.scenes import OURS, about

SOURCE = "IFToMM and others"


@item(
    SOURCE, "A01: simple pendulum",
    conditions="""A point of 1 kg on a rod of 1 m from (-1, 0), 10 s: distance to the known
    place (-0.275087463, -0.961419205), at several steps.""",
    why="""Errors of the period add up over 10 s; with order 2 a fourth is left of them at half
    the step, with order 1 a half.""",
)  # fmt: skip
def a01_pendulum(quick: bool) -> Result:
    result, errors = Result(), []
    steps = (0.01, 0.005, 0.0025, 0.001)
    for h in steps:
        world = World(rate=1 / h, sleeping=False)
        world.add_particle("bob", position=(-1, 0, 0))
        world.add_joint("distance", "bob", at_b=(0, 0, 0))
        world.step(round(10 / h))
        x, y, _ = world.position("bob")
        errors.append(math.hypot(x + 0.275087463, y + 0.961419205))
        result.add(f"h = {h:g} s: error, m", "0", short(errors[-1]), within(errors[-1], 1e-2))
    order = math.log(errors[0] / errors[-1]) / math.log(steps[0] / steps[-1])
    result.add("order", "2 (our aim)", short(order), within(1.9 - order, 0.0))
    result.charts.append(
        Chart("A01, error after 10 s", "step, s", "m", [Series(OURS, list(steps), errors)],
              log_x=True, log_y=True)
    )  # fmt: skip
    return result


@item(
    SOURCE, "A02: windows of four-bars",
    conditions="""N = 40: 81 bars of 1 m and 1 kg, upright, going right at 1 m/s; the corner B0
    after 10 s, (0.180512227, 0.983572741) and 20 s, (0.410901154, 0.911679901); h = 0.002 s,
    --quick: N = 4 for 2 s against the same equations solved to eleven digits.""",
    why="""The mechanism passes near its upright, where a small error of speed becomes one of
    time.""",
)  # fmt: skip
def a02_four_bars(quick: bool) -> Result:
    result = Result()
    if quick:
        from sandbox.engines import exact

        scene = planar.four_bars(4, 2.0)
        running = ENGINES["taut"].build(scene, 0.002, OURS)
        running.step(1000)
        apart = running.places()[0, :2] - exact.solve(scene)[-1][0, :2]
        error = 2 * float(np.hypot(*apart))
        result.add("N = 4, 2 s: error of B0, m", "0", short(error), within(error, 1e-3))
        return result
    scene = planar.four_bars(40)
    running = ENGINES["taut"].build(scene, 0.002, OURS)
    for seconds, (x, y) in ((10, (0.180512227, 0.983572741)), (20, (0.410901154, 0.911679901))):
        running.step(5000)
        top = 2 * running.places()[0, :2]
        error = math.hypot(top[0] - x, top[1] - y)
        result.add(f"N = 40, {seconds} s: error of B0, m", "0", short(error), within(error, 2e-2))
    return result


MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
BETA, GAMMA, PHI = -0.0617138900142764, 0.455279819163070, 0.222668390165886
DELTA, EPSILON = 0.487364979543843, 1.230547444549821
A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)


def _ahead(point: Any, *parts: tuple[float, float]) -> tuple[float, float]:
    """A point, and lengths along directions from it."""
    x, y = point
    for length, angle in parts:
        x, y = x + length * math.cos(angle), y + length * math.sin(angle)
    return x, y


def squeezer(h: float) -> tuple[World, list[Any]]:
    """Seven bodies, hinges, a spring and a constant torque; no gravity [Schiehlen90]."""
    q = math.pi / 2
    P = _ahead((0, 0), (7e-3, BETA))
    E = _ahead(P, (-28e-3, BETA))
    H = _ahead(A, (4e-2, DELTA))
    G = _ahead(A, (4e-2, EPSILON - q))
    D = _ahead(B, (2e-2, GAMMA), (18e-3, GAMMA - q))
    centres = (
        _ahead((0, 0), (92e-5, BETA)),
        _ahead(P, (-115e-4, BETA)),
        _ahead(B, (1874e-5, GAMMA - q), (1043e-5, GAMMA)),
        _ahead(H, (579e-5, PHI + DELTA - q)),
        _ahead(A, (2308e-5, DELTA), (916e-5, DELTA + q)),
        _ahead(G, (579e-5, EPSILON - PHI)),
        _ahead(A, (1228e-5, EPSILON - q), (-449e-5, EPSILON)),
    )
    world = World(rate=1 / h, gravity=(0, 0, 0), sleeping=False)
    bodies = []
    for k, (x, y) in enumerate(centres):
        inertia = (INERTIAS[k],) * 3
        bodies.append(
            world.add_body(f"K{k + 1}", Sphere(0.005), mass=MASSES[k], inertia=inertia,
                           position=(x, y, 0), mask=0)
        )  # fmt: skip
    pins = (
        (0, None, (0, 0)), (1, 0, P), (2, None, B), (1, 2, E), (3, 2, E), (5, 2, E),
        (4, None, A), (3, 4, H), (6, None, A), (5, 6, G),
    )  # fmt: skip
    for a, b, (x, y) in pins:
        other = None if b is None else bodies[b]
        world.add_joint("hinge", bodies[a], other, at=(x, y, 0), axis=(0, 0, 1))
    world.add_joint("spring", bodies[2], None, at_a=(*D, 0), at_b=(*C, 0), stiffness=4530.0,
                    length=0.07785)  # fmt: skip
    return world, bodies


def _squeezed(h: float) -> tuple[float, float]:
    """β and γ after 0.03 s."""
    world, bodies = squeezer(h)
    turned = [0.0, 0.0]
    before = [0.0, 0.0]
    for _ in range(round(0.03 / h)):
        world.apply_torque(bodies[0], (0, 0, 0.033))
        world.step()
        for k, body in enumerate((bodies[0], bodies[2])):
            w, _, _, z = world.orientation(body)
            angle = 2 * math.atan2(z, w)
            turned[k] += math.remainder(angle - before[k], 2 * math.pi)
            before[k] = angle
    return BETA + turned[0], GAMMA + turned[1]


@item(
    SOURCE, "A03: Andrews' squeezer mechanism",
    conditions="""Seven bodies of grams, a spring and a motor of 0.033 N m, 0.03 s: the angles β
    = 15.81077119629904 and γ = 0.04082224013073101.""",
    why="Centimetres and milliseconds: the crank turns at up to 1000 rad/s.",
)  # fmt: skip
def a03_squeezer(quick: bool) -> Result:
    result = Result()
    for h, bound in (
        ((1e-4, 0.5), (3e-5, 0.1)) if quick else ((1e-4, 0.5), (3e-5, 0.1), (1e-5, 0.03))
    ):
        beta, gamma = _squeezed(h)
        errors = abs(beta - 15.81077119629904), abs(gamma - 0.04082224013073101)
        told = f"{short(errors[0])}, {short(errors[1])}"
        verdict = within(max(errors), bound)
        result.add(f"h = {h:g} s: errors of β, γ, rad", "0", told, verdict)
    return result


@item(
    SOURCE, "A04: Bricard's mechanism",
    conditions="""Five bars of 1 m and 1 kg and six hinges, over-determined, 10 s: energy gained
    or lost over what it can release (49 J), the largest gap, and the largest force of a joint
    over its weight; h = 1/60 and 1/240 s.""",
    why="""One row too many has no force of its own; whatever splits the rest must take the
    least.""",
)  # fmt: skip
def a04_bricard(quick: bool) -> Result:
    result = Result()
    for rate in (60, 240):
        world, joints = _bricard(rate)
        start, drift, most, gap = world.energy().total, 0.0, 0.0, 0.0
        for _ in range(round(rate * (2 if quick else 10))):
            world.step()
            drift = max(drift, abs(world.energy().total - start))
            forces = (float(np.linalg.norm(world.joint_force(j)[0])) for j in joints)
            most, gap = max(most, max(forces)), max(gap, world.constraint_error())
        result.add(f"{rate} Hz: energy, % of 49 J", "0", short(100 * drift / 49.05),
                   within(drift / 49.05, 0.05))  # fmt: skip
        result.add(f"{rate} Hz: gap, m", "0", short(gap), within(gap, 1e-6))
        result.add(f"{rate} Hz: force over weight", "a few", short(most / 49.05),
                   within(most / 49.05, 20.0))  # fmt: skip
    return result


def _bricard(rate: float) -> tuple[World, list[Any]]:
    corners = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1.0)])
    axes = [(0, 1, 0), (0, 0, 1), (1, 0, 0)] * 2
    world, joints, previous = World(rate=rate, sleeping=False), [], None
    for i in range(5):
        size = np.where(np.abs(corners[i + 1] - corners[i]) > 0.5, 1.0, 0.02)
        body = world.add_body(f"b{i}", Box(tuple(size)), mass=1.0, mask=0,
                              position=(corners[i] + corners[i + 1]) / 2)  # fmt: skip
        joints.append(world.add_joint("hinge", body, previous, at=corners[i], axis=axes[i]))
        previous = body
    assert previous is not None
    joints.append(world.add_joint("hinge", previous, None, at=corners[5], axis=axes[5]))
    return world, joints


ROD, BALL, SLIDER, ARM, THICK, RADIUS = 0.3, 5.0, 3.0, 0.05, 0.01, 0.01  # kg, m
STIFF, DAMPER, NATURAL, LEAN = 8e5, 4e4, 0.5, math.radians(30)


def _governor(rate: float) -> World:
    """A shaft that spins, two rods with balls, a slider held to the rods by stiff springs."""
    world = World(rate=rate, sleeping=False)
    spin = (0, 2 * math.pi, 0)
    world.add_body("shaft", Box((THICK, 1, THICK)), mass=ROD, position=(0, 0.5, 0),
                   angular_velocity=spin, mask=0)  # fmt: skip
    world.add_joint("hinge", "shaft", at=(0, 0, 0), axis=(0, 1, 0))
    world.add_body("slider", Box((0.1, 0.1, 0.1)), mass=SLIDER, position=(0, 0.5, 0),
                   angular_velocity=spin, mask=0)  # fmt: skip
    world.add_joint("prismatic", "slider", "shaft", at=(0, 0.5, 0), axis=(0, 1, 0))
    for side in (-1, 1):
        name = f"rod {side}"
        pin = np.array([side * ARM, 1.0, 0.0])
        along = np.array([side * math.cos(LEAN), -math.sin(LEAN), 0])
        turn = about((0, 0, 1), math.atan2(along[1], along[0]))
        middle, tip = pin + 0.5 * along, pin + along
        world.add_body(name, Box((1, THICK, THICK)), mass=ROD, position=middle, orientation=turn,
                       velocity=np.cross(spin, middle), angular_velocity=spin,
                       mask=0)  # fmt: skip
        world.add_joint("hinge", "shaft", name, at=pin, axis=(0, 0, 1))
        world.add_body(f"ball {side}", Sphere(RADIUS), mass=BALL, position=tip,
                       velocity=np.cross(spin, tip), angular_velocity=spin, mask=0)  # fmt: skip
        world.add_joint("fixed", name, f"ball {side}", at=tip)
        world.add_joint("spring", "slider", name, at_a=(side * ARM, 0.5, 0), at_b=middle,
                        stiffness=STIFF, damper=DAMPER)  # fmt: skip
    return world


def _governor_motion(_: float, y: Any) -> list[float]:
    """β, its rate, s, its rate: rods lean by β below the horizontal, the slider is at s.

    The spin follows from its momentum, which stays.
    """
    beta, beta_dot, s, s_dot = y
    c, n = math.cos(beta), math.sin(beta)
    around, change = _inertia_around(beta)
    spin = 2 * math.pi * _inertia_around(LEAN)[0] / around
    turning = BALL * (1 + 0.4 * RADIUS**2) + ROD * (1 / 3 + THICK**2 / 12)
    x, z = 0.5 * c, 1 - 0.5 * n - s
    length = math.hypot(x, z)
    by_beta, by_s = (-0.5 * n * x - 0.5 * c * z) / length, -z / length
    pull = STIFF * (length - NATURAL) + DAMPER * (by_beta * beta_dot + by_s * s_dot)
    weight = 9.81 * (BALL + 0.5 * ROD) * c
    torque = 0.25 * change * spin**2 + weight - pull * by_beta  # of one rod
    return [beta_dot, torque / turning, s_dot, -9.81 - 2 * pull * by_s / SLIDER]


def _inertia_around(beta: float) -> tuple[float, float]:
    """About the shaft, of everything, and how it changes with β."""
    c, n = math.cos(beta), math.sin(beta)
    rod = ROD * ((ARM + 0.5 * c) ** 2 + ((1 + THICK**2) * c * c + 2 * THICK**2 * n * n) / 12)
    ball = BALL * ((ARM + c) ** 2 + 0.4 * RADIUS**2)
    rest = ROD * THICK**2 / 6 + SLIDER * 0.01 / 6
    change = -ROD * ((ARM + 0.5 * c) * n + (1 - THICK**2) * c * n / 6) - 2 * BALL * (ARM + c) * n
    return 2 * (rod + ball) + rest, 2 * change


@item(
    SOURCE, "A05: flyball governor, stiff",
    conditions="""Shaft and rods of 1 x 0.01 x 0.01 m (0.3 kg), rods hinged 0.05 m off the shaft
    and leaning by 30°, 5 kg at their ends, a slider of 0.1 m (3 kg) held to the middles of the rods
    by springs of 8e5 N/m, 0.5 m, with dampers of 4e4 N s/m; 2π rad/s at first, free, 10 s (2 s with
    --quick): height of the slider and angle of the rods against the same mechanism in two
    coordinates, solved to ten digits by Radau's method.""",
    left_open="masses at the ends of the rods: balls of 0.01 m.",
)  # fmt: skip
def a05_governor(quick: bool) -> Result:
    result = Result()
    seconds = 2.0 if quick else 10.0
    found = solve_ivp(_governor_motion, (0, seconds), [LEAN, 0.0, 0.5, 0.0], "Radau",
                      rtol=1e-10, atol=1e-12)  # fmt: skip
    beta, height = float(found.y[0, -1]), float(found.y[2, -1])
    result.add("reference: slider, m, and angle, rad", "", f"{height:.7f}, {beta:.7f}", SHOWN)
    for rate in (60, 240, 1000):
        world = _governor(rate)
        world.step(round(seconds * rate))
        pin, tip = np.array([ARM, 1.0]), world.position("ball 1")
        radius = math.hypot(float(tip[0]), float(tip[2]))
        lean = math.atan2(pin[1] - float(tip[1]), radius - ARM)
        apart = abs(float(world.position("slider")[1]) - height)
        result.add(f"{rate} Hz: error of the slider, m", "0", short(apart), within(apart, 5e-3))
        error = abs(lean - beta)
        result.add(f"{rate} Hz: error of the angle, rad", "0", short(error), within(error, 5e-3))
    return result


@item(
    SOURCE, "A cart-pole whose cart weighs nothing",
    conditions="""Cart 1e-6 kg, bob 1 kg on a rod of 1 m from the horizontal: the bob falls
    straight, so that the first quarter period is 0.451524535681659 s.""",
)  # fmt: skip
def light_cart_pole(quick: bool) -> Result:
    result = Result()
    for h in (0.01,) if quick else (0.01, 0.001):
        world = World(rate=1 / h, sleeping=False)
        world.add_body("cart", Sphere(0.01), mass=1e-6, position=(0, 0, 0), mask=0)
        world.add_joint("prismatic", "cart", at=(0, 0, 0), axis=(1, 0, 0))
        world.add_particle("bob", mass=1.0, position=(1, 0, 0))
        world.add_joint("distance", "bob", "cart")
        before, found = 1.0, math.inf
        while world.time < 1.0 and found == math.inf:
            world.step()
            now = float(world.position("bob")[0] - world.position("cart")[0])
            if now <= 0.0:
                found = world.time - h * now / (now - before)
            before = now
        error = abs(found - 0.451524535681659)
        result.add(f"h = {h:g} s: quarter period, s", "0.4515245", short(found, 7),
                   within(error, h))  # fmt: skip
    return result


@item(
    SOURCE, "Heavy top in steady precession",
    conditions="""A box of 0.4 x 0.1 x 0.4 m and 2 kg, 0.3 m from its point, tilted by 34.38°,
    spun at 60 rad/s and started in exact steady precession: its tilt over 5 s must not change.""",
    why="A torque that is taken at the start of a step lets a spinning body nod.",
)  # fmt: skip
def heavy_top(quick: bool) -> Result:
    result, curves = Result(), []
    for rate in (60, 240, 1000):
        world, top = _top(rate)
        tilts = []
        for _ in range(50):
            world.step(rate // 10)
            _, x, _, z = world.orientation(top)
            tilts.append(math.degrees(math.acos(max(-1.0, min(1.0, 1 - 2 * (x * x + z * z))))))
        worst = max(abs(tilt - math.degrees(0.6)) for tilt in tilts)
        result.add(f"{rate} Hz: largest change of tilt, °", "0", short(worst), within(worst, 1.0))
        curves.append(Series(f"{rate} Hz", [0.1 * (k + 1) for k in range(50)], tilts))
    result.charts.append(Chart("Tilt of a heavy top", "time, s", "degrees", curves))
    return result


def _top(rate: int) -> tuple[World, Any]:
    m, arm, tilt, spin = 2.0, 0.3, 0.6, 60.0
    axial, across = m * 0.32 / 12, m * 0.17 / 12 + m * arm**2
    a, b, c = across * math.cos(tilt), -axial * spin, m * 9.81 * arm
    turn = (-b - math.sqrt(b * b - 4 * a * c)) / (2 * a)
    axis = np.array([math.sin(tilt), math.cos(tilt), 0])
    omega = axis * (spin - turn * math.cos(tilt)) + np.array([0, turn, 0])
    world = World(rate=rate, sleeping=False)
    top = world.add_body("top", Box((0.4, 0.1, 0.4)), mass=m, position=axis * arm, mask=0,
                         orientation=about((0, 0, 1), -tilt), angular_velocity=omega,
                         velocity=np.cross(omega, axis * arm))  # fmt: skip
    world.add_joint("ball", top, at=(0, 0, 0))
    return world, top


@item(
    SOURCE, "Catenary and the pitch of a string",
    conditions="""Forty links hung as a V come to rest with the sag of y = a cosh(x/a); and a
    string of forty masses under 100 N, plucked, against f = √(T/μ)/2L.""",
)  # fmt: skip
def catenary_and_string(quick: bool) -> Result:
    from scipy.optimize import brentq

    result = Result()
    n, half, depth = 40, 3.0, 2.5
    world = World(rate=60)
    share = np.abs(np.linspace(-1, 1, n + 1))
    for i in range(n + 1):
        place = (half * share[i] * (1 if i > n // 2 else -1), -depth * (1 - share[i]), 0)
        world.add_particle(f"p{i}", mass=0.1, position=place, fixed=i in (0, n))
        if i:
            world.add_joint("distance", f"p{i}", f"p{i - 1}")
    for _ in range(200):
        world.step(5)
        for i in range(1, n):
            world.set_velocity(f"p{i}", 0.7 * world.velocity(f"p{i}"))
    length = 2 * math.hypot(half, depth)
    a = brentq(lambda a: 2 * a * math.sinh(half / a) - length, 0.1, 100.0)
    sag = a * (math.cosh(half / a) - 1)
    found = -float(world.position(f"p{n // 2}")[1])
    result.add("sag, m", short(sag, 5), short(found, 5), near(found, sag, 3e-3))
    pitch, theory = _string_pitch()
    result.add("pitch of the string, Hz", short(theory, 4), short(pitch, 4),
               near(pitch, theory, 0.02))  # fmt: skip
    return result


def _string_pitch() -> tuple[float, float]:
    """Of a string that a weight holds taut over its end, sideways; crossings of its middle."""
    n, length, tension, density, h = 40, 1.0, 100.0, 0.01, 1e-4
    world = World(rate=1 / h, gravity=(9.81, 0, 0), sleeping=False)
    for i in range(n + 1):
        last = i == n
        bump = 1e-3 * math.sin(math.pi * i / n)
        mass = tension / 9.81 if last else density / n
        world.add_particle(f"p{i}", mass=mass, position=(i * length / n, bump, 0), fixed=i == 0)
        if i:
            world.add_joint("distance", f"p{i}", f"p{i - 1}")
    heights = []
    for _ in range(1000):
        world.step()
        middle, end = world.position(f"p{n // 2}")[1], world.position(f"p{n}")[1]
        heights.append(float(middle - 0.5 * end))
    y = np.array(heights)
    down = np.flatnonzero((y[:-1] > 0) & (y[1:] <= 0))
    period = h * float(np.diff(down).mean()) if len(down) > 1 else math.inf
    return 1.0 / period, math.sqrt(tension / density) / (2 * length)


@item(
    SOURCE, "What no known answer is left for",
    conditions="""Momentum and energy of a thrown, tumbling chain in empty space, 5 s, h = 0.01
    s.""",
)  # fmt: skip
def tumbling_chain(quick: bool) -> Result:
    from sandbox.reproduce.scenes import chain

    result = Result()
    scene = chain(5.0, 0.01, links=8, tilt=1.0, gravity=(0, 0, 0))
    world = scene.world
    world.remove(world.handles("joint")[0])  # let go of the world
    rng = np.random.default_rng(3)
    for body in [*scene.links, scene.end]:
        world.set_velocity(body, (1.0, 2.0, 0.5))
        world.set_angular_velocity(body, rng.normal(size=3))
    world.step(2)  # velocities agree with the joints from now on
    before, energy = _momentum(scene), world.energy().total
    world.step(200 if quick else 500)
    change = float(np.abs(_momentum(scene) - before).max() / np.abs(before).max())
    result.add("change of momentum, share", "0", short(change), within(change, 1e-9))
    lost = abs(world.energy().total / energy - 1)
    result.add("change of energy, %", "0", short(100 * lost), within(lost, 0.05))
    result.add("gap, m", "0", short(world.constraint_error()), SHOWN)
    return result


def _momentum(scene: Any) -> Any:
    world = scene.world
    return sum(world.mass(body) * world.velocity(body) for body in [*scene.links, scene.end])
