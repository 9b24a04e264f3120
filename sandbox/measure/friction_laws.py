"""Friction against closed forms and fine steps: the capstan, and how fast dominoes fall.

A rope that lies over a drum by the angle θ holds e^{μθ} times what pulls at its other end. Of
dominoes there is no formula that counts friction and the rocking of those behind: the reference are
the same dominoes in steps of a millisecond.
"""

import math
from typing import NamedTuple

from physics import Box, Capsule, Cylinder, Handle, Plane, Sphere, World

LOADS = (10.0, 100.0, 1000.0)  # kg on links of LINK
LINK = 0.05  # kg
FRICTION = 0.3
DOMINOES = ((0.06, 0.02), (0.1, 0.02), (0.1, 0.04), (0.15, 0.04))  # m: distance, thickness
FINE = 960.0  # steps a second of the reference
_HEIGHT = 0.2  # m, of a domino


class Law(NamedTuple):
    """What was measured, and what it should be."""

    name: str
    found: float
    exact: float

    @property
    def off(self) -> float:
        return self.found / self.exact - 1.0


# --- the capstan ----------------------------------------------------------------------------------


def _chain_over_drum(turn: float) -> list[tuple[float, float]]:
    """Joints of links that lie on a drum of 0.3 m by a half turn, and hang down on both sides."""
    count = round(math.pi / turn)
    rim = 0.31 / math.cos(0.5 * turn)
    length = 2.0 * rim * math.sin(0.5 * turn)
    arc = [math.pi - turn * k for k in range(count + 1)]
    on_drum = [(rim * math.cos(t), rim * math.sin(t)) for t in arc]
    left = [(on_drum[0][0], on_drum[0][1] - length * k) for k in (4, 3, 2, 1)]
    right = [(on_drum[-1][0], on_drum[-1][1] - length * k) for k in (1, 2, 3, 4)]
    return left + on_drum + right


def capstan(load: float, counterweight: float, rate: float = 60) -> tuple[World, Handle]:
    """A chain over a drum with a load and a counterweight, kg; and the load."""
    world = World(rate=rate, sleeping=False)
    half = math.sqrt(0.5)
    lying = (half, half, 0, 0)
    world.add_body("drum", Cylinder(0.3, 1.0), fixed=True, friction=FRICTION, orientation=lying)
    joints = _chain_over_drum(math.pi / 12)
    links: list[Handle] = []
    for k in range(len(joints) - 1):
        (x, y), (u, v) = joints[k], joints[k + 1]
        angle = math.atan2(v - y, u - x) - 0.5 * math.pi
        link = world.add_body(
            f"link {k}",
            Capsule(0.01, math.hypot(u - x, v - y) - 0.02),
            mass=LINK,
            position=(0.5 * (x + u), 0.5 * (y + v), 0),
            orientation=(math.cos(0.5 * angle), 0, 0, math.sin(0.5 * angle)),
            friction=FRICTION,
        )
        if links:
            world.add_joint("ball", links[-1], link, at=(x, y, 0))
        else:
            _hang(world, "counterweight", counterweight, link, joints[0])
        links.append(link)
    return world, _hang(world, "load", load, links[-1], joints[-1])


def _hang(world: World, name: str, mass: float, link: Handle, at: tuple[float, float]) -> Handle:
    place = (at[0], at[1] - 0.12, 0)
    body = world.add_body(name, Sphere(0.1), mass=mass, position=place, mask=0)
    world.add_joint("ball", link, body, at=(*at, 0))
    return body


def holds(load: float, counterweight: float, rate: float = 60) -> bool:
    """Whether friction holds the load: half a second to settle, then no faster than 2 cm/s."""
    world, body = capstan(load, counterweight, rate)
    world.step(round(1.5 * rate))
    return abs(float(world.velocity(body)[1])) < 0.02


def capstan_law(load: float, rate: float = 60) -> Law:
    """Load over the least counterweight that holds it, weights of the links that hang included."""
    exact = math.exp(FRICTION * math.pi)
    hanging = 4 * LINK
    low, high = 0.8 * exact, 1.25 * exact  # of the ratio: it holds at low
    for _ in range(6):
        middle = math.sqrt(low * high)
        if holds(load, (load + hanging) / middle - hanging, rate):
            low = middle
        else:
            high = middle
    return Law(f"capstan, {load:g} kg", math.sqrt(low * high), exact)


# --- dominoes -------------------------------------------------------------------------------------


def domino_speed(rate: float, distance: float, thickness: float) -> float:
    """m/s at which a row of them falls, between the tenth and the thirtieth."""
    world = World(rate=rate, sleeping=False)
    world.add_body("ground", Plane(), fixed=True, friction=0.6)
    for k in range(40):
        world.add_body(
            f"{k}",
            Box((thickness, _HEIGHT, 0.1)),
            density=600.0,
            position=(k * distance, 0.5 * _HEIGHT, 0),
            friction=0.4,
            velocity=(0.4 if k == 0 else 0.0, 0, 0),
            angular_velocity=(0, 0, -4.0 if k == 0 else 0.0),
        )
    first = _falls(world, "10", rate)
    return 20.0 * distance / (_falls(world, "30", rate) - first)


def _falls(world: World, name: str, rate: float) -> float:
    """When it leans by a twentieth, s."""
    before, leans = 0.0, 0.0
    while leans < 0.05 and world.time < 6.0:
        world.step()
        before, leans = leans, 2.0 * math.asin(min(abs(float(world.orientation(name)[3])), 1.0))
    share = (0.05 - before) / (leans - before) if leans > before else 1.0
    return world.time - (1.0 - share) / rate


def domino_law(distance: float, thickness: float, rate: float = 60) -> Law:
    reference = domino_speed(FINE, distance, thickness)
    name = f"dominoes, {1e3 * thickness:g} mm each {1e3 * distance:g} mm"
    return Law(name, domino_speed(rate, distance, thickness), reference)


def laws() -> list[Law]:
    """All of them, at 60 steps a second."""
    return [capstan_law(load) for load in LOADS] + [domino_law(*row) for row in DOMINOES]
