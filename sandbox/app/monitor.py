"""What a step leaves to see and hear: numbers for the plots, messages, cards, impacts."""

from typing import TYPE_CHECKING, Any

import numpy as np

from physics import STABILIZATIONS
from sandbox.app.overlays import OVERLAYS
from sandbox.app.plain_words import capital, plain_name
from sandbox.app.traces import SELDOM, Traces
from sandbox.app.watch import Watch, can_be_watched
from sandbox.audio.sound import Impact, material_of

if TYPE_CHECKING:
    from levels.runtime import Event
    from physics import Handle, Stats
    from sandbox.app.player import Player
    from sandbox.protocols import Floats

_IMPACTS_KEPT = 64  # more than that nobody hears


class Monitor:
    """Looks at each step of a player's session once it is taken."""

    def __init__(self, player: "Player") -> None:
        self._player = player
        self.traces = Traces()
        self.watch = Watch()
        self.impacts: list[Impact] = []  # since they were last asked for
        self.sounds: list[str] = []

    def _shows_numbers(self) -> bool:
        state = self._player.state
        return "stats" in state.reads or any(OVERLAYS[o].reads_stats for o in state.overlays)

    def stats(self) -> "Stats | None":
        """Of the world, if this is a step whose statistics are read. Putting them together costs a
        tenth of a frame: while nobody sees them, and nothing can come apart, now and then is
        enough."""
        player = self._player
        closely = (
            self._shows_numbers()
            or player.session.tick % SELDOM == 0
            or not STABILIZATIONS[player.world.stabilization].guarded
        )
        return player.world.stats if closely else None

    def record(self, stats: "Stats") -> None:
        """A row of numbers."""
        player = self._player
        energies = "energy" in player.state.reads or not self._shows_numbers()
        time = player.session.time
        self.traces.record(time, player.world, self._watched_force(), energies, stats)

    @property
    def subject(self) -> "Handle | None":
        """Whose motion and forces are plotted: the body that is selected, or else the joint."""
        state = self._player.state
        for handle in (state.selected, state.joint):
            if can_be_watched(self._player.session, handle):
                return handle
        return None

    def look(self) -> None:
        """After every step: at what is selected."""
        self.watch.record(self._player.session, self.subject)

    def back_to(self, time: float) -> None:
        """Time was turned back."""
        self.traces.back_to(time)
        self.watch.back_to(time)

    @property
    def watched(self) -> "Handle | None":
        """The joint whose force is plotted: the one clicked, or one in the middle of a rope."""
        joints = self._player.stage.ropes.span_joints
        candidates = (self._player.state.joint, *joints[len(joints) // 2 :])
        return next((joint for joint in candidates if joint is not None), None)

    @property
    def watched_name(self) -> str:
        joint = self.watched
        return self._player.session.name_of(joint) if joint is not None else ""

    def _watched_force(self) -> float:
        joint = self.watched
        if joint is None:
            return 0.0
        try:
            return float(np.linalg.norm(self._player.world.joint_force(joint)[0]))
        except ValueError:  # cut within this very step; the stage is looked at anew after it
            return 0.0

    def notice(self, events: "list[Event]") -> None:
        """What happened in a step."""
        state, player = self._player.state, self._player
        player.effects.begin_step()
        for event in events:
            if event.kind == "broken":
                what = plain_name(event.text, player.session.plan) if event.text else "something"
                state.say(f"{capital(what)} broke.", bad=True)
                self._break(event.text, event.data)
            elif event.kind == "say":
                state.say(event.text)
            elif event.kind in ("won", "lost"):
                state.end(event.kind, event.text)
                self.sounds.append(event.kind)
            elif event.kind == "contact" and len(event.data) >= 4:
                self._hear(*event.data[:4])

    def _break(self, name: str, data: "tuple[Any, ...]") -> None:
        """Splinters where it was, and a crack."""
        player = self._player
        self.sounds.append("snap")
        group = (
            player.session.plan.groups.get(name.partition(".")[0]) if player.session.plan else None
        )
        color = getattr(group.look, "color", None) if group is not None else None
        try:
            point = player.world.joint(data[0]).anchor_a
        except (ValueError, KeyError, IndexError):
            return
        thick = getattr(group, "radius", 0.0) or 0.06
        player.effects.splinters(np.asarray(point, float), 1.6 * thick, color or "wood")

    def _hear(
        self, a: "Handle | None", b: "Handle | None", point: "Floats", impulse: float
    ) -> None:
        """The lighter of the two is what sounds."""
        session, world = self._player.session, self._player.world
        movable = [h for h in (a, b) if h is not None and not world.is_fixed(h)]
        if not movable or len(self.impacts) > _IMPACTS_KEPT:
            return
        lighter = min(movable, key=lambda h: float(world.mass(h)))
        planned = session.plan.movable(session.name_of(lighter)) if session.plan else None
        material = material_of(planned.look if planned is not None else None)
        mass = float(world.mass(lighter))
        self._player.effects.blow(np.asarray(point, float), float(impulse), mass)
        self.impacts.append(Impact(np.asarray(point, float), float(impulse), mass, material))

    def take_sounds(self) -> list[str]:
        """Other things to hear since the last call: "snap", "won", "lost"."""
        sounds, self.sounds = self.sounds, []
        return sounds

    def take_impacts(self) -> list[Impact]:
        """Those since the last call."""
        impacts, self.impacts = self.impacts, []
        return impacts
