"""Where the time goes, per frame and per step."""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.ui.theme import Fonts
from sandbox.ui.widgets import heading

if TYPE_CHECKING:
    from sandbox.window.game import Game


def profiler(game: "Game", fonts: Fonts) -> None:
    """Milliseconds, and how the last step was solved."""
    parts = game.timer.parts
    total = sum(parts.values())
    imgui.push_font(fonts.mono, fonts.mono_size)
    imgui.text(f"{1 / max(total, 1e-6):.0f} frames/s   {game.renderer.quality.name}")
    for name, seconds in parts.items():
        imgui.text(f"{name:<14} {1000 * seconds:7.2f} ms")
    heading("step")
    stats, traces = game.player.world.stats, game.player.monitor.traces
    for name, seconds in stats.times.items():
        imgui.text(f"{name:<14} {1000 * float(seconds):7.3f} ms")
    for name in ("sweeps", "newton", "residual"):
        imgui.text(f"{name:<14} {traces.last(name):7.3g}")
    guard = {key: count for key, count in stats.guard.items() if count}
    imgui.text("guard: " + (", ".join(f"{k} {v}" for k, v in guard.items()) or "quiet"))
    imgui.pop_font()
