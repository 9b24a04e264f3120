"""Keep the motion while the world is rebuilt: a slider moved, or the file was saved.

Bodies are matched by name. What exists in both worlds takes position, orientation and velocities
from the old one; joints keep the length or target they were driven to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from levels.build import Assembly
from levels.frames import vec
from physics import JOINTS, Handle, JointInfo

if TYPE_CHECKING:
    from levels.assembled import Things
    from levels.commands import Join

_CARRIED = ("length",)


def same_things(old: Assembly, new: Assembly, added: set[str]) -> bool:
    """Can the motion be carried over? Not if the level itself now consists of other parts."""
    return all(
        getattr(old.plan, kind).keys() - added == getattr(new.plan, kind).keys()
        for kind in ("bodies", "particles", "joints", "softs")
    )


def carry_state(old: Assembly, new: Assembly) -> set[str]:
    """Move everything in `new` as it moves in `old`; returns the joints that stay broken."""
    for name, handle in new.handles.items():
        before = old.handles.get(name)
        if before is not None and not new.world.is_fixed(handle):
            _carry_body(old, new, before, handle)
    for name, handle in list(new.softs.items()):
        if name in old.softs:
            _carry_soft(old, new, old.softs[name], handle)
        else:  # it was deleted
            new.world.remove(new.softs.pop(name))
    broken = {name for name in new.joints if _was_broken(old, name)}
    for name in broken:
        new.world.remove(new.joints.pop(name))
    for name, handle in new.joints.items():
        _carry_joint(old, new, old.joints[name], handle)
    return broken


def _was_broken(old: Assembly, name: str) -> bool:
    return name not in old.joints


def _carry_body(old: Assembly, new: Assembly, before: Handle, handle: Handle) -> None:
    new.world.set_position(handle, old.world.position(before))
    new.world.set_velocity(handle, old.world.velocity(before))
    if not new.world.is_particle(handle):
        new.world.set_orientation(handle, old.world.orientation(before))
        new.world.set_angular_velocity(handle, old.world.angular_velocity(before))


def _carry_soft(old: Assembly, new: Assembly, before: Handle, handle: Handle) -> None:
    """The nodes go on as they were; if there are now others, the thing begins anew."""
    positions = old.world.node_positions(before)
    if len(positions) == len(new.world.node_positions(handle)):
        new.world.set_nodes(handle, positions, old.world.node_velocities(before))
        new.world.free_nodes(handle, new.world.pinned_nodes(handle))
        new.world.pin_nodes(handle, old.world.pinned_nodes(before))
        new.world.sever(handle, old.world.cut_threads(before))
        new.world.remove_elements(handle, old.world.cut_elements(before))


def _carry_joint(old: Assembly, new: Assembly, before: Handle, handle: Handle) -> None:
    was, now = old.world.joint(before).parameters, new.world.joint(handle).parameters
    changed = {key: was[key] for key in _CARRIED if key in was and was[key] != now.get(key)}
    if changed:
        new.world.set_joint(handle, **changed)


def join_again(things: Things, made: Join, was: JointInfo) -> None:
    """A joint made by hand, where it is by now; bodies must have been carried over."""
    given = {k: v for k, v in made.parameters.items() if k not in ("at", "at_a", "at_b", "axis")}
    if JOINTS[made.kind].anchors == "separate":
        given |= {"at_a": vec(was.anchor_a), "at_b": vec(was.anchor_b)}
        given |= {key: was.parameters[key] for key in _CARRIED if key in given}
    else:
        given["at"] = vec(was.anchor_a)
        if JOINTS[made.kind].needs_axis:
            given["axis"] = vec(was.axis)
    things.join(made.name, made.kind, made.a, made.b, given)


def sew_again(things: Things, soft: str, body: str, old: Assembly) -> None:
    """Every point that was sewn to a body by hand; cloths must have been carried over."""
    if soft in things.softs and soft in old.softs and body in things.handles:
        things.world.detach(things.softs[soft], things.handles[body])
        for place in old.world.seams(old.softs[soft], old.handles[body]):
            things.sew(soft, body, place)
