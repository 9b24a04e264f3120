"""Calling compiled code through its address.

Numba links a callee into every kernel that calls it and optimises it there once more, so a loop
around the whole step and the whole of collision detection would compile both again. Through an
address the callee stays what it is: compiled once, shared by all.

The caller must pass values of exactly the types the address was taken for; nothing checks that.
"""

from typing import Any

import numba
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def call(typing_context: Any, address: Any, arguments: Any) -> Any:
    """The int64 that the compiled function at the address returns for a tuple of arguments."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds = tuple(signature.args[1])
        unpacked = cgutils.unpack_tuple(builder, values[1])
        convention = context.call_conv
        pointer = convention.get_function_type(types.int64, kinds).as_pointer()
        function = builder.inttoptr(values[0], pointer)
        status, result = convention.call_function(builder, function, types.int64, kinds, unpacked)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result

    return types.int64(address, arguments), generate


_addresses: dict[Any, int] = {}


def address_of(function: Any, *arguments: Any) -> int:
    """Where the kernel compiled for arguments of these types is; compiles or loads it.

    A kernel that is called by address is always called with the same types, so the address is
    kept: finding it anew takes longer than a step.
    """
    if function not in _addresses:
        _addresses[function] = _find(function, arguments)
    return _addresses[function]


def _find(function: Any, arguments: tuple[Any, ...]) -> int:
    kinds = tuple(numba.typeof(argument) for argument in arguments)
    function.compile(kinds)
    compiled = function.overloads[kinds]
    if compiled.signature.return_type != types.int64:
        raise TypeError(f"{function.__name__} returns {compiled.signature.return_type}, not int64")
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))
