"""What triggers can do: `then = "release('hook')"`. Written and checked like conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from levels.expressions import ARITHMETIC, Function

if TYPE_CHECKING:
    from levels.runtime import Session

ACTIONS: dict[str, Function] = {}


def _action(name: str, *arguments: str) -> Callable[[Any], Any]:
    def register(call: Callable[..., None]) -> Callable[..., None]:
        doc = " ".join((call.__doc__ or "").split())

        def act(session: Session, *values: Any) -> bool:
            call(session, *values)
            return True

        ACTIONS[name] = Function(name, doc, arguments, "truth", act)
        return call

    return register


@_action("release", "joint")
def _release(session: Session, joint: str) -> None:
    """Open a joint, or all joints of a prop."""
    session.edits.cut(joint)


@_action("push", "body", "number", "number", "number")
def _push(session: Session, body: str, x: float, y: float, z: float) -> None:
    """Hit a body with an impulse, N s."""
    session.world.apply_impulse(session.handle(body), (x, y, z))


@_action("drive", "joint", "number")
def _drive(session: Session, joint: str, speed: float) -> None:
    """Set the speed of a joint's motor, rad/s or m/s."""
    session.drive(joint, speed)


@_action("pin", "body")
def _pin(session: Session, body: str) -> None:
    """Fix a body where it is."""
    session.edits.pin(body)


@_action("say", "text")
def _say(session: Session, text: str) -> None:
    """Show a line of text to the player."""
    session.say(text)


@_action("win")
def _win(session: Session) -> None:
    """The level is won."""
    session.finish("won")


@_action("lose")
def _lose(session: Session) -> None:
    """The level is lost."""
    session.finish("lost")


VOCABULARY: dict[str, Function] = {**ARITHMETIC, **ACTIONS}
