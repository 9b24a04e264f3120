"""Keys that are held become motor speeds, servo targets and lengths of rope."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from levels.plan import Drive
from levels.reel import next_speed, wind

if TYPE_CHECKING:
    from levels.runtime import Session


def steer(session: Session, drive: Drive) -> None:
    """Held keys → motor speed, servo target or rope length."""
    if drive.what == "button":
        return
    sign = (drive.forward in session.held) - (drive.back in session.held)
    if drive.what == "winch":
        _wind(session, drive, -sign * drive.speed)
        return
    now = session.progress.drives[drive.name]
    if drive.what == "motor":
        wanted = sign * drive.speed
    else:
        wanted = now + sign * drive.speed * session.world.h
        wanted = min(max(wanted, _or(drive.low, -math.inf)), _or(drive.high, math.inf))
    if wanted != now:
        session.progress.drives[drive.name] = wanted
        _set(session, drive, wanted)


def resume(session: Session, drive: Drive) -> None:
    """Drive a rebuilt world as the one before it was driven. Lengths of rope are carried over."""
    if drive.what in ("motor", "servo"):
        _set(session, drive, session.progress.drives[drive.name])


def _wind(session: Session, drive: Drive, wanted: float) -> None:
    """Let rope off (m/s, positive) or wind it in, gently, and stop gently at either end."""
    length = session.progress.drives[drive.name]
    speed = session.progress.speeds.get(drive.name, 0.0)
    if speed == wanted == 0.0:
        return
    h, low, high = session.world.h, _or(drive.low, 0.0), _or(drive.high, math.inf)
    speed = next_speed(speed, wanted, length - low, high - length, h)
    session.progress.speeds[drive.name] = speed
    changed = min(max(length + h * speed, low), high)
    if changed == length:
        return
    session.progress.drives[drive.name] = changed
    if wind(session, drive, changed - length):
        session.progress.drives[drive.name] = session.rest_length(drive.name)


def _set(session: Session, drive: Drive, value: float) -> None:
    for name in drive.joints:
        handle = session.joints.get(name)
        if handle is None:
            continue
        key = "speed" if drive.what == "motor" else "target"
        session.world.set_joint(handle, **{drive.table: {**drive.settings, key: value}})


def _or(value: float | None, default: float) -> float:
    return default if value is None else value
