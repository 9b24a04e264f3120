"""What unit impulses of contacts do to all that they push.

The response A⁻¹ Jᵀ is a product with 1/m and I⁻¹ for a free body (`packed.py`), and a solve with
the factor of the whole component for a body that hangs on joints, which therefore hold exactly
whatever the contacts do.
"""

import math

from physics.contact.contact_rows import torque_offset
from physics.contact.packed import LIGHT, SLIP, fill_packed_response
from physics.jit import kernel
from physics.solver.ldu import solve_three
from physics.solver.projection import immovable

_PLANAR = 1e-9  # det S_tt / s² below which there is one tangent only: two dimensions


@kernel
def fill_responses(system, rows):
    """A⁻¹ Jᵀ with the present factor; writes inverse, response, block and packed."""
    rows.inverse, rows.reads = system.inverse, system.reads
    share = immovable(system)
    for c in system.contacts:
        held = False
        for i in range(6):
            rows.given[c, i] = 0.0
        if rows.simple[c]:
            fill_packed_response(rows, c)
        else:
            if rows.jointed[c]:
                _respond_jointed(system, rows, c)
                held = True
            else:
                for s in range(4):
                    if rows.place[c, s] >= 0:
                        _respond_free(system, rows, c, s, rows.place[c, s])
            if rows.rolling[c] > 0.0:
                _respond_torques(system, rows, c)
            _multiply_block(rows, c)
            if held:
                _drop_immovable(system, rows, c, share)
        _close_block(rows, c)


@kernel
def _drop_immovable(system, rows, c, share):
    """Directions in which joints hold both bodies give way by rounding only; writes block.

    An impulse that should stop such a speed would divide by nothing: it gets no row. `share`: what
    counts as rounding, of what the bodies would give way alone.
    """
    for r in range(3):
        alone = 0.0  # what the bodies would give way at least without joints
        for s in range(4):
            k = rows.place[c, s]
            if k >= 0:
                J, M = rows.J[c, s, r], system.mass[system.unknown[k]]
                square = J[0] * J[0] + J[1] * J[1] + J[2] * J[2]
                alone += square / (M[0, 0] + M[1, 1] + M[2, 2])
        if not rows.block[c, r, r] > share * alone:
            for q in range(3):
                rows.block[c, r, q], rows.block[c, q, r] = 0.0, 0.0


@kernel
def fill_node_responses(system, rows):
    """The same by node, with M̃⁻¹ a block per node in system.inverse."""
    rows.reads = system.reads
    for c in range(rows.count[0]):
        for half in range(2):
            first, stop = rows.span[c, 2 * half], rows.span[c, 2 * half + 1]
            for k in range(first, stop):
                rows.reads[0, k], rows.reads[1, first] = k, stop
        for s in range(4):
            if rows.place[c, s] >= 0:
                _respond_free(system, rows, c, s, system.position_of[rows.place[c, s]])
        _multiply_block(rows, c)
        _close_block(rows, c)


@kernel
def _index(rows, c, s):
    """Block of `response` that belongs to the place of slot s."""
    k = rows.place[c, s]
    first, stop = rows.span[c, 0], rows.span[c, 1]
    if first <= k < stop:
        return rows.offset[c] + k - first
    return rows.offset[c] + stop - first + k - rows.span[c, 2]


@kernel
def _respond_free(system, rows, c, s, k):
    """Response of a body on its own: inverse block k times the slot's Jᵀ."""
    p = _index(rows, c, s)
    for i in range(3):
        x, y, z = system.inverse[k, i, 0], system.inverse[k, i, 1], system.inverse[k, i, 2]
        for r in range(3):
            rows.response[p, i, r] = (
                x * rows.J[c, s, r, 0] + y * rows.J[c, s, r, 1] + z * rows.J[c, s, r, 2]
            )


@kernel
def _respond_jointed(system, rows, c):
    _clear(rows, c, rows.offset[c])
    for s in range(4):
        if rows.place[c, s] >= 0:
            p = _index(rows, c, s)
            for r in range(3):
                for i in range(3):
                    rows.response[p, i, r] += rows.J[c, s, r, i]
    _solve_columns(system, rows, c, rows.offset[c])


@kernel
def _respond_torques(system, rows, c):
    """Responses to unit torques on a, and against them on b, about the axes of the world."""
    p = torque_offset(rows, c)
    _clear(rows, c, p)
    for s in range(1, 4, 2):
        if rows.place[c, s] >= 0:
            for r in range(3):
                rows.response[p - rows.offset[c] + _index(rows, c, s), r, r] += 2.0 - s
    _solve_columns(system, rows, c, p)


@kernel
def _clear(rows, c, p):
    """Zeroes the response that begins at p."""
    span = rows.span
    for k in range(p, p + span[c, 1] - span[c, 0] + span[c, 3] - span[c, 2]):
        for r in range(3):
            for i in range(3):
                rows.response[k, r, i] = 0.0


@kernel
def _solve_columns(system, rows, c, p):
    """The response that begins at p, where the right sides are; writes response."""
    for half in range(2):
        first, stop = rows.span[c, 2 * half], rows.span[c, 2 * half + 1]
        if stop > first:
            solve_three(system, rows.response, p - first, first, stop)
        p += stop - first


@kernel
def _multiply_block(rows, c):
    """J A⁻¹ Jᵀ of one contact from its response; writes block."""
    block = rows.block
    for r in range(3):
        for q in range(3):
            total = 0.0
            for s in range(4):
                if rows.place[c, s] >= 0:
                    p = _index(rows, c, s)
                    for i in range(3):
                        total += rows.J[c, s, r, i] * rows.response[p, i, q]
            block[c, r, q] = total


@kernel
def _close_block(rows, c):
    """What row updates need of the block; writes packed."""
    block = rows.block
    a, b, off = block[c, 1, 1], block[c, 2, 2], 0.5 * (block[c, 1, 2] + block[c, 2, 1])
    half = 0.5 * (a - b)
    slip = 0.5 * (a + b) + math.sqrt(half * half + off * off)
    det = a * b - off * off
    packed = rows.packed
    packed[c, LIGHT] = 1.0 / block[c, 0, 0] if block[c, 0, 0] > 0.0 else 0.0
    packed[c, 49], packed[c, 50] = block[c, 1, 0], block[c, 2, 0]
    packed[c, 51], packed[c, 52], packed[c, 53] = 0.0, 0.0, 0.0
    if det > _PLANAR * slip * slip:
        packed[c, 51], packed[c, 52], packed[c, 53] = b / det, -off / det, a / det
    packed[c, SLIP] = slip if slip > 0.0 else 1.0  # nothing gives way: any speed is as good
    packed[c, 55], packed[c, 56], packed[c, 57] = a, off, b
    _invert(block, packed, c, det)


@kernel
def _invert(block, packed, c, det):
    """S⁻¹ from its cofactors, det that of S_tt; writes packed, zero where S has none."""
    n, a, b = block[c, 0, 0], block[c, 1, 1], block[c, 2, 2]
    p = 0.5 * (block[c, 0, 1] + block[c, 1, 0])
    q = 0.5 * (block[c, 0, 2] + block[c, 2, 0])
    off = 0.5 * (block[c, 1, 2] + block[c, 2, 1])
    by_p, by_q = q * off - p * b, p * off - q * a
    whole = n * det + p * by_p + q * by_q
    scale = 0.0
    if whole > _PLANAR * n * a * b:
        scale = 1.0 / whole
    packed[c, 58], packed[c, 59], packed[c, 60] = scale * det, scale * by_p, scale * by_q
    packed[c, 61] = scale * (n * b - q * q)
    packed[c, 62] = scale * (p * q - n * off)
    packed[c, 63] = scale * (n * a - p * p)
