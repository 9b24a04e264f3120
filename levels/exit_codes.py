"""What the commands answer to the shell. Imports nothing, so that the command line can."""

from collections.abc import Iterable
from enum import IntEnum


class ExitCode(IntEnum):
    """One number for each thing that can come of a command."""

    PASSED = 0
    FAILED = 1  # an expectation did not hold, and nothing else
    BAD_LEVEL = 2  # or the command was not understood
    DIVERGED = 3
    ENVIRONMENT = 4  # this machine lacks something: a library, room on the disk
    INTERNAL = 5  # a mistake of ours
    FROZEN = 6  # the guard held something still, so the motion is not the physics'
    INTERRUPTED = 130  # Ctrl-C


_BY_WEIGHT = (
    ExitCode.PASSED,
    ExitCode.FROZEN,
    ExitCode.FAILED,
    ExitCode.BAD_LEVEL,
    ExitCode.DIVERGED,
    ExitCode.ENVIRONMENT,
    ExitCode.INTERNAL,
    ExitCode.INTERRUPTED,
)


def worst(codes: Iterable[ExitCode]) -> ExitCode:
    """The code of a command that did several things."""
    return max(codes, key=_BY_WEIGHT.index, default=ExitCode.PASSED)
