"""A session as it is seen: the stage, and the last two states between which pictures are taken."""

from typing import TYPE_CHECKING

from sandbox.render.model import Poses, between
from sandbox.render.stage import Stage

if TYPE_CHECKING:
    from levels.view_tables import Look
    from physics import Handle
    from sandbox.protocols import GameSession


class SessionView:
    """Follows a session: builds its stage again when bodies or joints come or go."""

    def __init__(self, session: "GameSession", look: "Look | None") -> None:
        self._session = session
        self.stage: Stage
        self.before: Poses
        self.after: Poses
        self.shown: Poses
        self._drawn: tuple[Handle, ...] = ()  # what the stage was built from
        self.renew(look)

    @property
    def stale(self) -> bool:
        """Has the session another world than the one that is seen?"""
        return self.stage.world is not self._session.world

    def renew(self, look: "Look | None") -> None:
        """See the session's world afresh."""
        session = self._session
        self.stage = Stage(session.world, session.plan, look)
        self._drawn = self.all_handles()
        self.hold()

    def hold(self) -> None:
        """The present state, without interpolation from the one before."""
        self.after = self.before = self.shown = self.stage.poses()

    def advance(self) -> None:
        """A step was taken in the same world."""
        self.before, self.after = self.after, self.stage.poses()

    def show(self, alpha: float) -> Poses:
        """The moment between the last two states: 0 the one before, 1 the last."""
        self.shown = between(self.before, self.after, alpha)
        return self.shown

    @property
    def changed(self) -> bool:
        """A winch took in or paid out rope, or something broke, was let go or deleted. Cheap."""
        session = self._session
        count = len(session.handles) + len(session.joints) + len(session.softs)
        return self.stage.plan is not session.plan or count != len(self._drawn)

    def rebuild_if_changed(self) -> bool:
        """Build the stage again if it shows other bodies and joints than there are."""
        handles = self.all_handles()
        if handles == self._drawn and self.stage.plan is self._session.plan:
            return False
        self._drawn = handles
        self.stage.plan = self._session.plan
        self.stage.rebuild()
        return True

    def all_handles(self) -> "tuple[Handle, ...]":
        session = self._session
        return (*session.handles.values(), *session.joints.values(), *session.softs.values())
