"""Processor cycles inside compiled code, to tell the stages of a step apart.

Only shares are taken from it: a stage's seconds are its share of the cycles times the wall time
that Python measured around the call.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def cycles(typing_context: Any) -> Any:
    """The cycle counter of the processor, as int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        counter = builder.module.declare_intrinsic(
            "llvm.readcyclecounter", fnty=ir.FunctionType(ir.IntType(64), [])
        )
        return builder.call(counter, [])

    return types.int64(), generate
