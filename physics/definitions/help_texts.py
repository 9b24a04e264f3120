"""What `help` says of calls of the World whose keys are declared elsewhere, once."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, get_args, get_type_hints

from physics.constraints import JOINTS
from physics.constraints.registry import Parameter


class Described(Protocol):
    """What is to be said of a key."""

    @property
    def default(self) -> object: ...

    @property
    def doc(self) -> str: ...


def explain(call: Callable[..., Any], table: type, keys: Mapping[str, Described]) -> None:
    """A call with **keys shows every key of the table in its help and to editors."""
    told = "\n".join(f"        {name}: {key.doc}" for name, key in keys.items())
    hints = get_type_hints(table, include_extras=True)
    written = inspect.signature(call)
    named = [p for p in written.parameters.values() if p.kind is not p.VAR_KEYWORD]
    added = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=key.default,
            annotation=get_args(hints[name])[0],
        )
        for name, key in keys.items()
    ]
    call.__doc__ = f"{call.__doc__}\n{told}\n"
    call.__signature__ = written.replace(parameters=[*named, *added])  # type: ignore[attr-defined]


def joint_docs() -> str:
    """Every kind with its call and its parameters, as indented text."""
    return "\n".join(f"        {line}".rstrip() for line in _lines())


def _lines() -> Iterator[str]:
    yield "Kinds, how each is called, and its parameters:"
    for kind in JOINTS.values():
        yield ""
        yield f"add_joint{kind.signature}"
        yield f"    {' '.join(kind.doc.split())}"
        for spec in kind.parameters.values():
            yield f"    {spec.name}: {_told(spec)}"
            for field in spec.fields:
                yield f"        {field.name}: {_told(field)}"


def _told(spec: Parameter) -> str:
    default = "Required." if spec.required else f"Default: {spec.default!r}."
    return f"{spec.doc} {default}"
