"""New nouns of levels and of the game."""

from tests.additions import Addition

PANEL = Addition(
    "panel",
    "clock",
    new={
        "sandbox/ui/clock.py": '''\
"""The time of the level."""

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from sandbox.ui.theme import Fonts

if TYPE_CHECKING:
    from sandbox.window.game import Game


def clock(game: "Game", fonts: Fonts) -> None:
    imgui.text(f"{game.player.session.time:.2f} s")
''',
    },
    changed={
        "sandbox/ui/panels.py": [
            ("from sandbox.ui.theme import Fonts", "from sandbox.ui.clock import clock\n"),
            ("PANELS = _table(", '    Panel("clock", "Ctrl+F4", "\\uf017", "Clock", clock),\n'),
        ],
    },
    check="""
from sandbox.ui.panels import PANELS
from sandbox.window.keys import ACTIONS
assert PANELS["clock"].key == "Ctrl+F4"
assert "clock" in ACTIONS
""",
    tests=("tests/app/test_keys.py", "tests/app/test_layout.py"),
    tests_named="test_keys or test_layout",
)

OVERLAY = Addition(
    "overlay",
    "paths",
    changed={
        "sandbox/app/overlays.py": [
            ("    for overlay in (", '        Overlay("paths", "Paths", _nothing),\n'),
        ],
    },
    check="""
from sandbox.app.overlays import OVERLAYS, rounds
assert "paths" in OVERLAYS and "paths" in rounds()[-1]
""",
    tests=("tests/app/test_stress.py",),
    tests_named="test_stress",
)

TOOL = Addition(
    "tool of the game",
    "stop",
    changed={
        "sandbox/app/tools.py": [
            ("TOOLS: tuple[type[Tool], ...] = (Grab, Push, Cut, Pin, Rope, Weld, Hinge, Spawn, "
             "Delete)", "TOOLS = (*TOOLS, Stop)\n"),
            ("_KNOT = 0.04  # m, radius of what a rope is tied to on a cloth", '''

class Stop(Tool):
    name, key, icon = "stop", "0", "\\uf04d"
    hint = "Click to bring a body to rest."

    def press(self, player: "Player", x: float, y: float, pick: Pick | None) -> bool:
        return pick is not None
'''),
        ],
    },
    check="""
from sandbox.app.tools import TOOLS
from sandbox.window.keys import ACTIONS
assert TOOLS[-1].name == "stop" and "tool_stop" in ACTIONS
""",
    tests=("tests/app/test_keys.py",),
    tests_named="test_keys",
)  # fmt: skip

BUILD_TOOL = Addition(
    "tool of building",
    "lasso",
    changed={
        "sandbox/workshop/build_tools.py": [
            ("    Attach,", "    Lasso,\n"),
            (
                "    from sandbox.workshop.builder import Builder",
                """

class Lasso(BuildTool):
    name, key, icon = "lasso", "9", "\\uf0c4"
    hint = "Draw around things to select them."
""",
            ),
        ],
    },
    check="""
from sandbox.workshop.build_actions import BUILD_ACTIONS
assert "lasso" in [name for name, *_ in BUILD_ACTIONS]
""",
)

PROP = Addition(
    "prop",
    "stool",
    new={
        "levels/props/stool.py": '''\
"""A stool: a seat on three legs."""

import math

from pydantic import Field

from levels.props.prop import PlacedProp, Site, prop
from levels.values import Positive
from physics import Cylinder


@prop("stool")
class Stool(PlacedProp):
    """A round seat on three legs; its place is that of the floor under it."""

    height: Positive = Field(default=0.5, description="m.")

    def build(self, site: Site) -> None:
        seat = Cylinder(radius=0.2, length=0.04)
        leg = Cylinder(radius=0.02, length=self.height)
        top = site.body("seat", seat, (0.0, self.height + 0.02, 0.0), local=True, mass=2)
        site.group.root = top
        for i in range(3):
            turn = 2.0 * math.pi * i / 3.0
            place = (0.15 * math.cos(turn), 0.5 * self.height, 0.15 * math.sin(turn))
            name = site.body(f"leg{i}", leg, place, local=True, mass=0.5)
            site.joint(f"glue{i}", "fixed", top, name, at=site.frame.point(place))
''',
    },
    check="""
from pathlib import Path
from levels import load
from levels.level_schema import json_schema
from levels.reference_page import reference
Path("l.toml").write_text('format = 1\\n[props.one]\\nkind = "stool"\\nposition = [0, 1, 0]\\n')
assert len(load("l.toml").default.plan.bodies) == 4
assert '### kind = "stool"' in reference() and "stool" in str(json_schema())
""",
    tests=("tests/levels/test_props.py",),
    tests_named="stool",
)

FUNCTION = Addition(
    "function of conditions",
    "doubled",
    changed={
        "levels/functions.py": [
            (
                "    return register",
                '''

@_function("doubled", "number")
def _doubled(session: Session, value: float) -> float:
    """Twice as much."""
    return 2.0 * value
''',
            ),
        ],
    },
    check="""
from levels.functions import FUNCTIONS
from levels.reference_page import reference
assert "doubled" in FUNCTIONS and "Twice as much" in reference()
""",
)

ACTION = Addition(
    "action of triggers",
    "nudge",
    changed={
        "levels/actions.py": [
            (
                "    session.edits.remove(thing)",
                '''

@_action("nudge", "body")
def _nudge(session: Session, body: str) -> None:
    """Wake a body."""
    session.world.set_velocity(body, session.world.velocity(body))
''',
            ),
        ],
    },
    check="""
from levels.actions import ACTIONS
from levels.reference_page import reference
assert "nudge" in ACTIONS and "nudge" in reference()
""",
)

COMMAND = Addition(
    "command",
    "wake",
    changed={
        "levels/commands.py": [
            (
                "            session.held.discard(self.key)",
                '''

@dataclass(frozen=True)
class Wake(Command):
    """A body that sleeps is woken."""

    verb: ClassVar[str] = "wake"
    body: str

    def apply(self, session: Session) -> None:
        session.world.set_velocity(self.body, session.world.velocity(self.body))
''',
            ),
        ],
    },
    check="""
from levels.commands import COMMANDS
assert COMMANDS["wake"]("ball").encode() == ["wake", "ball"]
""",
)

VERB = Addition(
    "verb of the command line",
    "count",
    new={
        "sandbox/commands/count.py": '''\
"""`sandbox count`: how many bodies a level has."""

import argparse

from sandbox.messages import tell
from sandbox.options import add_level

HELP = "Count the bodies of a level."
EXAMPLES = ("sandbox count crane",)
DETAILS = ""


def configure(parser: argparse.ArgumentParser) -> None:
    add_level(parser)


def run(arguments: argparse.Namespace) -> int:
    from levels import load

    tell(str(len(load(arguments.level).default.plan.bodies)))
    return 0
''',
    },
    check="""
from sandbox.cli import main
assert main(["count", "crane"]) == 0
""",
)

ADDITIONS = (PANEL, OVERLAY, TOOL, BUILD_TOOL, PROP, FUNCTION, ACTION, COMMAND, VERB)
