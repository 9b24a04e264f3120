"""Where everything was, frame by frame: what an animation is made of."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sandbox.gltf.tessellate import Indices, surface
from sandbox.render.look import CYCLE, linear

if TYPE_CHECKING:
    from levels import Session

Floats = npt.NDArray[np.float64]

MOST_SHAPES = 240  # keyframes of a cloth or solid: each is a whole shape of it


@dataclass
class Track:
    """One rigid body: its triangles and its poses."""

    name: str
    points: Floats
    triangles: Indices
    color: tuple[float, float, float]  # linear
    moves: bool
    positions: list[Floats] = field(default_factory=list)
    orientations: list[Floats] = field(default_factory=list)  # w, x, y, z


@dataclass
class SoftTrack:
    """A cloth or solid: its surface and the places of its nodes."""

    name: str
    triangles: Indices
    color: tuple[float, float, float]
    nodes: list[Floats] = field(default_factory=list)


@dataclass
class Film:
    """A run, sampled at a rate."""

    rate: float
    times: list[float] = field(default_factory=list)
    bodies: list[Track] = field(default_factory=list)
    softs: list[SoftTrack] = field(default_factory=list)


def filmed(
    session: "Session",
    seconds: float,
    rate: float = 30.0,
    progress: Callable[[float], None] | None = None,
) -> Film:
    """Run the session and note where everything of its start is, `rate` times a second."""
    film = Film(rate)
    _cast(session, film)
    frames = max(1, round(seconds * rate))
    for frame in range(frames + 1):
        while session.time < frame / rate - 0.5 * session.world.h and session.is_finite():
            session.step()
        if not session.is_finite():
            break
        film.times.append(frame / rate)
        _shoot(session, film)
        if progress:
            progress(frame / frames)
    return film


def _cast(session: "Session", film: Film) -> None:
    world, level = session.world, session.level
    for number, handle in enumerate(world.handles("body")):
        look = level.appearance(world.name(handle))
        shape = world.shape(handle)
        if look.hidden or shape is None:
            continue
        color = linear(look.color or CYCLE[number % len(CYCLE)])
        points, triangles = surface(shape, world.center_of_mass(handle))
        moves = not world.is_fixed(handle)
        film.bodies.append(Track(world.name(handle), points, triangles, color, moves))
    for name, handle in session.softs.items():
        color = linear(level.appearance(name).color or CYCLE[0])
        film.softs.append(SoftTrack(name, world.triangles(handle), color))


def _shoot(session: "Session", film: Film) -> None:
    """What is gone stays where it was seen last."""
    world = session.world
    present = {world.name(handle): handle for handle in world.handles()}
    for track in film.bodies:
        if track.name in present:
            track.positions.append(world.position(track.name))
            track.orientations.append(world.orientation(track.name))
        else:
            track.positions.append(track.positions[-1])
            track.orientations.append(track.orientations[-1])
    for soft in film.softs:
        gone = soft.name not in present
        soft.nodes.append(soft.nodes[-1] if gone else world.node_positions(soft.name))
