"""What all tools have in common: what is under the pointer, and what can be done to it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

import numpy as np
import numpy.typing as npt

from sandbox.render.soft_sheets import SOFT

if TYPE_CHECKING:
    from physics import Handle
    from sandbox.app.player import Player

Array = npt.NDArray[np.floating]
Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Pick:
    """What is under the pointer."""

    name: str  # of the body or particle
    handle: "Handle"
    point: Array  # on its surface, m
    joint: "Handle | None" = None  # the rope span, when a rope was hit

    @property
    def soft(self) -> bool:
        return self.handle.kind in SOFT


def vector(v: npt.ArrayLike) -> Vector:
    x, y, z = np.asarray(v, float)
    return float(x), float(y), float(z)


class Tool:
    """Base: a tool that needs a body ignores presses on nothing (the camera takes those)."""

    name: str
    key: str  # by default
    icon: str  # of Font Awesome 4
    hint: str  # what a drag or a click does

    def press(self, player: "Player", x: float, y: float, pick: Pick | None) -> bool:
        """True when the press was used."""
        return False

    def move(self, player: "Player", x: float, y: float) -> None:
        return

    def release(self, player: "Player", x: float, y: float) -> None:
        return


def loose(pick: Pick | None, player: "Player") -> TypeGuard[Pick]:
    """Something that can be moved by hand."""
    return pick is not None and (pick.soft or not player.world.is_fixed(pick.handle))


def mass_met(player: "Player", pick: Pick) -> float:
    """kg that a blow meets: the whole of a body, the part of a cloth or solid around the point."""
    world = player.world
    return float(world.mass_near(pick.handle, pick.point) if pick.soft else world.mass(pick.handle))


def tied(player: "Player", handle: "Handle") -> bool:
    """Does any joint hold it?"""
    world = player.world
    for joint in world.handles("joint"):
        info = world.joint(joint)
        if handle in (info.a, info.b) and not world.is_broken(joint):
            return True
    return False
