"""Seeing the physics: forces as colour, contacts as arrows, axes and joints as marks.

Colours run over cividis-like blues and yellows, never red against green: slack is grey, tension
goes from deep blue over grey-green to bright yellow, with the scale's end at the largest force.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sandbox.render import rotations
from sandbox.render.look import linear
from sandbox.render.scene import PART, Parts, Scene

if TYPE_CHECKING:
    from sandbox.app.player import Player

Array = npt.NDArray[np.floating]

# Five stops of a perceptually even blue-to-yellow scale (sRGB).
STOPS = ("#12305e", "#4a5a6e", "#7f7c75", "#bda964", "#ffe14a")
PULLED, PUSHED, DAMPED, SLEEPING = STOPS[-1], "#4f7fe0", "#b98be0", "#5b6f8f"
AXES = ("#e08a1e", "#f4ead0", "#3f8fd8")
_STOPS = np.array([linear(c) for c in STOPS])
_CULPRIT = linear("#ff7a1a")
_MOST_JOINTS = 300  # marked at once
_NOTICED = 1e-3  # added over own inertia that is worth showing
_DECADES = 7.0  # from there to the largest ball


def scale_colors(values: Array) -> Array:
    """Linear colours for values in 0..1."""
    t = np.clip(np.nan_to_num(values), 0.0, 1.0) * (len(_STOPS) - 1)
    low = np.minimum(t.astype(int), len(_STOPS) - 2)
    f = (t - low)[:, None]
    return np.asarray(_STOPS[low] * (1 - f) + _STOPS[low + 1] * f)


def add_overlays(scene: Scene, player: "Player") -> dict[str, float]:
    """Add what the player has switched on to a scene; the end of each scale, in SI units."""
    shown = player.state.overlays
    most: dict[str, float] = {}
    marks: dict[str, list[Parts]] = {"ball": [], "rod": [], "cone": []}
    if "tension" in shown:
        most["tension"] = max(_tension(scene, player), _joint_loads(marks, player))
    else:
        for sheet in scene.sheets:
            sheet.tint = None
    if "sleep" in shown:
        _sleepers(scene, player)
    if "contacts" in shown:
        most["contacts"] = _contacts(marks, player)
    if "treatment" in shown:
        _treatment(marks, player)
    if "axes" in shown:
        _axes(marks, player)
    if "velocity" in shown:
        most["velocity"] = _velocities(marks, player)
    if "joints" in shown or player.divergence is not None:
        _joints(marks, player, everything="joints" in shown)
    scene.glow = {mesh: np.concatenate(rows) for mesh, rows in marks.items() if rows}
    return most


def _tension(scene: Scene, player: "Player") -> float:
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
        sheet.tint = None
        if pull is not None and len(pull) == len(sheet.points):
            sheet.tint = np.concatenate((_load_colors(pull), np.full((len(pull), 1), 0.95)), axis=1)
            largest = largest if joints else max(largest, float(pull.max(initial=0.0)))
    return largest


def _load_colors(forces: Array) -> Array:
    largest = max(float(forces.max(initial=0.0)), 1.0)
    colors = scale_colors(forces / largest)
    colors[forces <= 1e-6 * largest] = linear("grey")
    return colors


def cloth_tension(world: Any, handle: Any) -> Array | None:
    """The largest tension of the threads at each node, N; None for what has no threads."""
    item = world.soft_body(handle)
    ends, pull = item.body.model.link_nodes, -np.asarray(item.body.state.lam)
    if not len(ends):
        return None
    nodes = np.zeros(max(item.nodes, int(ends.max()) + 1))
    for side in (0, 1):
        np.maximum.at(nodes, ends[:, side], pull)
    return nodes[: item.nodes]


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
    marks["ball"].append(dots(points, _thickness(player) * (0.8 + 2.4 * share), colors))
    return float(size.max())


def _force(world: Any, joint: Any) -> float:
    if joint is None or world.is_broken(joint):
        return 0.0
    return float(np.linalg.norm(world.joint_force(joint)[0]))


def dots(points: Array, radius: Array | float, colors: Array) -> Parts:
    rows = np.zeros(len(points), PART)
    rows["position"], rows["orientation"] = points, (1.0, 0.0, 0.0, 0.0)
    rows["radius"] = radius
    rows["half"] = np.broadcast_to(np.asarray(radius)[..., None], (len(points), 3))
    rows["color"], rows["gloss"] = colors, 0.95
    return rows


def needles(start: Array, end: Array, radius: float, colors: Array) -> Parts:
    along = end - start
    length = np.maximum(np.linalg.norm(along, axis=1), 1e-6)
    rows = np.zeros(len(start), PART)
    rows["position"] = 0.5 * (start + end)
    rows["orientation"] = rotations.between(np.array((0.0, 1.0, 0.0)), along / length[:, None])
    rows["half"] = np.stack(
        (np.full(len(start), radius), length / 2, np.full(len(start), radius)), 1
    )
    rows["color"], rows["gloss"] = colors, 0.9
    return rows


def _thickness(player: "Player") -> float:
    return 0.0022 * player.camera.pose.distance


def _contacts(marks: dict[str, list[Parts]], player: "Player") -> float:
    """The largest force, N."""
    read = getattr(player.world, "contacts", None)
    contacts = read() if read is not None else ()
    if len(contacts) == 0:
        return 0.0
    points = np.array([c["point"] for c in contacts], float)
    normals = np.array([c["normal"] for c in contacts], float)
    force = np.array([float(c["impulse"]) for c in contacts]) / player.world.h
    share = np.sqrt(force / max(float(force.max()), 1e-9))
    thick = _thickness(player)
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
    contacts: Any,
    reach: Array,
    colors: Array,
) -> None:
    """Where the contact force may point: half angle atan μ. The force itself is a dark needle."""
    names = getattr(getattr(contacts, "dtype", None), "names", None) or ()
    if "coefficient" not in names:
        return
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


def _treatment(marks: dict[str, list[Parts]], player: "Player") -> None:
    """A ball on every body that was made heavier, as large as the logarithm of how much; on every
    joint with added damping one of another colour."""
    read = getattr(player.world, "treatment", None)
    if read is None:
        return
    ratio, damping = read()
    thick = _thickness(player)
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


def _sleepers(scene: Scene, player: "Player") -> None:
    """Bodies that rest turn a dull blue."""
    asleep = getattr(player.world, "asleep", None)
    if asleep is None:
        return
    slots = [h.slot for h in player.world.handles("body") if asleep(h)]
    dull = np.asarray(linear(SLEEPING))
    for mesh, rows in scene.parts.items():
        resting = player.stage.of_slots(mesh, slots)
        if resting.any():
            tinted = rows.copy()
            tinted["color"][resting] = 0.25 * tinted["color"][resting] + 0.75 * dull
            scene.parts[mesh] = tinted


def _axes(marks: dict[str, list[Parts]], player: "Player") -> None:
    slots = np.array([h.slot for h in player.world.handles("body")], np.intp)
    if not len(slots):
        return
    poses, thick = player.shown, _thickness(player)
    start = poses.positions[slots]
    for axis, color in zip(np.eye(3), AXES, strict=True):
        turned = rotations.rotate(poses.orientations[slots], np.tile(axis, (len(slots), 1)))
        colors = np.tile(linear(color), (len(slots), 1))
        marks["rod"].append(needles(start, start + turned * 18 * thick, 0.5 * thick, colors))


def _velocities(marks: dict[str, list[Parts]], player: "Player") -> float:
    """The largest speed, m/s."""
    handles = [h for h in player.world.handles("body") if not player.world.is_fixed(h)]
    if not handles:
        return 0.0
    velocity = np.array([player.world.velocity(h) for h in handles], float)
    start = player.shown.positions[[h.slot for h in handles]]
    speed = np.linalg.norm(velocity, axis=1)
    colors = scale_colors(speed / max(float(speed.max()), 0.1))
    thick = _thickness(player)
    marks["rod"].append(needles(start, start + 0.25 * velocity, 0.6 * thick, colors))
    return float(speed.max())


def _joints(marks: dict[str, list[Parts]], player: "Player", everything: bool) -> None:
    world, culprit = player.world, player.divergence.joint if player.divergence else None
    points, colors, sizes = [], [], []
    for handle in world.handles("joint"):
        chosen = handle == culprit
        if not (everything or chosen) or world.is_broken(handle):
            continue
        points.append(np.asarray(world.joint(handle).anchor_a, float))
        colors.append(_CULPRIT if chosen else linear("#e9f1ff"))
        sizes.append((5.0 if chosen else 1.5) * _thickness(player))
    if points:
        marks["ball"].append(dots(np.array(points), np.array(sizes), np.array(colors)))
