"""Scenes of the papers, by the public interface alone. Nothing in them collides."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from physics import JOINTS, Box, Handle, Sphere, World

G = 9.81
RADIUS = 0.25  # m, of loads
UNTREATED = "none"
PAPERS = "geometric"  # [Tournier15]'s
INERTIAL = "inertial"  # [Andrews17]'s two
CONSTRAINT = "constraint"
OURS = "adaptive"


@dataclass
class Scene:
    """A world, its links, joints and load, and the energy that it can release (J)."""

    world: World
    links: list[Handle] = field(default_factory=list)
    joints: list[Handle] = field(default_factory=list)
    load: Handle | None = None
    releasable: float = 0.0

    @property
    def bodies(self) -> list[Handle]:
        return self.links + ([] if self.load is None else [self.load])

    @property
    def end(self) -> Handle:
        return self.links[-1] if self.load is None else self.load


def about(axis: Any, angle: float) -> np.ndarray:
    """Quaternion (w, x, y, z) of a turn about a unit axis."""
    return np.array([math.cos(angle / 2), *(math.sin(angle / 2) * np.asarray(axis, float))])


def _axis(kind: str, i: int) -> tuple[float, float, float] | None:
    """Hinges alternate between falling (z) and swaying (y); balls need none."""
    if not JOINTS[kind].needs_axis:
        return None
    return (0.0, 0.0, 1.0) if i % 2 == 0 else (0.0, 1.0, 0.0)


def chain(
    load: float,
    h: float,
    *,
    links: int = 10,
    length: float = 0.5,
    mass: float = 1.0,
    kind: str = "ball",
    tilt: float = math.pi / 2,
    thickness: float = 0.1,
    one_axis: bool = False,
    spin: float = 0.0,
    sleeping: bool = False,
    joint: dict[str, Any] | None = None,
    **settings: Any,
) -> Scene:
    """Links from the origin, `tilt` from the vertical, and a sphere of mass `load` at the end.

    `spin` (rad/s about the vertical) sets it moving out of its plane.
    """
    scene = Scene(World(rate=1.0 / h, sleeping=sleeping, **settings))
    omega = np.array([0.0, spin, 0.0])
    along = np.array([math.sin(tilt), -math.cos(tilt), 0.0])
    turn = about((0, 0, 1), tilt - math.pi / 2)
    previous = None
    for i in range(links + 1):
        is_load = i == links
        reach = i * length + (RADIUS if is_load else length / 2)
        body = scene.world.add_body(
            "load" if is_load else f"link {i}",
            Sphere(RADIUS) if is_load else Box((length, thickness * length, thickness * length)),
            mass=load if is_load else mass,
            position=reach * along,
            orientation=turn,
            velocity=np.cross(omega, reach * along),
            angular_velocity=omega,
            mask=0,
        )
        given: dict[str, Any] = dict(joint or {})
        axis = along if given.pop("along", False) else _axis(kind, 0 if one_axis else i)
        at = i * length * along
        scene.joints.append(scene.world.add_joint(kind, body, previous, at=at, axis=axis, **given))
        scene.releasable += (load if is_load else mass) * G * reach
        previous = body
        if is_load:
            scene.load = body
        else:
            scene.links.append(body)
    return scene


def particle_cable(
    load: float,
    h: float,
    *,
    segments: int = 10,
    length: float = 10.0,
    mass: float = 500.0,
    kink: float = 0.0,
    tilt: float = 0.0,
    **settings: Any,
) -> Scene:
    """Particles and distance rows from the origin, a load in place of the last particle."""
    scene = Scene(World(rate=1.0 / h, sleeping=False, **settings))
    along = np.array([math.sin(tilt), -math.cos(tilt), 0.0])
    across = np.array([math.cos(tilt), math.sin(tilt), 0.0])
    previous = None
    for i in range(segments + 1):
        weight = load if i == segments else mass / segments
        reach = length * i / segments
        particle = scene.world.add_particle(
            f"p{i}",
            mass=weight,
            position=reach * along + (kink if i % 2 else 0.0) * across,
            fixed=i == 0,
        )
        if previous is not None:
            scene.world.add_joint("distance", particle, previous, length=length / segments)
            scene.links.append(particle)
            scene.releasable += weight * G * reach
        previous = particle
    scene.load = previous
    return scene


BOOM, REACH = 1e5, 20.0  # kg, m
SEGMENTS, SEGMENT, SEGMENT_LENGTH = 30, 0.2, 0.4  # kg, m
VEHICLE, SIDE = 1.5e4, 2.0  # kg, m
CABLE: dict[str, Any] = {"axial_stiffness": 1e10, "shear_stiffness": 1e10}


def crane(h: float, elevation: float, swing: float = 0.0, **settings: Any) -> Scene:
    """[Andrews17, Fig. 1]: a hinged boom, a cable of light segments and a heavy vehicle."""
    boom = settings.pop("boom", {})
    scene = Scene(World(rate=1.0 / h, sleeping=False, **settings))
    world = scene.world
    out = np.array([math.cos(elevation), math.sin(elevation), 0.0])
    world.add_body("base", Box((2, 2, 2)), fixed=True, mask=0)
    world.add_body(
        "boom", Box((REACH, 1, 1)), mass=BOOM, position=0.5 * REACH * out,
        orientation=about((0, 0, 1), elevation), mask=0,
    )  # fmt: skip
    world.add_joint("hinge", "base", "boom", at=(0, 0, 0), axis=(0, 0, 1), name="foot", **boom)
    down = np.array([math.sin(swing), -math.cos(swing), 0.0])
    turn = about((0, 0, 1), math.atan2(down[1], down[0]))
    previous: Any = "boom"
    for i in range(SEGMENTS + 1):
        last = i == SEGMENTS
        start = REACH * out + i * SEGMENT_LENGTH * down
        size = SIDE if last else SEGMENT_LENGTH
        body = world.add_body(
            "vehicle" if last else f"segment {i}",
            Box((SIDE, SIDE, SIDE)) if last else Box((size, 0.05, 0.05)),
            mass=VEHICLE if last else SEGMENT,
            position=start + 0.5 * size * down,
            orientation=turn,
            mask=0,
        )
        world.add_joint("cable", body, previous, at=start, axis=down, **CABLE)
        scene.links.append(body)
        previous = body
    scene.load = scene.links.pop()
    full = SEGMENTS * SEGMENT_LENGTH + SIDE / 2
    scene.releasable = VEHICLE * G * full * (1 - math.cos(swing)) + BOOM * G * REACH * 0.5
    return scene
