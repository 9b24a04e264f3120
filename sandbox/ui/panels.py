"""Every panel and every page, once: the menu, the keys, the help page and the layout follow.

A panel stands beside the picture; `draw` fills its window, which the interface has opened. A page
covers the picture and opens its own. To add one, write its `draw` and a row here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox.ui import forces, pages, plots, profiler, settings_page, sliders, wall_page
from sandbox.ui.theme import Fonts

if TYPE_CHECKING:
    from sandbox.window.game import Game


@dataclass(frozen=True)
class Panel:
    """Something that can be opened; its name is also that of the action that opens it."""

    name: str
    key: str  # by default
    icon: str  # of Font Awesome 4
    title: str
    draw: Callable[["Game", Fonts], None]
    width: float = 0.0  # pixels at scale 1, as the next
    height: float = 60.0  # that it needs at least
    right: bool = False  # at the right edge; the others stand beside each other from the left
    reads: frozenset[str] = frozenset()  # what it shows of every step: "stats", "energy"


def _table(*panels: Panel) -> dict[str, Panel]:
    return {panel.name: panel for panel in panels}


_ALL = frozenset({"stats", "energy"})

# In this order they find room: the last ones give way where the window is narrow.
PANELS = _table(
    Panel("plots", "F4", "\uf201", "Plots", plots.plots, plots.WIDTH, plots.HEIGHT, reads=_ALL),
    Panel(
        "profiler", "F3", "\uf0e4", "Profiler", profiler.profiler, 216.0, reads=frozenset({"stats"})
    ),
    Panel("forces", "F7", "\uf24e", "Forces on the selected body", forces.forces, forces.WIDTH),
    Panel("sliders", "F6", "\uf1de", "Sliders", sliders.sliders, 260.0, right=True),
)

PAGES = _table(
    Panel("wall", "Escape", "\uf00a", "Level wall; closes what is open", wall_page.wall),
    Panel("settings", "F2", "\uf085", "Settings", settings_page.settings_page),
    Panel("help", "F1", "\uf128", "Help", pages.help_page),
)
