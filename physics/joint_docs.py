"""The documentation of `World.add_joint`, from the table of joint kinds."""

from collections.abc import Iterator

from physics.constraints import JOINTS
from physics.constraints.registry import Parameter


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
    unit = f" [{spec.unit}]" if spec.unit else ""
    default = "required" if spec.required else f"default {spec.default!r}"
    return f"{spec.doc}{unit}; {default}"
