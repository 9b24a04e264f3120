"""Mechanisms of bars and pins in the xy plane: two-dimensional engines can take part, too."""

import math
from dataclasses import dataclass, field

G = 9.81


@dataclass(frozen=True)
class Bar:
    """A box `length` x `width` x `width`, turned by `angle`; its state at the start."""

    mass: float
    length: float
    width: float
    x: float
    y: float
    angle: float = 0.0
    vx: float = 0.0
    vy: float = 0.0
    omega: float = 0.0

    @property
    def inertia(self) -> float:
        """About the axis across the plane."""
        return self.mass * (self.length**2 + self.width**2) / 12.0

    def local(self, x: float, y: float) -> tuple[float, float]:
        """A point of the plane in the axes of the bar."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        return c * (x - self.x) + s * (y - self.y), -s * (x - self.x) + c * (y - self.y)


@dataclass(frozen=True)
class Pin:
    """Bars `a` and `b` (-1: the world) turn about a common point."""

    a: int
    b: int
    x: float
    y: float


@dataclass
class Mechanism:
    """What hangs together; `watched` is the bar whose centre is compared.

    With `balls`, engines of three dimensions take ball joints in place of hinges.
    """

    name: str
    bars: list[Bar] = field(default_factory=list)
    pins: list[Pin] = field(default_factory=list)
    seconds: float = 1.0
    watched: int = -1
    balls: bool = False

    def tree(self) -> tuple[list[int | None], list[Pin]]:
        """For each bar the number of the pin by which it hangs, and the pins that close loops.

        Bars hang from the world, or from one that came before.
        """
        holding: list[int | None] = [None] * len(self.bars)
        closing = []
        for number, pin in enumerate(self.pins):
            if holding[pin.a] is None and (pin.b < 0 or pin.b < pin.a):
                holding[pin.a] = number
            else:
                closing.append(pin)
        return holding, closing

    def releasable(self) -> float:
        """About what gravity can give: all the weight falling by the size of the mechanism, J."""
        reach = max(math.hypot(bar.x, bar.y) + bar.length / 2 for bar in self.bars)
        return sum(bar.mass for bar in self.bars) * G * reach


def chain(
    load: float,
    *,
    links: int = 10,
    length: float = 0.5,
    mass: float = 1.0,
    tilt: float = math.pi / 2,
    seconds: float = 1.0,
) -> Mechanism:
    """Links from the origin, `tilt` from the vertical, and a block of mass `load` at the end."""
    found = Mechanism(f"chain of {links}, load {load:g} kg", seconds=seconds)
    dx, dy = math.sin(tilt), -math.cos(tilt)
    angle = tilt - math.pi / 2
    for i in range(links + 1):
        last = i == links
        size = 0.4 if last else length
        reach = i * length + size / 2
        weight = load if last else mass
        width = size if last else 0.1 * size
        found.bars.append(Bar(weight, size, width, reach * dx, reach * dy, angle))
        found.pins.append(Pin(i, i - 1, i * length * dx, i * length * dy))
    return found


def double_pendulum(seconds: float = 2.0) -> Mechanism:
    """Two light bars of 1 m, from the horizontal."""
    found = Mechanism("light double pendulum", seconds=seconds)
    for i in range(2):
        found.bars.append(Bar(0.01, 1.0, 0.05, i + 0.5, 0.0))
        found.pins.append(Pin(i, i - 1, float(i), 0.0))
    return found


def four_bars(windows: int = 1, seconds: float = 2.0) -> Mechanism:
    """[IFToMM A02]: `windows` squares of bars of 1 m and 1 kg side by side, upright, going right.

    Bar 0 to `windows` stand on the ground; the others lie on them. All tops move at 1 m/s.
    """
    found = Mechanism(f"{windows} four-bar{'s' if windows > 1 else ''}", seconds=seconds, watched=0)
    for i in range(windows + 1):
        found.bars.append(Bar(1.0, 1.0, 0.05, float(i), 0.5, math.pi / 2, vx=0.5, omega=-1.0))
        found.pins.append(Pin(i, -1, float(i), 0.0))
    for i in range(windows):
        bar = windows + 1 + i
        found.bars.append(Bar(1.0, 1.0, 0.05, i + 0.5, 1.0, 0.0, vx=1.0))
        found.pins.append(Pin(bar, i, float(i), 1.0))
        found.pins.append(Pin(bar, i + 1, i + 1.0, 1.0))
    return found
