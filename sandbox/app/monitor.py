"""What a step leaves to see and hear: numbers for the plots, messages, cards, blows."""

from typing import TYPE_CHECKING, Any

import numpy as np

from sandbox.app.traces import SELDOM, Traces
from sandbox.audio.sound import Impact, material_of

if TYPE_CHECKING:
    from sandbox.app.state import GuiState
    from sandbox.render.stage import Stage

_IMPACTS_KEPT = 64  # more than that nobody hears


class Noticing:
    """The part of the player that looks at each step once it is taken."""

    if TYPE_CHECKING:
        session: Any
        state: GuiState
        stage: Stage
        traces: Traces
        impacts: list[Impact]

        @property
        def world(self) -> Any: ...

    def _shows_numbers(self) -> bool:
        return self.state.plots or self.state.profiler or "guard" in self.state.overlays

    def _looks_closely(self) -> bool:
        """Is this a step whose statistics are read? Putting them together costs a tenth of a frame:
        while nobody sees them, and nothing can come apart, now and then is enough."""
        return (
            self._shows_numbers()
            or self.session.tick % SELDOM == 0
            or self.world.stabilization != "adaptive"
        )

    @property
    def watched(self) -> Any:
        """The joint whose force is plotted: the one clicked, or one in the middle of a rope."""
        joints = self.stage.ropes.span_joints
        candidates = (self.state.joint, *joints[len(joints) // 2 :])
        return next((joint for joint in candidates if joint is not None), None)

    @property
    def watched_name(self) -> str:
        joint = self.watched
        return self.session.name_of(joint) if joint is not None else ""

    def _watched_force(self) -> float:
        joint = self.watched
        if joint is None:
            return 0.0
        try:
            return float(np.linalg.norm(self.world.joint_force(joint)[0]))
        except ValueError:  # cut within this very step; the stage is looked at anew after it
            return 0.0

    def _notice(self, events: list[Any]) -> None:
        for event in events:
            if event.kind == "broken":
                self.state.say(f"{event.text or 'a joint'} broke", bad=True)
            elif event.kind == "say":
                self.state.say(event.text)
            elif event.kind in ("won", "lost"):
                self.state.card = True
            elif event.kind == "contact" and len(event.data) >= 4:
                self._hear(*event.data[:4])

    def _hear(self, a: Any, b: Any, point: Any, impulse: float) -> None:
        """The lighter of the two is what sounds."""
        movable = [h for h in (a, b) if h is not None and not self.world.is_fixed(h)]
        if not movable or len(self.impacts) > _IMPACTS_KEPT:
            return
        lighter = min(movable, key=lambda h: float(self.world.mass(h)))
        planned = (
            self.session.plan.movable(self.session.name_of(lighter)) if self.session.plan else None
        )
        material = material_of(planned.look if planned is not None else None)
        mass = float(self.world.mass(lighter))
        self.impacts.append(Impact(np.asarray(point, float), float(impulse), mass, material))
