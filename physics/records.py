"""What the public interface hands out: handles, energies, statistics, descriptions of joints."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from physics.state import Floats


@dataclass(frozen=True)
class Handle:
    """A name for a thing in a world that stays valid until it is removed."""

    kind: str  # body | particle | joint | grab | cloth | solid | soft_grab
    slot: int
    generation: int
    hand: int = 0  # of a soft_grab: which hand of those on the cloth or solid


class Energy(NamedTuple):
    """Mechanical energy in joules."""

    kinetic: float
    potential: float
    elastic: float
    total: float


@dataclass(frozen=True)
class Stats:
    """How the steps so far were solved."""

    solver: str
    stabilization: str
    steps: int
    factorisations: int
    newton: int  # evaluations of φ
    sweeps: int  # over bounded rows
    residual: float  # m/s, of the last sweep
    contacts: int  # contact points of the last step
    error: float  # m or rad, left by the last position solve
    guard: Mapping[str, int]  # interventions: halved, implicit, impact, frozen
    diverged: bool
    times: Mapping[str, float]  # seconds per stage of the last call of step
    islands: int  # of what is awake, when last counted
    asleep: int  # sleeping bodies
    unknowns: int
    blocks: int  # off-diagonal 3x3 blocks of the factor
    soft: Mapping[str, Any]  # soft bodies in the last step: solver, factorisations, rows, guarded


class Hit(NamedTuple):
    """What a ray met first."""

    handle: Handle
    point: Floats  # m
    normal: Floats  # outward
    distance: float  # m


@dataclass(frozen=True)
class JointInfo:
    """Where a joint is now."""

    kind: str
    a: Handle
    b: Handle | None  # None is the world
    anchor_a: Floats  # world coordinates, m
    anchor_b: Floats
    axis: Floats  # world coordinates
    parameters: Mapping[str, Any]


@dataclass
class JointRecord:
    """What the world remembers of a joint."""

    kind: str
    a: int
    b: int
    frame: Any
    parameters: dict[str, Any]
    elements: list[int] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
