"""What the public interface hands out: handles, energies, statistics, descriptions of joints."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.state import WORLD, Floats

if TYPE_CHECKING:
    from physics.constraints.coordinates import Parameters
    from physics.constraints.registry import Frame

ContactTable = NDArray[np.void]  # fields: `physics/contact/events.py: CONTACT`


@dataclass(frozen=True, slots=True, repr=False)
class Handle:
    """A reference to something in a world that stays valid until that is removed.

    Equal handles have the same kind, slot and generation; `name` and `world` say what it is called
    and which world made it.
    """

    kind: str  # body | particle | joint | grab | cloth | solid
    slot: int
    generation: int
    name: str = field(default="", compare=False)
    world: int = field(default=0, compare=False)

    def __repr__(self) -> str:
        return f'<{self.kind} "{self.name}">'


class Energy(NamedTuple):
    """Mechanical energy in joules."""

    kinetic: float
    potential: float
    elastic: float
    total: float

    def __repr__(self) -> str:
        parts = zip(self._fields, self, strict=True)
        return f"Energy({', '.join(f'{name} {value:.6g} J' for name, value in parts)})"


@dataclass(frozen=True, slots=True, repr=False)
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
    guard: Mapping[str, int]  # interventions: halved, drained, implicit, frozen
    refused: Mapping[str, int]  # substeps that were not accepted, by reason
    diverged: bool
    times: Mapping[str, float]  # seconds per stage of the last call of step
    islands: int  # of what is awake, when last counted
    regimes: Mapping[str, int]  # islands of the last step by how they were stepped, and why
    asleep: int  # sleeping bodies
    unknowns: int
    blocks: int  # off-diagonal 3x3 blocks of the factor
    soft: Mapping[str, Any]  # soft bodies in the last step: solver, factorisations, rows, guarded

    def __repr__(self) -> str:
        parts = [
            f"{self.steps} steps",
            f"{self.stabilization}, {self.solver}",
            f"{self.unknowns} unknowns, {self.blocks} blocks",
            f"{self.contacts} contacts, {self.asleep} asleep",
            f"error {self.error:.3g}",
        ]
        parts += [f"{count} {name}" for name, count in self.guard.items() if count]
        return f"Stats({'; '.join(parts)}{'; diverged' if self.diverged else ''})"


class Hit(NamedTuple):
    """What a ray met first."""

    handle: Handle
    point: Floats  # m
    normal: Floats  # outward
    distance: float  # m
    part: int = 0  # which of the shapes of a compound body it is


@dataclass(frozen=True, slots=True, repr=False)
class JointInfo:
    """Where a joint is now."""

    kind: str
    a: Handle
    b: Handle | None  # None is the world
    anchor_a: Floats  # world coordinates, m
    anchor_b: Floats
    axis: Floats  # world coordinates
    parameters: "Parameters"

    def __repr__(self) -> str:
        other = "the world" if self.b is None else repr(self.b)
        place = ", ".join(f"{value:.4g}" for value in self.anchor_a.tolist())
        given = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"JointInfo({self.kind} of {self.a!r} and {other} at ({place}); {given})"


@dataclass
class JointRecord:
    """What the world remembers of a joint."""

    kind: str
    a: int
    b: int
    frame: "Frame"
    parameters: dict[str, Any]  # checked
    elements: list[int] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    @property
    def lets_collide(self) -> bool:
        """Whether the two bodies may touch each other; the world always may."""
        return WORLD in (self.a, self.b) or bool(self.parameters.get("collide", False))
