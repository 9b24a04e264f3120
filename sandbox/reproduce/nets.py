"""Integrators for teaching: springs between point masses, in a few lines of numpy each.

Every one takes a state (x, v) a step further. The net is a list of edges with a stiffness; what
differs is only how force and time go together, as in [Lecture], [Notes] and [Servin06].
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
State = tuple[Floats, Floats]


@dataclass
class Net:
    """Point masses (n, 3), edges (m, 2) of rest length and stiffness; `fixed` ones do not move."""

    position: Floats
    edges: NDArray[np.int64]
    stiffness: Floats  # (m,) N/m
    mass: Floats  # (n,)
    fixed: list[int]
    gravity: float = 9.81

    def __post_init__(self) -> None:
        way = self.position[self.edges[:, 0]] - self.position[self.edges[:, 1]]
        self.rest = np.linalg.norm(way, axis=1)
        self.free = np.ones(len(self.position), bool)
        self.free[self.fixed] = False

    def start(self) -> State:
        return self.position.copy(), np.zeros_like(self.position)

    def edge_parts(self, x: Floats) -> tuple[Floats, Floats]:
        """Directions (m, 3) and lengths (m,)."""
        way = x[self.edges[:, 0]] - x[self.edges[:, 1]]
        length = np.linalg.norm(way, axis=1)
        return way / length[:, None], length

    def weight(self) -> Floats:
        return np.outer(self.mass, (0.0, -self.gravity, 0.0)) * self.free[:, None]

    def force(self, x: Floats) -> Floats:
        n, length = self.edge_parts(x)
        pull = (self.stiffness * (length - self.rest))[:, None] * n
        total = self.weight()
        np.subtract.at(total, self.edges[:, 0], pull)
        np.add.at(total, self.edges[:, 1], pull)
        return total * self.free[:, None]

    def jacobian(self, x: Floats) -> Floats:
        """∂(length)/∂x of every edge: (m, 3n)."""
        n, _ = self.edge_parts(x)
        J = np.zeros((len(self.edges), len(x), 3))
        rows = np.arange(len(self.edges))
        J[rows, self.edges[:, 0]] += n
        J[rows, self.edges[:, 1]] -= n
        return J.reshape(len(self.edges), -1)

    def stiffness_matrix(self, x: Floats, geometric: bool = True) -> Floats:
        """-∂f/∂x: of the material, and of tension against sideways motion."""
        J = self.jacobian(x)
        K = J.T @ (self.stiffness[:, None] * J)
        if geometric:
            n, length = self.edge_parts(x)
            tension = self.stiffness * (length - self.rest) / length
            for (a, b), t, direction in zip(self.edges, tension, n, strict=True):
                block = t * (np.eye(3) - np.outer(direction, direction))
                for p, q, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
                    K[3 * p : 3 * p + 3, 3 * q : 3 * q + 3] += sign * block
        return K

    def solve(self, A: Floats, right: Floats) -> Floats:
        """Over what is free."""
        free = np.repeat(self.free, 3)
        found = np.zeros(len(free))
        found[free] = np.linalg.solve(A[np.ix_(free, free)], right.ravel()[free])
        return found.reshape(-1, 3)

    def energy(self, state: State) -> float:
        x, v = state
        _, length = self.edge_parts(x)
        moving = 0.5 * float(np.sum(self.mass[:, None] * v * v))
        elastic = 0.5 * float(np.sum(self.stiffness * (length - self.rest) ** 2))
        return moving + elastic + self.gravity * float(np.sum(self.mass * x[:, 1]))


Stepper = Callable[[Net, State, float], State]


def _acceleration(net: Net, x: Floats) -> Floats:
    return net.force(x) / net.mass[:, None]


def explicit_euler(net: Net, state: State, h: float) -> State:
    x, v = state
    return x + h * v, v + h * _acceleration(net, x)


def midpoint(net: Net, state: State, h: float) -> State:
    x, v = state
    xm, vm = x + 0.5 * h * v, v + 0.5 * h * _acceleration(net, x)
    return x + h * vm, v + h * _acceleration(net, xm)


def runge_kutta_4(net: Net, state: State, h: float) -> State:
    x, v = state
    a1 = _acceleration(net, x)
    v2 = v + 0.5 * h * a1
    a2 = _acceleration(net, x + 0.5 * h * v)
    v3 = v + 0.5 * h * a2
    a3 = _acceleration(net, x + 0.5 * h * v2)
    v4 = v + h * a3
    a4 = _acceleration(net, x + h * v3)
    return x + h / 6 * (v + 2 * v2 + 2 * v3 + v4), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)


def symplectic_euler(net: Net, state: State, h: float) -> State:
    x, v = state
    v = v + h * _acceleration(net, x)
    return x + h * v, v


def leapfrog(net: Net, state: State, h: float) -> State:
    """Velocity Verlet: half a kick, a drift, half a kick."""
    x, v = state
    half = v + 0.5 * h * _acceleration(net, x)
    x = x + h * half
    return x, half + 0.5 * h * _acceleration(net, x)


def linearly_implicit(net: Net, state: State, h: float) -> State:
    """(M + h²K) v₊ = M v + h f."""
    x, v = state
    M = np.repeat(net.mass, 3)
    A = np.diag(M) + h * h * net.stiffness_matrix(x)
    v = net.solve(A, M.reshape(-1, 3) * v + h * net.force(x))
    return x + h * v, v


def regularised(net: Net, state: State, h: float) -> State:
    """[Servin06]: edges as rows with a compliance, no stiffness from tension."""
    x, v = state
    J = net.jacobian(x)
    free = np.repeat(net.free, 3)
    inverse = free / np.repeat(net.mass, 3)
    _, length = net.edge_parts(x)
    ahead = (v + h * net.weight() / net.mass[:, None]).ravel() * free
    A = (J * inverse) @ J.T + np.diag(1.0 / (h * h * net.stiffness))
    λ = np.linalg.solve(A, -(length - net.rest) / h - J @ ahead)
    v = (ahead + inverse * (J.T @ λ)).reshape(-1, 3)
    return x + h * v, v


def backward_euler(net: Net, state: State, h: float) -> State:
    """Newton with a line search on ½|x - y|²_M/h² + V(x)."""
    x, v = state
    y = x + h * v
    M = np.repeat(net.mass, 3).reshape(-1, 3)
    now = np.where(net.free[:, None], y, x)

    def value(at: Floats) -> float:
        _, length = net.edge_parts(at)
        stored = 0.5 * float(np.sum(net.stiffness * (length - net.rest) ** 2))
        high = net.gravity * float(np.sum(net.mass * at[:, 1]))
        return 0.5 / h**2 * float(np.sum(M * (at - y) ** 2)) + stored + high

    for _ in range(30):
        slope = (M * (now - y) / h**2 - net.force(now)) * net.free[:, None]
        if float(np.abs(slope).max()) < 1e-9 * (1.0 + float(np.abs(net.weight()).max())):
            break
        A = np.diag(M.ravel()) / h**2 + net.stiffness_matrix(now)
        way = -net.solve(A, slope)
        if float(np.sum(way * slope)) > 0:  # not downhill: leave tension's part out
            A = np.diag(M.ravel()) / h**2 + net.stiffness_matrix(now, geometric=False)
            way = -net.solve(A, slope)
        size, here = 1.0, value(now)
        while value(now + size * way) > here and size > 1e-6:
            size *= 0.5
        now = now + size * way
    return now, (now - x) / h


def projective(net: Net, state: State, h: float, rounds: int = 10) -> State:
    """[Notes]: project every edge to its length, then one constant linear solve; repeated."""
    x, v = state
    M = np.repeat(net.mass, 3)
    y = x + h * v + h * h * net.weight() / net.mass[:, None]
    y = np.where(net.free[:, None], y, x)
    L = np.zeros((len(x), len(x)))
    for (a, b), k in zip(net.edges, net.stiffness, strict=True):
        L[a, a] += k
        L[b, b] += k
        L[a, b] -= k
        L[b, a] -= k
    A = np.diag(M) / h**2 + np.kron(L, np.eye(3))
    now = y.copy()
    for _ in range(rounds):
        n, _ = net.edge_parts(now)
        goal = (net.stiffness * net.rest)[:, None] * n
        right = M.reshape(-1, 3) * y / h**2
        np.add.at(right, net.edges[:, 0], goal)
        np.subtract.at(right, net.edges[:, 1], goal)
        held = ~net.free
        right -= L[:, held] @ x[held]
        now = np.where(net.free[:, None], net.solve(A, right), x)
    return now, (now - x) / h


def xpbd(net: Net, state: State, h: float, rounds: int = 10) -> State:
    """Compliant position-based dynamics: edges one after the other, multipliers kept."""
    x, v = state
    inverse = net.free / net.mass
    now = x + h * v + h * h * net.weight() / net.mass[:, None]
    λ = np.zeros(len(net.edges))
    soft = 1.0 / (net.stiffness * h * h)
    for _ in range(rounds):
        for k, (a, b) in enumerate(net.edges):
            way = now[a] - now[b]
            length = float(np.linalg.norm(way))
            weight = inverse[a] + inverse[b]
            if weight == 0.0:
                continue
            change = (-(length - net.rest[k]) - soft[k] * λ[k]) / (weight + soft[k])
            λ[k] += change
            now[a] += inverse[a] * change * way / length
            now[b] -= inverse[b] * change * way / length
    return now, (now - x) / h


def run(net: Net, stepper: Stepper, h: float, seconds: float) -> tuple[list[Floats], list[float]]:
    """Positions and energies after every step; what is not finite ends it."""
    state = net.start()
    places, energies = [], []
    with np.errstate(all="ignore"):
        for _ in range(round(seconds / h)):
            state = stepper(net, state, h)
            energy = net.energy(state)
            if not np.isfinite(energy) or abs(energy) > 1e15:
                energies.append(float("inf"))
                break
            places.append(state[0].copy())
            energies.append(energy)
    return places, energies
