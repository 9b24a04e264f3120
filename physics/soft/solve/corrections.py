"""Corrections of a step with the factor at hand: links, elements, seams, and bodies that give way.

The linear step leaves links longer by ½(turn)², elements off by what is not linear in them, and
seams open by what κ gives in and the body turns. Each correction is one pair of triangular solves
for the momentum that is missing, and the rigid bodies that rows push follow it by the condensed
system of the first solve (physics/soft/coupling/coupled_solve.py): else they would be where nobody
reckoned with them. Links without compliance and seams keep their multipliers (λ ← λ - kφ, the
method of multipliers), so φ goes to zero, not to what a stiffness would leave.
"""

import numpy as np

from physics.jit import kernel, kernel_without_lock
from physics.soft.contact.soft_rows import body_speeds, evaluate, open_seams, recompute_memory
from physics.soft.elements import links
from physics.soft.elements.conserving import (
    ELEMENT_TOLERANCE,
    SEAM_TOLERANCE,
    TOUCHING_TOLERANCE,
)
from physics.soft.solve import element_residual
from physics.soft.solve.condense import follow
from physics.soft.solve.link_step import balance_links
from physics.soft.solve.soft_step import ahead
from physics.solver.spd.conjugate_gradients import solve_turned
from physics.solver.spd.matrix import multiply

SHRINKS, BIG = 0.3, 1e300  # factor by which a correction shrinks what is left, but for round-off
EASILY = 0.1  # of TOUCHING_TOLERANCE: what is less is not corrected however fast it shrinks
SLOW = 0.5  # the same of link lengths, where solves are dear: what shrinks more slowly, or ...
NEAR = 10.0  # ... takes more than the budget, goes on in the next step within so many tolerances


@kernel
def _link_residual(model, x, v, h, w):
    """Largest |φ(x₊) + Cλ| (m), and the residual momentum. Written: w.trial, w.link_trial.

    A weak link counts by how far that moves its nodes: h²k/m of it.
    """
    w.trial[:] = 0.0
    ahead(x, v, h, w.product)
    links.directions(w.product, model.link_nodes, model.link_length, w.scratch_u, w.link_trial)
    worst = 0.0
    for e in range(model.link_nodes.shape[0]):
        k, kept = model.link_stiffness[e], model.link_memory[e]
        if k > 0.0:
            off = abs(w.link_trial[e] + (1.0 - kept) * w.link_lam[e] / k)
            if model.link_slot[e] < 0:
                i, j = model.link_nodes[e, 0], model.link_nodes[e, 1]
                off *= h * h * k * (1.0 / model.mass[i] + 1.0 / model.mass[j])
            worst = max(worst, off)
        w.link_trial[e] = kept * w.link_lam[e] - k * w.link_trial[e]
    for e in range(model.link_nodes.shape[0]):
        i, j = model.link_nodes[e, 0], model.link_nodes[e, 1]
        size = h * (w.link_trial[e] - w.link_lam[e])
        for d in range(3):
            w.trial[i, d] += size * w.link_u[e, d]
            w.trial[j, d] -= size * w.link_u[e, d]
    return worst


@kernel
def _element_residual(model, state, h, damping, w):
    """Momentum that the elements give at state.v beyond what they are known to, added to w.trial.

    ½h (f̄(v) - f̄(guess)) + A (v - guess), A their part of the matrix, is what the linear step did
    not know; w.given of it the corrections so far have made good. w.delta is the change of v by
    the last solve. Returns the largest that is new, per mass, m/s. Written: w.
    """
    largest = 0.0
    for i in range(model.mass.size):
        for d in range(3):
            w.delta[i, d] *= h
    ahead(state.x, state.v, h, w.product)
    w.newest[:] = 0.0
    element_residual.forces(model, state.x, w.product, w.delta, damping / h, w, w.newest)
    for i in range(model.mass.size):
        for d in range(3):
            w.delta[i, d] = state.v[i, d] - w.guess[i, d]
    multiply(model.edges, w.own_diagonal, w.own_off, w.delta, w.product)
    for i in range(model.mass.size):
        for d in range(3):
            beyond = 0.5 * h * (w.newest[i, d] - w.average[i, d]) + w.product[i, d]
            new = 0.0 if state.pinned[i] else beyond - w.given[i, d]
            largest = max(largest, abs(new) / model.mass[i])
            w.trial[i, d] += new
            w.given[i, d] = beyond
    return largest


@kernel
def _solve_correction(board, model, symbolic, state, h, rows, met, push, kappa, w):
    """One triangular solve for what w.trial leaves over; returns the largest change, m/s.

    `push` is what is missing of the impulses on bodies. Written: state.v, rows, met.motion, push,
    w.delta, w.link_lam.
    """
    for i in range(state.pinned.size):
        if state.pinned[i]:
            w.trial[i, 0] = w.trial[i, 1] = w.trial[i, 2] = 0.0
    solve_turned(board, symbolic, w.factor, w.turn, w.trial, w.vector, w.delta)
    if push.size > 0:
        follow(met, push, w.delta)
        push[:] = 0.0
    links.closing_speed(model.link_nodes, w.link_u, w.delta, w.link_rate)
    for e in range(model.link_nodes.shape[0]):
        change = w.link_rate[e] if model.link_slot[e] >= 0 else 0.0
        w.link_lam[e] = w.link_trial[e] - model.link_stiffness[e] * h * change
    largest = 0.0
    for i in range(state.v.shape[0]):
        for d in range(3):
            state.v[i, d] += w.delta[i, d]
            largest = max(largest, abs(w.delta[i, d]))
    return largest


@kernel
def _seam_residual(rows, met, state, kappa, h, push, w):
    """Impulses of rows as they are, and what they lack; returns the largest gap of a seam, m.

    Written: rows, push, w.trial.
    """
    if rows.count[0] == 0:
        return 0.0
    body_speeds(rows, met.column, met.motion, met.velocity)
    evaluate(rows, state.v, kappa, h)
    return open_seams(rows, state.v, met, kappa, h, w.trial, push)


@kernel_without_lock
def correct_links(
    board, model, symbolic, state, h, a, corrections, budget, tolerance, rows, met, kappa, w
):
    """Take the velocity w.delta, then Newton on link lengths and seams with the factor at hand.

    Returns (corrections, worst |φ + Cλ|). The first one also takes up the momentum that round-off
    left behind, w.residual. Written: state.v, rows, met.motion, w.
    """
    state.v[:] = w.delta
    balance_links(model, h, a, state.v, 1.0, w)
    done, worst = 0, 0.0
    if model.link_nodes.shape[0] + rows.held[0] == 0:
        return done, worst
    return _correct(
        board,
        model,
        symbolic,
        state,
        state.x,
        h,
        corrections,
        budget,
        tolerance,
        rows,
        met,
        kappa,
        w,
    )


@kernel
def _correct(
    board, model, symbolic, state, x, h, corrections, budget, tolerance, rows, met, kappa, w
):
    """Links and seams from state.v on, for a step that begins at x. Returns as `correct_links`."""
    push = np.zeros(met.motion.size)
    worst = _link_residual(model, x, state.v, h, w)
    gap = _seam_residual(rows, met, state, kappa, h, push, w)
    left, done = _take_up_residual(w), 0
    while done < corrections:
        closed = worst <= tolerance and gap <= SEAM_TOLERANCE
        if closed and not (left and done == 0):
            break
        _solve_correction(board, model, symbolic, state, h, rows, met, push, kappa, w)
        done += 1
        before, wide = worst, gap
        worst = _link_residual(model, x, state.v, h, w)
        gap = _seam_residual(rows, met, state, kappa, h, push, w)
        if worst > before and not gap < wide:
            break
        slow = (budget < corrections and worst > SLOW * before) or done >= budget
        if gap <= SEAM_TOLERANCE and slow and worst < NEAR * tolerance:
            break
    recompute_memory(rows, state.v, kappa, h)
    return done, worst


@kernel_without_lock
def correct_guard(
    board, model, symbolic, state, h, corrections, budget, tolerance, rows, met, kappa, w
):
    """The same after the guard, whose directions are those at the end of the step.

    Returns the worst |φ + Cλ|. Written: state.v, rows, met, w.
    """
    w.residual[:] = 0.0
    return _correct(
        board,
        model,
        symbolic,
        state,
        w.start_x,
        h,
        corrections,
        budget,
        tolerance,
        rows,
        met,
        kappa,
        w,
    )[1]


@kernel
def _take_up_residual(w):
    """Round-off of the solve into w.trial; whether there is any. Written: w.trial."""
    left = False
    for i in range(w.trial.shape[0]):
        for d in range(3):
            left = left or w.residual[i, d] != 0.0
            w.trial[i, d] += w.residual[i, d]
    return left


@kernel_without_lock
def correct_all(
    board, model, symbolic, state, h, a, corrections, most, damping, tolerance, rows, met, kappa, w
):
    """The same of links, seams and elements, these by at most `most` corrections.

    Returns (corrections, worst |φ + Cλ|, last change by which elements are not solved yet, m/s).
    Written: state.v, rows, met.motion, w.
    """
    for i in range(state.v.shape[0]):
        for d in range(3):
            state.v[i, d] = w.delta[i, d]
            w.delta[i, d] -= w.guess[i, d]
            w.given[i, d] = 0.0
    push = np.zeros(met.motion.size)
    balance_links(model, h, a, state.v, 1.0, w)
    worst = _link_residual(model, state.x, state.v, h, w)
    _element_residual(model, state, h, damping, w)
    gap = _seam_residual(rows, met, state, kappa, h, push, w)
    _take_up_residual(w)
    done, change, residual, before = 0, 0.0, 0.0, 0.0
    while True:
        open_links = done < corrections and (worst > tolerance or gap > SEAM_TOLERANCE)
        rough = change > 0.0 and ELEMENT_TOLERANCE < residual < SHRINKS * before
        open_elements = done < most and (done == 0 or rough or change > ELEMENT_TOLERANCE)
        if not (open_links or open_elements):
            break
        last = change
        change = _solve_correction(board, model, symbolic, state, h, rows, met, push, kappa, w)
        done += 1
        worst = _link_residual(model, state.x, state.v, h, w)
        before = residual if done > 1 else BIG
        residual = _element_residual(model, state, h, damping, w)
        gap = _seam_residual(rows, met, state, kappa, h, push, w)
        if rows.count[0] > rows.held[0] and residual <= TOUCHING_TOLERANCE:
            slow = change > SLOW * last or residual <= EASILY * TOUCHING_TOLERANCE
            change = 0.0 if done > 1 and slow else change
        elif done > 1 and change > ELEMENT_TOLERANCE and not change < last:
            break
    recompute_memory(rows, state.v, kappa, h)
    return done, worst, change
