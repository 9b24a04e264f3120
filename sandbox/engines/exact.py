"""What a mechanism does: M a = f + Jᵀλ, J a = -J̇ v, solved to twelve digits by DOP853.

Maximal coordinates (x, y, θ) of every bar; where loops make rows of J depend on each other, the
forces of least norm are taken. Errors of the pins are drawn back (Baumgarte, 50/s), so that
rounding does not add up.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from sandbox.engines.planar import G, Mechanism

Floats = NDArray[np.float64]
_BACK = 50.0  # 1/s


class _Rows:
    """Pins as arrays: ends, and their points in the axes of the bars."""

    def __init__(self, mechanism: Mechanism) -> None:
        bars, pins = mechanism.bars, mechanism.pins
        self.a = np.array([pin.a for pin in pins])
        self.b = np.array([pin.b for pin in pins])
        self.la = np.array([bars[pin.a].local(pin.x, pin.y) for pin in pins])
        held = [bars[pin.b].local(pin.x, pin.y) if pin.b >= 0 else (pin.x, pin.y) for pin in pins]
        self.lb = np.array(held)
        self.moving = self.b >= 0
        self.count, self.size = len(pins), 3 * len(bars)

    def arms(self, q: Floats, ends: NDArray[np.int64], local: Floats) -> Floats:
        angle = q[3 * ends + 2]
        c, s = np.cos(angle), np.sin(angle)
        x, y = local[:, 0], local[:, 1]
        return np.stack([c * x - s * y, s * x + c * y], axis=1)

    def evaluate(self, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        """J, J̇ v and φ."""
        J = np.zeros((2 * self.count, self.size))
        change, phi = np.zeros((self.count, 2)), np.zeros((self.count, 2))
        rows = 2 * np.arange(self.count)
        for ends, local, sign in ((self.a, self.la, 1.0), (self.b, self.lb, -1.0)):
            here = np.ones(self.count, bool) if sign > 0 else self.moving
            e, r = ends[here], rows[here]
            arm = self.arms(q, e, local[here])
            J[r, 3 * e] += sign
            J[r + 1, 3 * e + 1] += sign
            J[r, 3 * e + 2] -= sign * arm[:, 1]
            J[r + 1, 3 * e + 2] += sign * arm[:, 0]
            change[here] -= sign * arm * (v[3 * e + 2] ** 2)[:, None]
            phi[here] += sign * (np.stack([q[3 * e], q[3 * e + 1]], axis=1) + arm)
        phi[~self.moving] -= self.lb[~self.moving]
        return J, change.ravel(), phi.ravel()


def solve(mechanism: Mechanism, times: Floats | None = None, tolerance: float = 1e-11) -> Floats:
    """Places (t, bars, 3) of all bars: x, y, θ, at the times asked for, or at the end alone."""
    bars = mechanism.bars
    n = len(bars)
    masses = np.array([m for bar in bars for m in (bar.mass, bar.mass, bar.inertia)])
    force = np.array([f for bar in bars for f in (0.0, -G * bar.mass, 0.0)])
    rows = _Rows(mechanism)
    loops = bool(mechanism.tree()[1])

    def motion(_: float, y: Floats) -> Floats:
        q, v = y[: 3 * n], y[3 * n :]
        J, change, phi = rows.evaluate(q, v)
        right = -change - J @ (force / masses) - 2 * _BACK * (J @ v) - _BACK**2 * phi
        A = (J / masses) @ J.T
        λ = np.linalg.lstsq(A, right, rcond=1e-12)[0] if loops else np.linalg.solve(A, right)
        return np.concatenate([v, (force + J.T @ λ) / masses])

    start = [part for bar in bars for part in (bar.x, bar.y, bar.angle)]
    start += [part for bar in bars for part in (bar.vx, bar.vy, bar.omega)]
    wanted = np.array([mechanism.seconds]) if times is None else np.asarray(times, float)
    found = solve_ivp(
        motion, (0.0, float(wanted[-1])), start, "DOP853", wanted, rtol=tolerance, atol=tolerance
    )
    return found.y[: 3 * n].T.reshape(-1, n, 3)
