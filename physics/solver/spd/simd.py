"""The register tile under every dense operation of the factorisation: C -= A Bᵀ.

The compiler vectorises `axpy` loops, but it reloads and stores C for every rank-one term and guards
every short loop with overlap checks: measured 5 Gflop/s here. Holding an 8x6 piece of C in vector
registers over the whole inner dimension gives 25-40 Gflop/s, which no arrangement of scalar Python
reaches (LLVM keeps the 48 accumulators scalar). So this one kernel is written as LLVM vector code.
A vector of four doubles is split by LLVM where the hardware is narrower, so it is portable.

The products are fused multiply-adds: one rounding instead of two, on purpose and in a fixed order,
hence reproducible bit for bit on one machine, without any fast-math permission.

Bounds are checked where Numba checks those of ordinary indices: with NUMBA_BOUNDSCHECK=1.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic

LANES = 4  # doubles in a vector; rows of every panel are padded to a multiple of it

_INT = ir.IntType(64)
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)


def _constant(value: int) -> ir.Constant:
    return ir.Constant(_INT, value)


def _checker(context: Any, builder: Any, signature: Any, arguments: Any) -> Callable[..., None]:
    """check(position, begin, steps, reach): emit code that raises IndexError unless the argument
    at that position has all of [begin … begin + Σ (count - 1) stride + reach].

    `steps` are pairs (count, stride), strides ≥ 0; where a count is 0 nothing is touched. Emits
    nothing without NUMBA_BOUNDSCHECK.
    """

    def check(position: int, begin: Any, steps: Any, reach: int) -> None:
        if not config.BOUNDSCHECK:
            return
        make = context.make_array(signature.args[position])
        (size,) = cgutils.unpack_tuple(builder, make(context, builder, arguments[position]).shape)
        touched, last = ir.Constant(ir.IntType(1), 1), builder.add(begin, _constant(reach))
        for count, stride in steps:
            touched = builder.and_(touched, builder.icmp_signed(">", count, _constant(0)))
            ahead = builder.mul(builder.sub(count, _constant(1)), stride)
            last = builder.add(last, ahead)
        with builder.if_then(touched):
            for index in (begin, last):
                cgutils.do_boundscheck(context, builder, index, size)

    return check


def _splat(builder: Any, scalar: Any) -> Any:
    """All lanes of a vector set to one scalar."""
    index = ir.IntType(32)
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(undefined, scalar, ir.Constant(index, 0))
    zeros = ir.Constant(ir.VectorType(index, LANES), [0] * LANES)
    return builder.shuffle_vector(first, undefined, zeros)


def _vector_at(builder: Any, base: Any, offset: int) -> Any:
    """Pointer to the vector that starts `offset` doubles after `base`."""
    return builder.bitcast(builder.gep(base, [_constant(offset)]), _VECTOR.as_pointer())


def _fma(builder: Any) -> Any:
    kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
    return cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{LANES}f64")


def _accumulate(builder: Any, a: Any, b: Any, sizes: Any, strides: Any) -> list[list[Any]]:
    """Emit the loop over the inner dimension; returns the accumulators [column][vector]."""
    vectors, columns, depth = sizes
    before = builder.block
    head, body, done = (builder.append_basic_block(name) for name in ("head", "body", "done"))
    builder.branch(head)
    builder.position_at_end(head)
    counters = [builder.phi(_INT) for _ in range(3)]
    for counter in counters:
        counter.add_incoming(_constant(0), before)
    sums = [[builder.phi(_VECTOR) for _ in range(vectors)] for _ in range(columns)]
    for column in sums:
        for one in column:
            one.add_incoming(ir.Constant(_VECTOR, [0.0] * LANES), before)
    k, at_a, at_b = counters
    builder.cbranch(builder.icmp_signed("<", k, depth), body, done)

    builder.position_at_end(body)
    base_a, base_b, fma = builder.gep(a, [at_a]), builder.gep(b, [at_b]), _fma(builder)
    rows = [builder.load(_vector_at(builder, base_a, LANES * v), align=8) for v in range(vectors)]
    for column in sums:
        factor = _splat(builder, builder.load(base_b))
        base_b = builder.gep(base_b, [strides[2]])
        for row, one in zip(rows, column, strict=True):
            one.add_incoming(builder.call(fma, [row, factor, one]), body)
    for counter, stride in zip(counters, (_constant(1), *strides[:2]), strict=True):
        counter.add_incoming(builder.add(counter, stride), body)
    builder.branch(head)
    builder.position_at_end(done)
    return sums


@intrinsic(prefer_literal=True)
def _tile(
    typing: Any, A: Any, a: Any, lda: Any, B: Any, b: Any, ldb: Any, step: Any, depth: Any,
    C: Any, c: Any, ldc: Any, height: Any, width: Any,
) -> Any:  # fmt: skip
    """C[c + i + j ldc] -= Σ_k A[a + i + k lda] B[b + j step + k ldb] for k < depth.

    i < height (a multiple of LANES) and j < width, both literals. All three are flat arrays with
    an offset and strides. Written: C.
    """
    index = types.intp
    signature = types.void(
        A, index, index, B, index, index, index, index, C, index, index, height, width
    )
    vectors, columns = height.literal_value // LANES, width.literal_value

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def data(position: int) -> Any:
            kind = signature.args[position]
            return context.make_array(kind)(context, builder, arguments[position]).data

        check = _checker(context, builder, signature, arguments)
        _, a, lda, _, b, ldb, step, depth, _, c, ldc, _, _ = arguments
        rows, width = LANES * vectors - 1, _constant(columns)
        check(0, a, ((depth, lda),), rows)
        check(3, b, ((depth, ldb), (width, step)), 0)
        check(8, c, ((width, ldc),), rows)
        from_a, from_b = builder.gep(data(0), [a]), builder.gep(data(3), [b])
        sums = _accumulate(builder, from_a, from_b, (vectors, columns, depth), (lda, ldb, step))
        to = builder.gep(data(8), [c])
        for column in sums:
            for v, one in enumerate(column):
                at = _vector_at(builder, to, LANES * v)
                builder.store(builder.fsub(builder.load(at, align=8), one), at, align=8)
            to = builder.gep(to, [ldc])
        return context.get_dummy_value()

    return signature, generate


def _sum_lanes(builder: Any, vector: Any) -> Any:
    """((0 + 1) + 2) + 3: a fixed order, so that equal input gives equal bits."""
    lanes = [builder.extract_element(vector, ir.Constant(ir.IntType(32), i)) for i in range(LANES)]
    total = lanes[0]
    for lane in lanes[1:]:
        total = builder.fadd(total, lane)
    return total


@intrinsic(prefer_literal=True)
def _dots(
    typing: Any, A: Any, a: Any, lda: Any, B: Any, b: Any, length: Any, C: Any, c: Any, width: Any
) -> Any:
    """C[c + j] -= Σ_i A[a + i + j lda] B[b + i] for j < width (a literal), i < length.

    Whole vectors are read: up to LANES - 1 values beyond the length must exist, and those of one
    of the factors be zero. Written: C.
    """
    index = types.intp
    signature = types.void(A, index, index, B, index, index, C, index, width)
    columns = width.literal_value

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def data(position: int) -> Any:
            kind = signature.args[position]
            return context.make_array(kind)(context, builder, arguments[position]).data

        check = _checker(context, builder, signature, arguments)
        _, a, lda, _, b, length, _, c, _ = arguments
        whole = builder.sdiv(builder.add(length, _constant(LANES - 1)), _constant(LANES))
        vectors = (whole, _constant(LANES))
        check(0, a, (vectors, (_constant(columns), lda)), LANES - 1)
        check(3, b, (vectors,), LANES - 1)
        check(6, c, (), columns - 1)
        from_a, from_b = builder.gep(data(0), [a]), builder.gep(data(3), [b])
        sums = _accumulate_dots(builder, from_a, lda, from_b, length, columns)
        to = builder.gep(data(6), [c])
        for one in sums:
            builder.store(builder.fsub(builder.load(to), _sum_lanes(builder, one)), to)
            to = builder.gep(to, [_constant(1)])
        return context.get_dummy_value()

    return signature, generate


def _accumulate_dots(
    builder: Any, a: Any, lda: Any, b: Any, length: Any, columns: int
) -> list[Any]:
    """Emit the loop of `_dots`; returns one vector of partial sums per column."""
    before = builder.block
    head, body, done = (builder.append_basic_block(name) for name in ("head", "body", "done"))
    builder.branch(head)
    builder.position_at_end(head)
    i = builder.phi(_INT)
    i.add_incoming(_constant(0), before)
    sums = [builder.phi(_VECTOR) for _ in range(columns)]
    for one in sums:
        one.add_incoming(ir.Constant(_VECTOR, [0.0] * LANES), before)
    builder.cbranch(builder.icmp_signed("<", i, length), body, done)

    builder.position_at_end(body)
    factor = builder.load(_vector_at(builder, builder.gep(b, [i]), 0), align=8)
    column, fma = builder.gep(a, [i]), _fma(builder)
    for one in sums:
        values = builder.load(_vector_at(builder, column, 0), align=8)
        one.add_incoming(builder.call(fma, [values, factor, one]), body)
        column = builder.gep(column, [lda])
    i.add_incoming(builder.add(i, _constant(LANES)), body)
    builder.branch(head)
    builder.position_at_end(done)
    return sums


@intrinsic
def _add_three(typing: Any, A: Any, a: Any, lda: Any, length: Any, C: Any, c: Any, ldc: Any) -> Any:
    """C[c + i + j ldc] += A[a + i + j lda] for i < length and three columns j. Written: C."""
    index = types.intp
    signature = types.void(A, index, index, index, C, index, index)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def data(position: int) -> Any:
            kind = signature.args[position]
            return context.make_array(kind)(context, builder, arguments[position]).data

        check = _checker(context, builder, signature, arguments)
        _, a, lda, length, _, c, ldc = arguments
        check(0, a, ((length, _constant(1)), (_constant(3), lda)), 0)
        check(4, c, ((length, _constant(1)), (_constant(3), ldc)), 0)
        from_a, to = builder.gep(data(0), [a]), builder.gep(data(4), [c])
        whole = builder.and_(length, _constant(-LANES))
        for begin, end, width in ((_constant(0), whole, LANES), (whole, length, 1)):
            _add_loop(builder, from_a, lda, to, ldc, (begin, end, width))
        return context.get_dummy_value()

    return signature, generate


def _add_loop(builder: Any, a: Any, lda: Any, c: Any, ldc: Any, span: Any) -> None:
    """Emit the loop of `_add_three` from begin to end, `width` rows at a time."""
    begin, end, width = span
    before = builder.block
    head, body, done = (builder.append_basic_block(name) for name in ("head", "body", "done"))
    builder.branch(head)
    builder.position_at_end(head)
    i = builder.phi(_INT)
    i.add_incoming(begin, before)
    builder.cbranch(builder.icmp_signed("<", i, end), body, done)

    builder.position_at_end(body)
    source, target = builder.gep(a, [i]), builder.gep(c, [i])
    sums = []
    for _ in range(3):
        from_, to = source, target
        if width == LANES:
            from_, to = _vector_at(builder, source, 0), _vector_at(builder, target, 0)
        sums.append((builder.fadd(builder.load(to, align=8), builder.load(from_, align=8)), to))
        source, target = builder.gep(source, [lda]), builder.gep(target, [ldc])
    for value, to in sums:
        builder.store(value, to, align=8)
    i.add_incoming(builder.add(i, _constant(width)), body)
    builder.branch(head)
    builder.position_at_end(done)


# Kernels call these with the arguments after `typing`, which a type checker cannot know.
tile: Any = _tile
dots: Any = _dots
add_three: Any = _add_three
