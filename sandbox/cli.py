"""The `sandbox` command: finds the verb, runs it, and turns every failure into a sentence.

Exit codes: see `levels.exit_codes`. A mistake of ours is one line too; TAUT_DEBUG=1 shows it all.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import NoReturn

from levels.exit_codes import ExitCode
from sandbox import commands
from sandbox.messages import (
    MachineProblem,
    UsageProblem,
    accept_any_text,
    error,
    internal_error,
    warn,
)

_ORDER = (
    "play", "list", "run", "test", "check", "new", "share", "render", "replay", "doctor", "config",
)  # fmt: skip

_DESCRIPTION = """\
Taut: the physics sandbox in which nothing explodes.

  sandbox                                      play the crane
  sandbox run crane --seconds 10 --set load=1e6   run a level without a window
  sandbox new my.toml && sandbox play my.toml  start a level of your own
"""


_EXIT_CODES = """\
exit codes: 0 passed, 1 an expectation failed, 2 bad level or usage, 3 diverged, 4 environment,
5 internal error (TAUT_DEBUG=1 shows where), 6 the guard held something still, 130 interrupted
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    accept_any_text()
    arguments = list(sys.argv[1:] if argv is None else argv)
    verbs = {module.name.replace("_", "-") for module in iter_modules(commands.__path__)}
    try:
        return _dispatch(_with_verb(_unpacked(arguments), verbs), verbs)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.PASSED
    except (Exception, KeyboardInterrupt) as problem:
        return _explained(problem)


def _explained(problem: BaseException) -> ExitCode:
    """Says what went wrong in a sentence, and which code that is."""
    from levels.problems import LevelError

    if isinstance(problem, LevelError):
        warn(str(problem))
        return ExitCode.BAD_LEVEL
    if isinstance(problem, UsageProblem):
        error(str(problem))
        return ExitCode.BAD_LEVEL
    if isinstance(problem, MachineProblem):
        error(str(problem))
        return ExitCode.ENVIRONMENT
    if isinstance(problem, KeyboardInterrupt):
        warn(f"\nsandbox: interrupted; {problem if problem.args else 'nothing was changed'}")
        return ExitCode.INTERRUPTED
    if isinstance(problem, OSError | MemoryError):
        error(_machine_sentence(problem))
        return ExitCode.ENVIRONMENT
    error(internal_error(problem))
    return ExitCode.INTERNAL


def _machine_sentence(problem: OSError | MemoryError) -> str:
    if isinstance(problem, MemoryError):
        return "there is not enough memory for this"
    name = f"{problem.filename}: " if problem.filename else ""
    return f"{name}{problem.strerror or problem}"


def _unpacked(arguments: list[str]) -> list[str]:
    """A level that comes as text stands for the file that is made of it."""
    if not any(argument.startswith("taut:") for argument in arguments):
        return arguments
    from levels.sharing import is_shared, open_shared
    from sandbox.settings import settings_path

    folder = settings_path().parent / "shared"
    return [
        str(open_shared(argument, folder)) if is_shared(argument) else argument
        for argument in arguments
    ]


def _with_verb(arguments: list[str], verbs: set[str]) -> list[str]:
    """No verb means play: `sandbox`, `sandbox crane`, `sandbox my.toml`."""
    if not arguments:
        return ["play"]
    first = arguments[0]
    is_level = first.endswith(".toml") or (first not in verbs and _is_shipped(first))
    return ["play", *arguments] if is_level else arguments


def _is_shipped(name: str) -> bool:
    from levels.library import is_shipped

    return is_shipped(name)


def _dispatch(arguments: list[str], verbs: set[str]) -> int:
    parser = _Parser(
        prog="sandbox",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="sandbox [VERB] [LEVEL] [options]",
    )
    parser.add_argument("--version", action="version", version=f"taut {_version()}")
    subparsers = parser.add_subparsers(
        metavar="VERB", title="verbs", parser_class=_Parser, prog="sandbox"
    )
    wanted = arguments[0] if arguments[0] in verbs else None
    for verb in sorted(verbs, key=_rank):
        # only the chosen verb's options are built; the others lend their one line of help
        module = import_module(f"sandbox.commands.{verb.replace('-', '_')}")
        _add_verb(subparsers, verb, module, full=verb == wanted)
    parsed = parser.parse_args(arguments)
    if not hasattr(parsed, "run"):
        parser.print_help()
        return ExitCode.BAD_LEVEL
    return _run(parsed)


def _run(parsed: argparse.Namespace) -> int:
    from levels.problems import LevelError

    try:
        return int(parsed.run(parsed))
    except LevelError as problem:
        warn(str(problem))
        return ExitCode.BAD_LEVEL


def _rank(verb: str) -> tuple[int, str]:
    return (_ORDER.index(verb) if verb in _ORDER else len(_ORDER), verb)


def _add_verb(subparsers: object, verb: str, module: ModuleType, full: bool) -> None:
    examples = "\n".join(f"  {example}" for example in module.EXAMPLES)
    child = subparsers.add_parser(  # type: ignore[attr-defined]
        verb,
        help=module.HELP,
        description=f"{module.HELP}\n\n{examples}\n{getattr(module, 'DETAILS', '')}",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if full:
        module.configure(child)
        child.set_defaults(run=module.run)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("taut")
    except PackageNotFoundError:
        return "(not installed)"


class _Parser(argparse.ArgumentParser):
    """argparse, but a mistake names the nearest verb and points at --help."""

    def error(self, message: str) -> NoReturn:
        from levels.problems import did_you_mean

        if "invalid choice" in message:
            word = message.partition("invalid choice: ")[2].partition(" (")[0].strip("'")
            choices = message.partition("choose from ")[2].rstrip(")").replace("'", "").split(", ")
            hint = did_you_mean(word, choices) or f"verbs and levels: {', '.join(choices)}"
            raise UsageProblem(f'there is no verb or level "{word}"; {hint}')
        raise UsageProblem(f"{message}\nsee `{self.prog} --help`")


if __name__ == "__main__":
    sys.exit(main())
