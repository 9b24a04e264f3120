"""Keep the motion while the world is rebuilt: a slider moved, or the file was saved.

Bodies are matched by name. What exists in both worlds takes position, orientation and velocities
from the old one; joints keep the length or target they were driven to; what was made by hand is
made again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from levels.commands import Join
from levels.frames import vec
from levels.name_table import NameTable
from physics import JOINTS, Handle, JointInfo

if TYPE_CHECKING:
    from levels.edits import Edits

_CARRIED = ("length",)


def same_parts(old: NameTable, new: NameTable, added: set[str]) -> bool:
    """Can the motion be carried over? Not if the level itself now consists of other parts."""
    return all(
        {name for name in getattr(old.plan, kind) if name.partition(".")[0] not in added}
        == getattr(new.plan, kind).keys()
        for kind in ("bodies", "particles", "joints", "softs")
    )


def carry_over(old: NameTable, done: Edits, new: NameTable, edits: Edits) -> None:
    """Make `new` move as `old` does, with all that was `done` to it repeated by `edits`."""
    for name, table in done.spawned.items():
        if old.is_there(name):
            edits.spawn(name, table)
    edits.templates, edits.count = dict(done.templates), done.count
    for name in [name for name in new.handles if name not in old.handles]:
        new.remove_body(name)  # it was deleted
    _carry_state(old, new)
    for made in done.joined:
        if made.name in old.joints:
            edits.join(_as_of_now(made, old.world.joint(old.joints[made.name])))
    for soft, body in done.sewn:
        _sew_again(edits, new, soft, body, old)


def _carry_state(old: NameTable, new: NameTable) -> None:
    for name, handle in new.handles.items():
        before = old.handles.get(name)
        if before is not None and not new.world.is_fixed(handle):
            _carry_body(old, new, before, handle)
    for name, handle in list(new.softs.items()):
        if name in old.softs:
            _carry_soft(old, new, old.softs[name], handle)
        else:  # it was deleted
            new.remove_soft(name)
    for name in [name for name in new.joints if name not in old.joints]:
        new.remove_joint(name)  # it broke or was cut
    new.gone |= old.gone
    for name, handle in new.joints.items():
        _carry_joint(old, new, old.joints[name], handle)


def _carry_body(old: NameTable, new: NameTable, before: Handle, handle: Handle) -> None:
    new.world.set_position(handle, old.world.position(before))
    new.world.set_velocity(handle, old.world.velocity(before))
    if not new.world.is_particle(handle):
        new.world.set_orientation(handle, old.world.orientation(before))
        new.world.set_angular_velocity(handle, old.world.angular_velocity(before))


def _carry_soft(old: NameTable, new: NameTable, before: Handle, handle: Handle) -> None:
    """The nodes go on as they were; if there are now others, the thing begins anew."""
    positions = old.world.node_positions(before)
    if len(positions) == len(new.world.node_positions(handle)):
        new.world.set_nodes(handle, positions, old.world.node_velocities(before))
        new.world.free_nodes(handle, new.world.pinned_nodes(handle))
        new.world.pin_nodes(handle, old.world.pinned_nodes(before))
        new.world.sever(handle, old.world.cut_threads(before))
        new.world.remove_elements(handle, old.world.cut_elements(before))


def _carry_joint(old: NameTable, new: NameTable, before: Handle, handle: Handle) -> None:
    was, now = old.world.joint(before).parameters, new.world.joint(handle).parameters
    changed = {key: was[key] for key in _CARRIED if key in was and was[key] != now.get(key)}
    if changed:
        new.world.set_joint(handle, **changed)


def _as_of_now(made: Join, was: JointInfo) -> Join:
    """A joint made by hand, where it is by now; bodies must have been carried over."""
    given = {k: v for k, v in made.parameters.items() if k not in ("at", "at_a", "at_b", "axis")}
    if JOINTS[made.kind].anchors == "separate":
        given |= {"at_a": vec(was.anchor_a), "at_b": vec(was.anchor_b)}
        given |= {key: was.parameters[key] for key in _CARRIED if key in given}
    else:
        given["at"] = vec(was.anchor_a)
        if JOINTS[made.kind].needs_axis:
            given["axis"] = vec(was.axis)
    return Join(made.name, made.kind, made.a, made.b, given)


def _sew_again(edits: Edits, new: NameTable, soft: str, body: str, old: NameTable) -> None:
    """Every point that was sewn to a body by hand; cloths must have been carried over."""
    if soft in new.softs and soft in old.softs and body in new.handles:
        new.world.detach(new.softs[soft], new.handles[body])
        for place in old.world.seams(old.softs[soft], old.handles[body]):
            edits.sew(soft, body, vec(place))
