"""Compare: the same level under the same input with up to four stabilizations, side by side."""

from typing import TYPE_CHECKING, Any

import numpy as np

from sandbox.render.adapter import Stage

if TYPE_CHECKING:
    from sandbox.app.player import Player
    from sandbox.app.window import Window
    from sandbox.render.renderer import Renderer

VARIANTS = ("adaptive", "geometric", "inertial", "none")


class Rival:
    """A session of its own that hears the same commands."""

    def __init__(self, name: str, session: Any) -> None:
        self.name = name
        self.session = session
        self.stage = Stage(session.world, session.plan, session.level.look)
        self.alive = True
        self._generation = session.generation

    def step(self) -> None:
        if not self.alive:
            return
        self.session.step()
        self.alive = bool(self.session.is_finite())
        if self.session.generation != self._generation:
            self._generation = self.session.generation
            self.session.set_option("stabilization", self.name)
            self.stage = Stage(self.session.world, self.session.plan, self.session.level.look)
        elif self.stage.plan is not self.session.plan or any(
            event.kind == "broken" for event in self.session.events
        ):
            self.stage.plan = self.session.plan
            self.stage.rebuild()


class Rivals:
    """Four tiles; the player's own session is not among them and waits unchanged."""

    def __init__(self, player: "Player") -> None:
        self.player = player
        level, given = player.session.level, dict(player.session.given)
        self.rivals = []
        for name in VARIANTS:
            session = level.session(**{**given, "stabilization": name})
            self.rivals.append(Rival(name, session))
        self._open = True
        player.session.listen(self._hear)
        player.state.say("comparing: " + ", ".join(VARIANTS))

    def _hear(self, tick: int, command: Any) -> None:
        for rival in self.rivals if self._open else ():
            rival.session.issue(command)

    def close(self) -> None:
        """Stop listening; the player's session goes on alone."""
        self._open = False

    def update(self, steps: int) -> None:
        for _ in range(steps):
            for rival in self.rivals:
                rival.step()

    def draw(self, renderer: "Renderer", window: "Window") -> None:
        width, height = window.size
        tile = (max(width // 2, 1), max(height // 2, 1))
        view = self.player.camera.view()
        for i, rival in enumerate(self.rivals):
            corner = ((i % 2) * tile[0], (1 - i // 2) * tile[1])
            poses = rival.stage.poses()
            if not np.isfinite(poses.positions).all():
                continue
            scene = rival.stage.scene(poses)
            renderer.render(scene, view, tile, window.canvas, corner)
