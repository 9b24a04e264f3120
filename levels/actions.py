"""What triggers can do: `then = "release('hook')"`. Written and checked like conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from levels.arithmetic import Function, names_of
from levels.caps import LARGEST_NUMBER
from levels.commands import SetParameter
from levels.functions import FUNCTIONS

if TYPE_CHECKING:
    from levels.level_tables import Parameter
    from levels.runtime import Session

ACTIONS: dict[str, Function] = {}


def _action(name: str, *arguments: str) -> Callable[[Any], Any]:
    def register(call: Callable[..., None]) -> Callable[..., None]:
        doc = " ".join((call.__doc__ or "").split())

        def act(session: Session, *values: Any) -> bool:
            call(session, *values)
            return True

        ACTIONS[name] = Function(name, doc, arguments, "truth", act, names_of(call))
        return call

    return register


def _nearest(spec: Parameter, value: float) -> float:
    """The value, or the nearest one that a parameter allows."""
    if spec.whole and abs(value) < 1e15:
        value = float(round(value))
    low = -LARGEST_NUMBER if spec.min is None else spec.min
    high = LARGEST_NUMBER if spec.max is None else spec.max
    return min(max(value, low), high)


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
    if not session.edits.is_pinned(body):
        session.edits.pin(body)


@_action("unpin", "body")
def _unpin(session: Session, body: str) -> None:
    """Let a pinned body go."""
    if session.edits.is_pinned(body):
        session.edits.pin(body)


@_action("weld", "body", "body")
def _weld(session: Session, a: str, b: str) -> None:
    """Join two bodies rigidly as they are."""
    session.edits.weld(a, b)


@_action("remove", "group")
def _remove(session: Session, thing: str) -> None:
    """Take a body, prop, prefab, cloth or solid out of the world."""
    session.edits.remove(thing)


@_action("spawn", "template", "number", "number", "number", "number?", "number?", "number?")
def _spawn(session: Session, template: str, *place: float) -> None:
    """Put a thing from [templates.*] in at x, y, z, moving at vx, vy, vz."""
    session.spawn(template, place[:3], place[3:] or (0.0, 0.0, 0.0))


@_action("servo", "joint", "number")
def _servo(session: Session, joint: str, target: float) -> None:
    """Set the target of a joint's servo, rad or m."""
    session.aim(joint, target)


@_action("force", "body", "number", "number", "number", "number")
def _force(session: Session, body: str, x: float, y: float, z: float, seconds: float) -> None:
    """Push a body with a force (N) for that many seconds."""
    session.pushes.add(session.names, body, (x, y, z), (0.0, 0.0, 0.0), session.time + seconds)


@_action("torque", "body", "number", "number", "number", "number")
def _torque(session: Session, body: str, x: float, y: float, z: float, seconds: float) -> None:
    """Turn a body with a torque (N m) for that many seconds."""
    session.pushes.add(session.names, body, (0.0, 0.0, 0.0), (x, y, z), session.time + seconds)


@_action("wind", "wind", "number", "number", "number")
def _wind(session: Session, name: str, x: float, y: float, z: float) -> None:
    """Set the velocity of one of the [winds.*], or of the air around a cloth or solid, m/s."""
    session.programs.set_wind(session.names, name, (x, y, z))


@_action("gravity", "number", "number", "number")
def _gravity(session: Session, x: float, y: float, z: float) -> None:
    """Set the gravity of the world, m/s²."""
    session.set_option("gravity", (x, y, z))


@_action("set", "parameter", "number")
def _set(session: Session, parameter: str, value: float) -> None:
    """Set a parameter, as its slider does, before the next step."""
    allowed = _nearest(session.level.parameters[parameter], value)
    if allowed != session.values[parameter]:
        session.later(SetParameter(parameter, allowed))


@_action("count", "counter!", "number?")
def _count(session: Session, name: str, by: float = 1.0) -> None:
    """Add to a counter; by 1 unless said otherwise."""
    session.tallies.count(name, session.tallies.counter(name) + by)


@_action("set_counter", "counter!", "number")
def _set_counter(session: Session, name: str, value: float) -> None:
    """Set a counter to a number."""
    session.tallies.count(name, value)


@_action("start", "timer!")
def _start(session: Session, name: str) -> None:
    """Start a timer, from 0."""
    session.tallies.start(name, session.time)


@_action("stop", "timer")
def _stop(session: Session, name: str) -> None:
    """Stop a timer; it is 0 then."""
    session.tallies.stop(name)


@_action("say", "text", "number?", "number?", "number?")
def _say(session: Session, text: str, *numbers: float) -> None:
    """Show a line of text to the player; each {} in it becomes one of the numbers."""
    for number in numbers:
        text = text.replace("{}", f"{number:.4g}", 1)
    session.say(text)


@_action("sound", "sound", "number?")
def _sound(session: Session, name: str, volume: float = 1.0) -> None:
    """Play a sound, at a loudness of 0 to 1."""
    session.tell("sound", name, min(max(volume, 0.0), 1.0))


@_action("follow", "body")
def _follow(session: Session, body: str) -> None:
    """Keep a body in the middle of the picture."""
    session.tell("camera", body)


@_action("look", "number", "number", "number", "number?", "number?", "number?")
def _look(session: Session, *place: float) -> None:
    """Turn the camera to x, y, z; with three more numbers from there."""
    session.tell("camera", "", *place)


@_action("win")
def _win(session: Session) -> None:
    """The level is won."""
    session.finish("won")


@_action("lose")
def _lose(session: Session) -> None:
    """The level is lost."""
    session.finish("lost")


# arguments may ask for whatever conditions can ask for
VOCABULARY: dict[str, Function] = {**FUNCTIONS, **ACTIONS}
