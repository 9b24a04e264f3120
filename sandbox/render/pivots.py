"""Where parts are hinged. Asked for every body: the joints are looked at once, not for each."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from physics import JOINTS
from sandbox.render.rope_lines import attach, find_or_none

if TYPE_CHECKING:
    from levels.plan import Group
    from physics import Handle
    from sandbox.protocols import DrawnWorld


class Pivots:
    """Of a world as it is now; made anew when joints come or go."""

    def __init__(self, world: "DrawnWorld") -> None:
        self._world = world
        self._joints_of: dict[str, dict[Handle, Handle]] = {}  # prop, "" for none → body → joint

    def of(self, body: "Handle", group: "Group | None") -> npt.NDArray[np.floating] | None:
        """In the body's own frame: the first joint of its prop, or of all, that it turns about."""
        name = group.name if group is not None else ""
        if name not in self._joints_of:
            self._joints_of[name] = self._first_joints(group)
        joint = self._joints_of[name].get(body)
        if joint is None:
            return None
        anchor = np.asarray(self._world.joint(joint).anchor_a, float)
        return np.array(attach(self._world, body, anchor).local)

    def _first_joints(self, group: "Group | None") -> "dict[Handle, Handle]":
        if group is not None:
            found = (find_or_none(self._world, name) for name in group.joints)
            joints = [joint for joint in found if joint is not None]
        else:
            joints = self._world.handles("joint")
        first: dict[Handle, Handle] = {}
        for joint in joints:
            info = self._world.joint(joint)
            if JOINTS[info.kind].pivot:
                for body in filter(None, (info.a, info.b)):
                    first.setdefault(body, joint)
        return first
