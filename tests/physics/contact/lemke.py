"""Linear complementarity problems by Lemke's pivoting, and a step with friction as one.

    w = M z + q,   w ≥ 0,   z ≥ 0,   w·z = 0

Nothing here is shared with the engine: no sweeps, no projection, only pivots.
"""

import math

import numpy as np
from scipy.optimize import root

PIVOT = 1e-11  # of a column: smaller entries are rounding
_REFINE = 4  # the spacing of a polygon's corners grows, and is drawn closer, by this factor
_FINEST = 2e-3  # rad; where that ends: corners closer than this spoil the pivots
_TURNS = 60  # polygons tried, at most


def lemke(M: np.ndarray, q: np.ndarray) -> np.ndarray:
    """z of the problem (M, q), by complementary pivoting with the covering vector of ones."""
    n = len(q)
    z = np.zeros(n)
    if q.min() >= 0.0:
        return z
    # rows: basic variables; columns: w (n), z (n), the covering variable, the right side
    table = np.hstack([np.eye(n), -M, -np.ones((n, 1)), q[:, None]])
    basis = np.arange(n)
    row, column = int(np.argmin(q)), 2 * n
    for _ in range(50 * n):
        table[row] /= table[row, column]
        others = np.arange(n) != row
        table[others] -= np.outer(table[others, column], table[row])
        left, basis[row] = int(basis[row]), column
        if left == 2 * n:
            inside = (basis >= n) & (basis < 2 * n)
            z[basis[inside] - n] = table[inside, -1]
            return z
        column = left + n if left < n else left - n
        able = np.flatnonzero(table[:, column] > PIVOT * np.abs(table[:, column]).max())
        if len(able) == 0:
            raise ArithmeticError("Lemke's method ends in a ray")
        ratio = table[able, -1] / table[able, column]
        row = int(able[np.argmin(ratio)])
    raise ArithmeticError("Lemke's method does not end")


def coulomb(S: np.ndarray, speed: np.ndarray, friction: float) -> np.ndarray:
    """Impulses (3 per contact) of contacts with Coulomb friction on disks.

    A sequence of problems with polygons for disks. The corners of each polygon stand close together
    about where friction points, and far apart elsewhere; they are drawn closer wherever friction
    was found among the closest, until friction opposes sliding to the finest spacing. That tells
    who lifts, sticks and slides, and which way; the equations of that, with disks, are then solved
    as they stand. Rows that tie in the pivoting are told apart by changing q a little at random.
    """
    count = len(speed) // 3
    turn, fine = np.zeros(count), np.full(count, math.pi / _REFINE)
    impulse = np.zeros(len(speed))
    rng = np.random.default_rng(1)
    for _ in range(_TURNS):
        M, q, D = _polygons(S, speed, friction, turn, fine)
        q += 1e-9 * np.abs(speed).max() * rng.uniform(0.0, 1.0, len(q))
        impulse = D @ lemke(M, q)[: D.shape[1]]
        along = impulse.reshape(-1, 3)
        found = np.arctan2(along[:, 2], along[:, 1])
        off = np.abs(np.angle(np.exp(1j * (found - turn))))
        loaded = np.hypot(along[:, 1], along[:, 2]) > 0.0
        turn = np.where(loaded, found, turn)
        fine = np.where(~loaded | (off < 1.5 * fine), fine / _REFINE, fine)
        if fine.max() < _FINEST:
            break
    found = root(_off_law, impulse, args=(S, speed, friction), tol=1e-14)
    return np.asarray(found.x)


def _off_law(impulse: np.ndarray, S: np.ndarray, speed: np.ndarray, friction: float) -> np.ndarray:
    """How far impulses are off μ_n = max(0, μ_n - w_n/s), μ_t = disk(μ_t - w_t/s)."""
    mu = impulse.reshape(-1, 3)
    aim = mu - (S @ impulse + speed).reshape(-1, 3) / np.diag(S).reshape(-1, 3).max(1)[:, None]
    normal = np.maximum(aim[:, 0], 0.0)
    size = np.hypot(aim[:, 1], aim[:, 2])
    share = np.minimum(friction * np.maximum(mu[:, 0], 0.0) / np.maximum(size, 1e-300), 1.0)
    return np.asarray((np.stack([normal, share * aim[:, 1], share * aim[:, 2]], 1) - mu).ravel())


def _polygons(
    S: np.ndarray, speed: np.ndarray, friction: float, turn: np.ndarray, fine: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(M, q, D): contacts with Coulomb friction as Stewart and Trinkle pose them.

    S = J A⁻¹ Jᵀ and speed = J v_free + bias over (normal, two tangents) of each contact. The disk
    becomes a polygon with corners d_k at `turn`, `turn` ± `fine`, and ever farther, μ_t = Σ β_k d_k
    with β ≥ 0, and z is all normals, all β, and per contact the sliding speed σ:

        0 ≤ w_n ⟂ μ_n ≥ 0,   0 ≤ d_kᵀ w_t + σ ⟂ β_k ≥ 0,   0 ≤ μ_f μ_n - Σ β ⟂ σ ≥ 0

    D takes normals and β to the impulses.
    """
    count = len(turn)
    corners = [turn[c] + _fan(float(fine[c])) for c in range(count)]
    total = count + sum(map(len, corners))
    D, E = np.zeros((3 * count, total)), np.zeros((total, count))
    at = count
    for c, angles in enumerate(corners):
        beta = at + np.arange(len(angles))
        D[3 * c, c] = 1.0
        D[3 * c + 1, beta], D[3 * c + 2, beta] = np.cos(angles), np.sin(angles)
        E[beta, c] = 1.0
        at += len(angles)
    budget = np.hstack([friction * np.eye(count), -E[count:].T])
    M = np.block([[D.T @ S @ D, E], [budget, np.zeros((count, count))]])
    q = np.r_[D.T @ speed, np.zeros(count)]
    return M, q, D


def _fan(fine: float) -> np.ndarray:
    """Angles 0, ± fine, and on by growing steps up to a half turn; none farther than 45° apart."""
    reach, step, angles = fine, fine, [0.0]
    while reach < math.pi - 1e-9:
        angles += [reach, -reach]
        step = min(_REFINE * step, math.pi / 4)
        reach += step
    return np.array([*angles, math.pi])
