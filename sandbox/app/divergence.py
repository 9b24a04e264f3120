"""When a run blows up: rewind to just before, and find the constraint that went first.

Without stabilization a stiff system can leave the neighbourhood of its constraints within a few
steps. The record of recent states is replayed from the last one that was sound, and the first
joint whose error passes the threshold is named.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from levels.commands import Restart
from physics import STABILIZATIONS
from sandbox.app.plain_words import capital, plain_name

if TYPE_CHECKING:
    from physics import Handle, Stats
    from sandbox.app.history import History
    from sandbox.protocols import GameSession

_BROKEN = 2.0  # m of constraint error that no sound run shows
_FIRST = 0.05  # m at which a joint counts as gone
_FASTEST = 2000.0  # m/s
_REPLAY = 90  # steps
_BACK = 0.7  # s
_CHANGES = ("set", "option", "join", "cut", "spawn", "delete", "pin", "restart")


@dataclass(frozen=True)
class DivergenceReport:
    """The joint that went first (None when none could be named) and the text for the player."""

    joint: "Handle | None"
    text: str
    sound: int = 0  # a tick at which all was well: when something was last changed, or the start


def diverged(session: "GameSession", stats: "Stats | None" = None) -> bool:
    """Not finite, or far beyond anything a level does. `stats` of the world, if at hand: putting
    them together costs."""
    if not session.is_finite():
        return True
    world = session.world
    if STABILIZATIONS[world.stabilization].guarded:
        return float((stats or world.stats).error) > _BROKEN
    return float(world.constraint_error()) > _BROKEN


def find_culprit(session: "GameSession", history: "History") -> DivergenceReport:
    """Leaves the session at the moment before the divergence, but not before the change that may
    have brought it about: playing on shows it again."""
    stabilization = session.world.stabilization
    done = session.commands()
    changed = max((tick for tick, command in done if command.verb in _CHANGES), default=-1)
    steps = min(round(_BACK * float(session.world.rate)), session.tick - changed - 1)
    if not history.back(max(steps, 1) * float(session.world.h)):
        session.issue(Restart())
        session.step()
        return DivergenceReport(
            None, f"{_blame(stabilization)} It flew apart at once.", session.tick
        )
    state = session.snapshot()
    joint = None
    again = [(tick, command) for tick, command in done if tick >= session.tick]
    listener, session.on_command = session.on_command, None  # it has been heard already
    for _ in range(_REPLAY):
        for tick, command in again:
            if tick == session.tick:
                session.issue(command)
        session.step()
        joint = _worst(session)
        if joint is not None or diverged(session):
            break
    session.on_command = listener
    name = session.name_of(joint) if joint is not None else ""
    session.restore(state)
    what = plain_name(name, session.plan) if name else "everything at once"
    text = f"{_blame(stabilization)} {capital(what)} went first."
    return DivergenceReport(joint, text, max(changed, 0))


def _blame(stabilization: str) -> str:
    if stabilization == "none":
        return "Nothing was there to hold it together."
    return f"The stabilization “{stabilization}” could not hold it."


def _worst(session: "GameSession") -> "Handle | None":
    world = session.world
    worst, error = None, _FIRST
    for handle in world.handles("joint"):
        if world.is_broken(handle):
            continue
        value = float(world.joint_error(handle))
        if not np.isfinite(value) or value > error:
            worst, error = handle, value if np.isfinite(value) else np.inf
    return worst
