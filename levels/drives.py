"""Keys that are held become motor speeds, servo targets and lengths of rope."""

from __future__ import annotations

import math
from collections.abc import Set

from levels.measures import rest_length
from levels.name_table import NameTable
from levels.plan import Drive
from levels.reels import Reels, next_speed
from physics.snapshot import Saved


class Drives:
    """The level's drives: where each stands, how fast winches run, what is on their drums."""

    def __init__(self, names: NameTable) -> None:
        self._names = names
        self.reels = Reels(names)
        self._values = {drive.name: drive.start for drive in names.plan.drives}
        self._speeds: dict[str, float] = {}  # winch → m/s of rope let off

    def save(self) -> Saved:
        return {"values": dict(self._values), "speeds": dict(self._speeds)}

    def restore(self, saved: Saved) -> None:
        self._values, self._speeds = dict(saved["values"]), dict(saved["speeds"])

    def resume(self, saved: Saved) -> None:
        """Drive a rebuilt world as the one before it was driven. Lengths of rope are carried
        over with the joints."""
        self.restore(saved)
        for drive in self._names.plan.drives:
            if drive.what in ("motor", "servo"):
                self._set(drive, self._values.get(drive.name, drive.start))

    def steer(self, held: Set[str]) -> None:
        """One step of everything that the held keys drive."""
        for drive in self._names.plan.drives:
            sign = (drive.forward in held) - (drive.back in held)
            if drive.what == "winch":
                self._wind(drive, -sign * drive.speed)
            elif drive.what != "button":
                self._steer(drive, sign)

    def take(self, joint: str, value: float) -> None:
        """An action has moved the target of a servo; keys go on from there."""
        for drive in self._names.plan.drives:
            if drive.what == "servo" and joint in drive.joints:
                self._values[drive.name] = value

    def _steer(self, drive: Drive, sign: int) -> None:
        now = self._values.get(drive.name, drive.start)
        if drive.what == "motor":
            wanted = sign * drive.speed
        else:
            wanted = now + sign * drive.speed * self._names.world.h
            wanted = min(max(wanted, _or(drive.low, -math.inf)), _or(drive.high, math.inf))
        if wanted != now:
            self._values[drive.name] = wanted
            self._set(drive, wanted)

    def _wind(self, drive: Drive, wanted: float) -> None:
        """Let rope off (m/s, positive) or wind it in, gently, and stop gently at either end."""
        length = self._values.get(drive.name, drive.start)
        speed = self._speeds.get(drive.name, 0.0)
        if speed == wanted == 0.0:
            return
        h, low, high = self._names.world.h, _or(drive.low, 0.0), _or(drive.high, math.inf)
        speed = next_speed(speed, wanted, length - low, high - length, h)
        self._speeds[drive.name] = speed
        changed = min(max(length + h * speed, low), high)
        if changed == length:
            return
        self._values[drive.name] = changed
        if self.reels.wind(drive, changed - length):
            self._values[drive.name] = rest_length(self._names, drive.name)

    def _set(self, drive: Drive, value: float) -> None:
        for name in drive.joints:
            handle = self._names.joints.get(name)
            if handle is None:
                continue
            key = "speed" if drive.what == "motor" else "target"
            self._names.world.set_joint(handle, **{drive.table: {**drive.settings, key: value}})


def _or(value: float | None, default: float) -> float:
    return default if value is None else value
