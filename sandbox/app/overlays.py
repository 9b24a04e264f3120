"""Seeing the physics: forces as colour, contacts as arrows, axes and joints as marks.

Colours run over cividis-like blues and yellows, never red against green: slack is grey, tension
goes from deep blue over grey-green to bright yellow, with the scale's end at the largest force.

`OVERLAYS` lists them all: the side panel, the legend, the messages and the round of the V key
follow from it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sandbox.app.marks import dots, needles, thickness
from sandbox.app.stress_overlay import at_nodes, von_mises
from sandbox.render import rotations
from sandbox.render.look import linear
from sandbox.render.scene import PART, Parts, Scene

if TYPE_CHECKING:
    from physics import Handle
    from physics.shapes.base import Shape
    from sandbox.app.player import Player
    from sandbox.protocols import GameWorld

Array = npt.NDArray[np.floating]

# Five stops of a perceptually even blue-to-yellow scale (sRGB).
STOPS = ("#12305e", "#4a5a6e", "#7f7c75", "#bda964", "#ffe14a")
PULLED, PUSHED, DAMPED, SLEEPING = STOPS[-1], "#4f7fe0", "#b98be0", "#5b6f8f"
AXES = ("#e08a1e", "#f4ead0", "#3f8fd8")
CENTRE, INERTIA = "#ffb020", "#f4ead0"
_STOPS = np.array([linear(c) for c in STOPS])
_CULPRIT = linear("#ff7a1a")
_MOST_JOINTS = 300  # marked at once
_NOTICED = 1e-3  # added over own inertia that is worth showing
_DECADES = 7.0  # from there to the largest ball


@dataclass(frozen=True)
class Canvas:
    """Where an overlay draws: the scene it may tint, and marks by mesh."""

    scene: Scene
    player: "Player"
    marks: dict[str, list[Parts]] = field(
        default_factory=lambda: {"ball": [], "rod": [], "cone": []}
    )


@dataclass(frozen=True)
class Scale:
    """A bar of the legend: the colours from nothing to the most there is."""

    text: str  # "pull, up to {}"
    unit: str = ""


@dataclass(frozen=True)
class Dot:
    """A colour of the legend."""

    color: str
    text: str


@dataclass(frozen=True)
class Overlay:
    """Something to see of the physics that can be switched on."""

    name: str
    title: str
    draw: Callable[[Canvas], float | None]  # returns where its scale ends, in SI units
    legend: tuple[Scale | Dot, ...] = ()
    round: str = ""  # those of one round are switched on together by the V key
    note: Callable[["Player"], tuple[str, bool]] | None = None  # a message; true: a bad one
    reads_stats: bool = False  # of every step


def add_overlays(scene: Scene, player: "Player") -> dict[str, float]:
    """Add what the player has switched on to a scene; the end of each scale, in SI units."""
    canvas = Canvas(scene, player)
    if player.explosion is not None:
        return {}  # what is seen is no longer there
    for sheet in scene.sheets:
        sheet.tint = None
    most = {
        name: overlay.draw(canvas) or 0.0
        for name, overlay in OVERLAYS.items()
        if name in player.state.overlays
    }
    if player.divergence is not None and "joints" not in player.state.overlays:
        _joints(canvas, everything=False)
    scene.glow = {mesh: np.concatenate(rows) for mesh, rows in canvas.marks.items() if rows}
    return most


def scale_colors(values: Array) -> Array:
    """Linear colours for values in 0..1."""
    t = np.clip(np.nan_to_num(values), 0.0, 1.0) * (len(_STOPS) - 1)
    low = np.minimum(t.astype(int), len(_STOPS) - 2)
    f = (t - low)[:, None]
    return np.asarray(_STOPS[low] * (1 - f) + _STOPS[low + 1] * f)


def _tension(canvas: Canvas) -> float:
    return max(_pull(canvas.scene, canvas.player), _joint_loads(canvas.marks, canvas.player))


def _pull(scene: Scene, player: "Player") -> float:
    """Ropes and cloth by how hard they are pulled; both have one scale each. That of the ropes
    ends at what is returned, N; without ropes, the cloth's."""
    joints = player.stage.ropes.span_joints
    largest = 0.0
    if joints:
        forces = np.array([_force(player.world, joint) for joint in joints])
        largest = float(forces.max())
        count = player.stage.ropes.tube_count
        player.stage.ropes.tint(scene.tubes[:count], _load_colors(forces))
    for surface in player.stage.softs.surfaces:
        sheet, pull = surface.sheet, cloth_tension(player.world, surface.handle)
        if pull is not None and len(pull) == len(sheet.points):
            sheet.tint = np.concatenate((_load_colors(pull), np.full((len(pull), 1), 0.95)), axis=1)
            largest = largest if joints else max(largest, float(pull.max(initial=0.0)))
    return largest


def _load_colors(forces: Array) -> Array:
    largest = max(float(forces.max(initial=0.0)), 1.0)
    colors = scale_colors(forces / largest)
    colors[forces <= 1e-6 * largest] = linear("grey")
    return colors


def cloth_tension(world: "GameWorld", handle: "Handle") -> Array | None:
    """The largest tension of the threads at each node, N; None for what has no threads."""
    item = world.soft_body(handle)
    ends, pull = item.body.model.link_nodes, -np.asarray(item.body.state.lam)
    if not len(ends):
        return None
    nodes = np.zeros(max(item.nodes, int(ends.max()) + 1))
    for side in (0, 1):
        np.maximum.at(nodes, ends[:, side], pull)
    return nodes[: item.nodes]


def _stress(canvas: Canvas) -> float:
    """Elastic sheets by their von Mises stress, N/m; all of them on one scale."""
    found = []
    for surface in canvas.player.stage.softs.surfaces:
        body = canvas.player.world.soft_body(surface.handle).body
        law, count = body.model, len(surface.sheet.points)
        for nodes, gradient, stiffness in (
            (law.tri_nodes, law.tri_gradient, law.tri_stiffness),
            (law.quad_nodes, law.quad_gradient, law.quad_stiffness),
        ):
            if len(nodes) and int(nodes.max()) < count:
                stress = von_mises(body.x, nodes, gradient, stiffness)
                found.append((surface.sheet, at_nodes(stress, nodes, count)))
    largest = max((float(values.max()) for _, values in found), default=0.0)
    for sheet, values in found:
        colors = scale_colors(values / max(largest, 1.0))
        sheet.tint = np.concatenate((colors, np.full((len(values), 1), 0.95)), axis=1)
    return largest


def _joint_loads(marks: dict[str, list[Parts]], player: "Player") -> float:
    """Other joints carry a ball: yellow where they pull the two together, blue where they push.
    Returns the largest force, N."""
    world, ropes = player.world, set(player.stage.ropes.span_joints)
    handles = [h for h in world.handles("joint") if h not in ropes and not world.is_broken(h)]
    if not handles:
        return 0.0
    infos = [world.joint(handle) for handle in handles[:_MOST_JOINTS]]
    forces = np.array([world.joint_force(handle)[0] for handle in handles[:_MOST_JOINTS]])
    along = np.array([np.asarray(info.anchor_a) - world.position(info.a) for info in infos])
    size = np.linalg.norm(forces, axis=1)
    share = size / max(float(size.max()), 1.0)
    # on body a, towards its own anchor: the joint pulls it
    pulled = np.einsum("ij,ij->i", forces, along) >= 0.0
    colors = np.where(pulled[:, None], linear(PULLED), linear(PUSHED))
    points = np.array([info.anchor_a for info in infos], float)
    marks["ball"].append(dots(points, thickness(player) * (0.8 + 2.4 * share), colors))
    return float(size.max())


def _force(world: "GameWorld", joint: "Handle | None") -> float:
    if joint is None or world.is_broken(joint):
        return 0.0
    return float(np.linalg.norm(world.joint_force(joint)[0]))


def _contacts(canvas: Canvas) -> float:
    """The largest force, N."""
    marks, player = canvas.marks, canvas.player
    contacts = player.world.contacts()
    if len(contacts) == 0:
        return 0.0
    points = np.asarray(contacts["point"], float)
    normals = np.asarray(contacts["normal"], float)
    force = np.asarray(contacts["impulse"], float) / player.world.h
    share = np.sqrt(force / max(float(force.max()), 1e-9))
    thick = thickness(player)
    colors = scale_colors(0.25 + 0.75 * share)
    marks["ball"].append(dots(points, np.full(len(points), 1.6 * thick), colors))
    reach = (4.0 + 16.0 * share)[:, None] * thick
    marks["rod"].append(needles(points, points + normals * reach, 0.6 * thick, colors))
    _friction_cones(marks, points, normals, contacts, reach[:, 0], colors)
    return float(force.max())


def _friction_cones(
    marks: dict[str, list[Parts]],
    points: Array,
    normals: Array,
    contacts: npt.NDArray[np.void],
    reach: Array,
    colors: Array,
) -> None:
    """Where the contact force may point: half angle atan μ. The force itself is a dark needle."""
    slope = np.asarray(contacts["coefficient"], float)
    impulse = np.asarray(contacts["impulse"], float)
    pressed = (impulse > 1e-9) & (slope > 0.0)
    if not pressed.any():
        return
    # the unit cone's point is up: it is turned upside down so that it stands on the contact
    height = 0.5 * reach[pressed]
    rows = np.zeros(int(pressed.sum()), PART)
    rows["position"] = points[pressed] + normals[pressed] * (height / 2)[:, None]
    rows["orientation"] = rotations.between(np.array((0.0, 1.0, 0.0)), -normals[pressed])
    wide = height * np.minimum(slope[pressed], 2.0)
    rows["half"] = np.stack((wide, height / 2, wide), axis=1)
    rows["color"], rows["gloss"] = colors[pressed], 0.35
    marks["cone"].append(rows)
    force = normals[pressed] * impulse[pressed, None] + np.asarray(contacts["friction"])[pressed]
    force /= np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1e-12)
    dark = np.tile(linear("#20262e"), (len(force), 1))
    start = points[pressed]
    thin = float(0.03 * reach.max())
    marks["rod"].append(needles(start, start + force * reach[pressed, None], thin, dark))


def _stabilization(canvas: Canvas) -> None:
    """A ball on every body that was made heavier, as large as the logarithm of how much; on every
    joint with added damping one of another colour."""
    marks, player = canvas.marks, canvas.player
    ratio, damping = player.world.added_by_stabilization()
    thick = thickness(player)
    slots = np.flatnonzero(ratio > _NOTICED)
    if len(slots):
        share = np.clip(np.log10(ratio[slots] / _NOTICED) / _DECADES, 0.05, 1.0)
        points = player.shown.positions[slots]
        marks["ball"].append(dots(points, thick * (0.8 + 2.4 * share), scale_colors(share)))
    world = player.world
    damped = [h for h in world.handles("joint") if h.slot < len(damping) and damping[h.slot] > 0.0]
    if damped:
        points = np.array([world.joint(handle).anchor_a for handle in damped], float)
        share = np.log1p(damping[[handle.slot for handle in damped]])
        share = share / max(float(share.max()), 1e-9)
        colors = np.tile(linear(DAMPED), (len(points), 1))
        marks["ball"].append(dots(points, thick * (1.0 + 2.5 * share), colors))


def _sleepers(canvas: Canvas) -> None:
    """Bodies that rest turn a dull blue."""
    scene, player = canvas.scene, canvas.player
    slots = [h.slot for h in player.world.handles("body") if player.world.asleep(h)]
    dull = np.asarray(linear(SLEEPING))
    for mesh, rows in scene.parts.items():
        resting = player.stage.of_slots(mesh, slots)
        if resting.any():
            tinted = rows.copy()
            tinted["color"][resting] = 0.25 * tinted["color"][resting] + 0.75 * dull
            scene.parts[mesh] = tinted


def _axes(canvas: Canvas) -> None:
    marks, player = canvas.marks, canvas.player
    slots = np.array([h.slot for h in player.world.handles("body")], np.intp)
    if not len(slots):
        return
    poses, thick = player.shown, thickness(player)
    start = poses.positions[slots]
    for axis, color in zip(np.eye(3), AXES, strict=True):
        turned = rotations.rotate(poses.orientations[slots], np.tile(axis, (len(slots), 1)))
        colors = np.tile(linear(color), (len(slots), 1))
        marks["rod"].append(needles(start, start + turned * 18 * thick, 0.5 * thick, colors))


def _velocities(canvas: Canvas) -> float:
    """The largest speed, m/s."""
    marks, player = canvas.marks, canvas.player
    handles = [h for h in player.world.handles("body") if not player.world.is_fixed(h)]
    if not handles:
        return 0.0
    velocity = np.array([player.world.velocity(h) for h in handles], float)
    start = player.shown.positions[[h.slot for h in handles]]
    speed = np.linalg.norm(velocity, axis=1)
    colors = scale_colors(speed / max(float(speed.max()), 0.1))
    thick = thickness(player)
    marks["rod"].append(needles(start, start + 0.25 * velocity, 0.6 * thick, colors))
    return float(speed.max())


def _joints(canvas: Canvas, everything: bool = True) -> None:
    """All of them, or only the one that went first when the world came apart."""
    marks, player = canvas.marks, canvas.player
    world, culprit = player.world, player.divergence.joint if player.divergence else None
    points, colors, sizes = [], [], []
    for handle in world.handles("joint"):
        chosen = handle == culprit
        if not (everything or chosen) or world.is_broken(handle):
            continue
        points.append(np.asarray(world.joint(handle).anchor_a, float))
        colors.append(_CULPRIT if chosen else linear("#e9f1ff"))
        sizes.append((5.0 if chosen else 1.5) * thickness(player))
    if points:
        marks["ball"].append(dots(np.array(points), np.array(sizes), np.array(colors)))


def _inertia(canvas: Canvas) -> None:
    """On every body that can move its centre of mass and the edges of the solid box with the same
    mass and inertia: long where it is easy to turn about. A larger dot: the centre of all."""
    marks, player = canvas.marks, canvas.player
    world, thick = player.world, thickness(player)
    handles = [h for h in world.handles("body") if not world.is_fixed(h)]
    if not handles:
        return
    slots = [h.slot for h in handles]
    centres, turns = player.shown.positions[slots], player.shown.orientations[slots]
    shapes = [shape for shape in map(world.shape, handles) if shape is not None]
    boxes = [inertia_box(shape) for shape in shapes]
    for start, end in _BOX_EDGES:
        ends = [
            centres + rotations.rotate(turns, np.array([axes @ (half * c) for axes, half in boxes]))
            for c in (start, end)
        ]
        colors = np.tile(linear(INERTIA), (len(handles), 1))
        marks["rod"].append(needles(ends[0], ends[1], 0.35 * thick, colors))
    color = np.tile(linear(CENTRE), (len(handles), 1))
    marks["ball"].append(dots(centres, np.full(len(handles), 1.6 * thick), color))
    masses = np.array([float(world.mass(handle)) for handle in handles])
    middle = (masses[:, None] * centres).sum(axis=0) / masses.sum()
    marks["ball"].append(dots(middle[None], np.array([3.2 * thick]), color[:1]))


_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
_BOX_EDGES = [
    (a, b) for i, a in enumerate(_CORNERS) for b in _CORNERS[i + 1 :] if np.abs(a - b).sum() == 2
]


def inertia_box(shape: "Shape") -> tuple[Array, Array]:
    """Principal axes (columns, shape axes) and half extents, m, of the equimomental solid box."""
    properties = shape.mass_properties(1.0)  # a body's own density only scales the inertia
    moments, axes = np.linalg.eigh(np.asarray(properties.inertia, float))
    squares = 1.5 * (moments.sum() - 2 * moments) / properties.mass
    return axes, np.sqrt(np.maximum(squares, 0.0))


def _nothing(canvas: Canvas) -> None:
    """It is told in a message."""


def _guard_note(player: "Player") -> tuple[str, bool]:
    """Did the guard have to step in during the last second?"""
    recent = player.monitor.traces.recent_guard()
    if not recent:
        return "the solver had no trouble in the last second", False
    counts = player.world.stats.guard.items()
    what = ", ".join(f"{key} {n}" for key, n in counts if n)
    return f"the solver helped itself {recent} times in the last second ({what})", True


OVERLAYS: dict[str, Overlay] = {
    overlay.name: overlay
    for overlay in (
        Overlay(
            "tension",
            "Tension and compression",
            _tension,
            (
                Scale("pull, up to {}", "N"),
                Dot(PULLED, "joint pulls"),
                Dot(PUSHED, "joint pushes"),
            ),
            "tension",
        ),
        Overlay(
            "stress",
            "Stress of elastic sheets",
            _stress,
            (Scale("von Mises stress, up to {}", "N/m"),),
            "tension",
        ),
        Overlay(
            "contacts",
            "Contact points and forces",
            _contacts,
            (Scale("contact force, up to {}", "N"),),
            "contacts",
        ),
        Overlay(
            "axes",
            "Body axes",
            _axes,
            tuple(Dot(color, name) for color, name in zip(AXES, "xyz", strict=True)),
        ),
        Overlay(
            "inertia",
            "Centre of mass and inertia",
            _inertia,
            (Dot(CENTRE, "centre of mass"), Dot(INERTIA, "box of the same inertia")),
        ),
        Overlay("joints", "Joints", _joints),
        Overlay("velocity", "Velocities", _velocities, (Scale("speed, up to {}", "m/s"),)),
        Overlay(
            "stabilization",
            "Added inertia and damping",
            _stabilization,
            (Scale("inertia added, 0.001 … 10 000 of its own"), Dot(DAMPED, "damping added")),
            "stabilization",
        ),
        Overlay("sleep", "Sleeping bodies", _sleepers, (Dot(SLEEPING, "asleep"),)),
        Overlay(
            "guard",
            "Where the solver helped itself",
            _nothing,
            round="stabilization",
            note=_guard_note,
            reads_stats=True,
        ),
    )
}


def rounds() -> list[set[str]]:
    """What the V key shows, one after the other: nothing, each round, everything."""
    named = dict.fromkeys(overlay.round for overlay in OVERLAYS.values() if overlay.round)
    groups = [{o.name for o in OVERLAYS.values() if o.round == name} for name in named]
    return [set(), *groups, set(OVERLAYS)]
