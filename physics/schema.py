"""Groups of arrays, each declared once.

A group is a NamedTuple whose fields say what they hold, in which shape and unit:

    from typing import Annotated as Array

    class Bodies(NamedTuple):
        mass: Array[Floats, "n"]  # kg
        velocity: Array[Floats, "2n 3"]  # m/s, rad/s: per node, world axes
        change: Array[Floats, "2n 3", SCRATCH]  # m/s: a correction

A letter in a shape is a capacity: `allocate(Bodies, n=16)` makes arrays of zeros, and
`grown(bodies, n=32)` larger ones with the old contents in front. SCRATCH marks what is computed
anew within a step and need not be saved. Records name their dtype: Array[Records, "n", SHAPE].

 `compiled_group(Bodies)` is the same group for compiled code, one pointer instead of
some three hundred values in every call between kernels, and `numba_type(Bodies)` its Numba type,
known without any array being there: kernels can be compiled before there is a world.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

import numpy as np
from numba import types
from numba.experimental import structref
from numba.np.numpy_support import from_dtype
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.floating[Any] | np.integer[Any]]
# what users may give for arrays of one and of two dimensions
VectorLike = Sequence[float] | Numbers
RowsLike = Sequence[VectorLike] | Numbers

SCRATCH = object()  # the field is computed anew within a step

Group = TypeVar("Group", bound=tuple[Any, ...])

_TERM = re.compile(r"(\d*)([A-Za-z]?)")  # "3", "n" or "2n"; a length is a sum of such terms


class Field(NamedTuple):
    """What a group says about one of its arrays."""

    dtype: Any
    shape: tuple[str, ...]  # lengths: "3", "n", "2n", "3c+b"
    scratch: bool

    def sizes(self, capacities: dict[str, int]) -> tuple[int, ...]:
        return tuple(_length(text, capacities) for text in self.shape)


def _length(text: str, capacities: dict[str, int]) -> int:
    total = 0
    for term in text.split("+"):
        match = _TERM.fullmatch(term)
        if match is None or not term:
            raise ValueError(f'"{text}" is no length: write 3, n, 2n or 3c+b')
        factor, letter = match.groups()
        total += (int(factor) if factor else 1) * (capacities[letter] if letter else 1)
    return total


def _element(hint: Any) -> type[np.generic] | None:
    """The number type of an array's type, which NumPy writes in another way from 2.5 on."""
    if isinstance(hint, type) and issubclass(hint, np.generic):
        return hint
    return next(filter(None, map(_element, get_args(hint))), None)


@cache
def fields(group: Any) -> dict[str, Field]:
    """The arrays of a group, in order; fields of other types (nested groups) are left out."""
    found = {}
    for name, hint in get_type_hints(group, include_extras=True).items():
        notes = getattr(hint, "__metadata__", None)
        if notes is not None:
            records = [note for note in notes if isinstance(note, np.dtype)]
            dtype = records[0] if records else _element(get_args(hint)[0])
            found[name] = Field(np.dtype(dtype), tuple(notes[0].split()), SCRATCH in notes)
    return found


def allocate(
    group: type[Group], given: Mapping[str, Any] = MappingProxyType({}), /, **capacities: int
) -> Group:
    """The group with arrays of zeros, but for those that are given."""
    own = {
        name: np.zeros(field.sizes(capacities), field.dtype)
        for name, field in fields(group).items()
        if name not in given
    }
    return group(**own, **given)


def grown(arrays: Group, **capacities: int) -> Group:
    """A larger group with everything `arrays` holds in front."""
    larger = allocate(type(arrays), **capacities)
    for old, new in zip(arrays, larger, strict=True):
        new[tuple(map(slice, old.shape))] = old
    return larger


def copied(arrays: Group) -> Group:
    """The group with a copy of every array."""
    return type(arrays)(*(array.copy() for array in arrays))


def scratch_fields(group: Any) -> set[str]:
    """Names of what need not be saved."""
    return {name for name, field in fields(group).items() if field.scratch}


# --- for compiled code ------------------------------------------------------------------------


class _StructType(types.StructRef):
    """Its name tells its fields by a digest: Numba would spell them out, 15,000 letters for a
    scene, in the symbol of every kernel that is given one, and writing and reading those takes
    a tenth of the compilation."""

    name: str

    def __init__(self, fields: Any) -> None:
        super().__init__(fields)
        digest = hashlib.sha256(self.name.encode()).hexdigest()[:16]
        self.name = f"{type(self).__qualname__}.{digest}"

    def preprocess_fields(self, fields: Any) -> Any:
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


_struct_classes: dict[Any, Any] = {}
_SCALARS = {float: types.float64, int: types.int64}


def compiled_group(group: Any, module: str) -> Any:
    """A proxy class for the group; call it in compiled code with the group's arrays in order.

    Bind it to a module-level name made of the group's name and "Ref": kept kernels find it by that.
    """
    name = f"{group.__name__}Ref"
    kind = type("kind", (_StructType,), {"__module__": module, "__qualname__": f"{name}.kind"})
    proxy = type(name, (structref.StructRefProxy,), {"__module__": module, "kind": kind})
    structref.register(kind)
    structref.define_boxing(kind, proxy)
    structref.define_constructor(proxy, kind, list(group._fields))
    _struct_classes[group] = kind
    return proxy


def array_type(field: Field) -> Any:
    return types.Array(from_dtype(field.dtype), len(field.shape), "C")


@cache
def numba_type(group: Any) -> Any:
    """The Numba type of a group, compiled or a plain NamedTuple, from its declaration alone."""
    if group not in _struct_classes:
        return named_tuple_type(group)
    parts = zip(group._fields, _field_types(group), strict=True)
    return _struct_classes[group](list(parts))


def named_tuple_type(group: Any) -> Any:
    """... and of the plain NamedTuple, as Python hands it over."""
    return types.NamedTuple(_field_types(group), group)


def _field_types(group: Any) -> list[Any]:
    arrays, hints = fields(group), get_type_hints(group)
    return [
        array_type(arrays[name]) if name in arrays else _other_type(hints[name])
        for name in group._fields
    ]


def _other_type(hint: Any) -> Any:
    return _SCALARS[hint] if hint in _SCALARS else numba_type(hint)
