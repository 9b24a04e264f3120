"""What a cloth or solid shall be, checked before it is made."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from physics.checks import (
    flag,
    groups,
    indices,
    number,
    quaternion,
    rows_of_three,
    shown,
    vector,
    whole,
)
from physics.definitions.new_body import rotation_matrix
from physics.soft.models import CLOTH_PARAMETERS, SOLID_PARAMETERS, Spring, checked, completed

if TYPE_CHECKING:
    from physics.soft.soft_item import SoftItem

MOST_CELLS = 1000  # along one edge
MOST_NODES = 250_000
_INSTEAD = {  # of a soft body in a plane
    "cloth": "a rope of particles and distance joints, which is a cloth from its edge",
    "solid": "a grid of particles and compliant distance joints",
}
_NOT_NEGATIVE = ("radius", "friction")  # besides the parameters of models and materials
_ABOVE_ZERO = ("mass", "breaks_at", "ball")


def checked_soft(kind: str, name: str, dimension: int, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a soft body can be made of, or a ValueError; the keys are those of `World.add_…`,
    those of its model or material in `given["parameters"]`."""
    if dimension == 2:
        raise ValueError(
            f'{kind} "{name}" needs a world of 3 dimensions; in 2 use {_INSTEAD[kind]}'
        )
    what = f'of {kind} "{name}"'
    parameters = CLOTH_PARAMETERS if kind == "cloth" else SOLID_PARAMETERS
    given = {**given, **completed(what, parameters, given["parameters"])}
    for key in _NOT_NEGATIVE:
        if given.get(key) is not None:
            number(f"{key} {what}", given[key], least=0.0)
    for key in _ABOVE_ZERO:
        if given.get(key) is not None:
            number(f"{key} {what}", given[key], positive=True)
    for key in ("group", "mask"):
        groups(f"{key} {what}", given[key])
    checked(parameters.values(), what, given)
    pins = indices(f"pins {what}", given["pins"], MOST_NODES).tolist()
    if kind == "solid":
        _check_solid(what, given)
        return {**given, "pins": pins}
    _check_cloth(what, given)
    return {**given, "pins": pins, "springs": _springs(what, given["springs"])}


def _check_cloth(what: str, given: Mapping[str, Any]) -> None:
    flag(f"self_collision {what}", given["self_collision"])
    if given["start"] is not None:
        rows_of_three(f"start {what}", given["start"])
    if given["mesh"] is None:
        _check_size(f"size {what}", given["size"], 2)
        rows = whole(f"rows {what}", given["rows"], 2, MOST_CELLS)
        columns = whole(f"columns {what}", given["columns"], 2, MOST_CELLS)
        _check_nodes(what, rows * columns)


def _springs(what: str, given: object) -> list[Spring]:
    found: list[Spring] = []
    for spring in _list(f"springs {what}", given):
        if not isinstance(spring, Spring):
            raise ValueError(f"springs {what} must be Spring objects, not {shown(spring)}")
        whole(f"node of a spring {what}", spring.node, 0, MOST_NODES)
        vector(f"end of a spring {what}", spring.to)
        if spring.length is not None:
            number(f"length of a spring {what}", spring.length, "m", positive=True)
        found.append(spring)
    return found


def _check_solid(what: str, given: Mapping[str, Any]) -> None:
    if given["mesh"] is None:
        cells = _list(f"cells {what}", given["cells"])
        if len(cells) != 3:
            raise ValueError(f"cells {what} must be three whole numbers, not {shown(cells)}")
        x, y, z = (whole(f"cells {what}", count, 1, MOST_CELLS) + 1 for count in cells)
        _check_nodes(what, x * y * z if given["ball"] is None else x**3)
        if given["ball"] is None:
            _check_size(f"size {what}", given["size"], 3)


def _check_size(what: str, value: object, count: int) -> None:
    edges = _list(what, value)
    if len(edges) != count:
        raise ValueError(f"{what} must be {count} numbers, not {shown(value)}")
    for edge in edges:
        number(what, edge, "m", positive=True)


def _check_nodes(what: str, count: int) -> None:
    if count > MOST_NODES:
        raise ValueError(f"the mesh {what} would have {count} nodes; at most {MOST_NODES} are sane")


def _list(what: str, value: object) -> list[object]:
    try:
        return list(value)  # type: ignore[call-overload]
    except TypeError:
        raise ValueError(f"{what} must be a list, not {shown(value)}") from None


def make_soft(kind: str, name: str, given: Mapping[str, Any]) -> "SoftItem":
    """The soft body, not yet in the world."""
    from physics.soft.make import Placing, make_cloth, make_solid

    what = f'of {kind} "{name}"'
    placing = Placing(
        vector(f"position {what}", given["position"]),
        rotation_matrix(quaternion(f"orientation {what}", given["orientation"])),
        vector(f"velocity {what}", given["velocity"]),
    )
    make = make_cloth if kind == "cloth" else make_solid
    return make(what, placing, given)
