"""`sandbox config`: where the settings are, what they say, and changing one."""

import argparse
from typing import TYPE_CHECKING

from sandbox.messages import UsageProblem, tell

if TYPE_CHECKING:
    from sandbox.settings import Settings

HELP = "Show or change the settings."
EXAMPLES = (
    "sandbox config",
    "sandbox config path",
    "sandbox config set volume 0.3",
    "sandbox config reset volume",
)


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("show", help="print every setting (the default)")
    actions.add_parser("path", help="print where the file is")
    change = actions.add_parser("set", help="change one setting")
    change.add_argument("name")
    change.add_argument("value")
    reset = actions.add_parser("reset", help="one setting, or all, back to the default")
    reset.add_argument("name", nargs="?")


def run(arguments: argparse.Namespace) -> int:
    from sandbox.settings import load_settings, save_settings, settings_path

    if arguments.action == "path":
        tell(str(settings_path()))
        return 0
    settings = load_settings()
    if arguments.action == "set":
        _set(settings, arguments.name, arguments.value)
        tell(f"{arguments.name} = {_shown(settings, arguments.name)} in {save_settings(settings)}")
    elif arguments.action == "reset":
        _reset(settings, arguments.name)
        save_settings(settings)
        tell(f"{arguments.name or 'all settings'}: default again")
    else:
        _show(settings)
    return 0


def _show(settings: "Settings") -> None:
    width = max(map(len, type(settings).model_fields))
    for name, info in type(settings).model_fields.items():
        tell(f"{name:{width}} = {_shown(settings, name):10}  {info.description}")


def _shown(settings: "Settings", name: str) -> str:
    value = getattr(settings, name)
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')


def _check_name(settings: "Settings", name: str) -> None:
    from levels.problems import did_you_mean

    known = type(settings).model_fields
    if name not in known:
        hint = did_you_mean(name, known) or f"known: {', '.join(known)}"
        raise UsageProblem(f'there is no setting "{name}"; {hint}')


def _set(settings: "Settings", name: str, text: str) -> None:
    import tomllib

    from pydantic import ValidationError

    _check_name(settings, name)
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        value = text  # a bare word is text
    try:
        setattr(settings, name, value)
    except ValidationError as error:
        message = error.errors(include_url=False)[0]["msg"]
        raise UsageProblem(f"{name} = {text}: {message[:1].lower()}{message[1:]}") from None


def _reset(settings: "Settings", name: str | None) -> None:
    if name is not None:
        _check_name(settings, name)
    fresh = type(settings)()
    for key in [name] if name else type(settings).model_fields:
        setattr(settings, key, getattr(fresh, key))
