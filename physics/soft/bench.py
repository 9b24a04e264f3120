"""Times of whole soft steps: `python -m physics.soft.bench`.

Time per step of 1/60 s, averaged over the first second of cloth released from the horizontal (guard
steps included) and of a solid clamped at one end: by the clock, with two threads and with one, and
of the processor with one; strain is the largest met. On a busy machine only the last can be
believed. Then bodies beyond the size of the direct solver, solved directly and by iteration, and
whole worlds, by the clock with two threads: cloth with a ball on it, two cloths on
each other, and a rope. Then other engines on the same scenes, as far as they are installed; see
`physics.soft.peers`.
"""

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from physics import Sphere, World
from physics.jit.threads import cores, use_threads
from physics.soft import peers
from physics.soft.builder import Builder
from physics.soft.meshes import primitives
from physics.soft.solve.soft_body import SoftBody
from physics.solver.spd.bench import growth

STEP, STEPS = 1.0 / 60.0, 60


def hung_cloth(n: int, bend: bool) -> SoftBody:
    """2 m x 2 m, 1 kg, inextensible, hung by two corners."""
    sheet = primitives.cloth(n, n, (2.0, 2.0))
    builder = Builder(sheet.position)
    builder.add_mass(1.0 / n**2)
    builder.add_links(sheet.structural, 1e7)
    builder.add_links(sheet.shear, 10.0)
    if bend:
        builder.add_links(sheet.bend, 0.05)
    body = SoftBody(builder)
    body.pin([0, n - 1])
    return body


def clamped_beam(cells: tuple[int, int, int], material: str) -> SoftBody:
    """Rubber-like beam, 1 MPa."""
    solid = primitives.box(cells, tuple(0.05 * c for c in cells))  # type: ignore[arg-type]
    builder = Builder(solid.position)
    builder.add_tetrahedra(solid.tetrahedra, 1e6, 0.3, material=material, density=1000.0)
    body = SoftBody(builder)
    body.pin(np.flatnonzero(solid.position[:, 0] < 1e-9))
    return body


def tumbling_beam(cells: tuple[int, int, int], young: float, material: str) -> SoftBody:
    """A free beam that turns by 3.6° in a step."""
    solid = primitives.box(cells, tuple(0.05 * c for c in cells))  # type: ignore[arg-type]
    builder = Builder(solid.position)
    builder.add_tetrahedra(solid.tetrahedra, young, 0.3, material=material, density=1000.0)
    body = SoftBody(builder)
    body.gravity = np.zeros(3)
    body.v[...] = np.cross([1.0, 3.0, 2.0], body.x - body.x.mean(axis=0))
    return body


def hung_curtain(n: int, stiffness: float, speed: float) -> SoftBody:
    """2 m x 2 m, 1 kg, hangs at rest by its upper side and begins to sway."""
    sheet = primitives.cloth(n, n, (2.0, 2.0), down=(0.0, -1.0, 0.0))
    builder = Builder(sheet.position)
    builder.add_mass(1.0 / n**2)
    builder.add_links(sheet.structural, stiffness)
    builder.add_links(sheet.shear, 10.0)
    body = SoftBody(builder)
    body.pin(list(range(n)))
    body.settle(1e-6, 30, 10.0)
    body.v[:, 2] = -speed * sheet.position[:, 1] / 2.0
    return body


def run(body: SoftBody) -> tuple[float, float, float, int]:
    """(ms by the clock, ms of the processor, largest strain, guarded steps), of a step."""
    body.step(STEP)
    guarded, strain = 0, 0.0
    clock, processor = time.perf_counter(), time.thread_time()
    for _ in range(STEPS):
        body.step(STEP)
        guarded += body.guarded > 0
        if len(body.model.link_nodes):
            stiff = body.model.link_stiffness == body.model.link_stiffness.max()
            strain = max(strain, float(np.abs(body.strain()[stiff]).max()))
    spent = time.perf_counter() - clock, time.thread_time() - processor
    return 1e3 * spent[0] / STEPS, 1e3 * spent[1] / STEPS, strain, guarded


def measure(name: str, make: Callable[[], SoftBody]) -> tuple[int, float]:
    """Print one line; returns (nodes, ms a step by the clock)."""
    use_threads(1)
    alone = run(make())
    use_threads(cores())
    body = make()
    clock, _, strain, guarded = run(body)
    n = len(body.x)
    print(
        f"{name:>28} {n:6d} nodes {clock:8.2f} ms, one thread {alone[0]:8.2f} ms,"
        f" processor {alone[1]:8.2f} ms   strain {100 * strain:6.3f} %  guard {guarded}",
        flush=True,
    )
    return n, clock


def cloth_world(n: int, mass: float) -> World:
    """A cloth of 2 m x 2 m held by its corners, and a ball that falls into it."""
    world = World()
    world.add_cloth(
        "cloth",
        size=(2.0, 2.0),
        rows=n,
        columns=n,
        pins=[0, n - 1, n * n - n, n * n - 1],
        orientation=(np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0),
    )
    world.add_body("ball", Sphere(0.2), mass=mass, position=(0.1, 0.4, 0.05))
    return world


def folded_world(n: int, self_collision: bool) -> World:
    """A cloth folded in a half circle: the lower half is held, the upper one falls on it."""
    gap = 0.12
    arc = np.pi * gap / 2
    flat = (1.0 - arc) / 2
    s = np.linspace(0.0, 1.0, n)
    turn = np.clip((s - flat) / arc, 0.0, 1.0) * np.pi
    x = np.where(s <= flat, s - flat, np.where(s >= flat + arc, flat + arc - s, 0.0))
    x += gap / 2 * np.sin(turn)
    y = gap / 2 * (1.0 - np.cos(turn))
    z = np.linspace(-0.5, 0.5, n)
    start = np.stack([np.repeat(x, n), np.repeat(y, n), np.tile(z, n)], axis=1)
    held = np.flatnonzero(start[:, 1] == 0.0).tolist()
    world = World()
    world.add_cloth(
        "cloth", rows=n, columns=n, start=start, pins=held, self_collision=self_collision
    )
    return world


def rope_world(segments: int) -> World:
    """A rope of particles released from the horizontal, 10 kg at its end."""
    world = World()
    world.add_particle("p0", fixed=True)
    for k in range(1, segments + 1):
        mass = 10.0 if k == segments else 0.01
        world.add_particle(f"p{k}", mass=mass, position=(0.05 * k, 0.0, 0.0))
        world.add_joint("distance", f"p{k - 1}", f"p{k}", length=0.05)
    return world


def measure_world(name: str, world: World) -> None:
    """Print one line: time a step, and how it was solved."""
    world.step(2)
    factorisations = guarded = 0
    start = time.perf_counter()
    for _ in range(STEPS):
        world.step()
        factorisations += world.stats.soft.get("factorisations", 0)
        guarded += world.stats.soft.get("guarded", 0)
    spent = 1e3 * (time.perf_counter() - start) / STEPS
    print(
        f"{name:>28} {'':12} {spent:8.2f} ms   factorisations a step"
        f" {factorisations / STEPS:.2f}  guard {guarded}"
    )


def crossed_world(n: int) -> World:
    """A cloth that falls on another one, held by its corners."""
    world = World()
    flat = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)
    world.add_cloth(
        "lower", rows=n, columns=n, pins=[0, n - 1, n * n - n, n * n - 1], orientation=flat
    )
    world.add_cloth(
        "upper", rows=n, columns=n, size=(0.5, 0.5), position=(0.0, 0.05, 0.0), orientation=flat,
        mass=0.25,
    )  # fmt: skip
    return world


def compare_solvers(name: str, make: Callable[[], SoftBody], steps: int = 20) -> None:
    """Print one line: the same steps solved directly and as "auto" does."""
    spent, body = [], make()
    for solver in ("direct", "auto"):
        body = make()
        body.options.solver = solver
        body.step(STEP, 2)
        made, done = body.factorisations, body.iterations
        start = time.perf_counter()
        body.step(STEP, steps)
        spent.append(1e3 * (time.perf_counter() - start) / steps)
    print(
        f"{name:>28} {len(body.x):6d} nodes {spent[0]:8.2f} ms direct, {spent[1]:8.2f} ms by"
        f" iteration: {(body.iterations - done) / steps:.1f} and"
        f" {(body.factorisations - made) / steps:.2f} factorisations a step",
        flush=True,
    )


def main() -> None:
    hung_cloth(12, True).step(STEP, 60)  # loads the kernels, those of the guard too
    sizes = (20, 40, 60)
    plain = [measure(f"cloth {n}x{n}", partial(hung_cloth, n, False)) for n in sizes]
    bend = [measure(f"cloth with bend {n}x{n}", partial(hung_cloth, n, True)) for n in sizes]
    solids = []
    for cells in ((9, 3, 3), (9, 6, 6), (20, 8, 8)):
        count = 6 * cells[0] * cells[1] * cells[2]
        solids.append(measure(f"{count} tetrahedra, stvk", partial(clamped_beam, cells, "stvk")))
    for material in ("corotational", "neo_hookean"):
        measure(f"1944 tetrahedra, {material}", partial(clamped_beam, (9, 6, 6), material))
    for name, points in (("cloth", plain), ("cloth with bend", bend), ("tetrahedra", solids)):
        print(f"growth exponent, {name}: {growth(points):.2f}")
    compare_solvers("curtain 100x100", partial(hung_curtain, 100, 1e4, 0.1))
    for young, material in ((1e6, "corotational"), (1e9, "stvk")):
        beam = partial(tumbling_beam, (20, 10, 10), young, material)
        compare_solvers(f"12000 tetrahedra, {young:.0e} Pa", beam)
    compare_solvers("taut cloth 100x100", partial(hung_cloth, 100, False))
    cloth_world(8, 20.0).step(40)  # loads what contacts need
    for n in (20, 40):
        measure_world(f"cloth {n}x{n} under a ball", cloth_world(n, 20.0))
    folded_world(8, self_collision=True).step(20)
    for n in (20, 40):
        measure_world(f"folded {n}x{n}, touches itself", folded_world(n, self_collision=True))
    measure_world("two cloths of 20x20", crossed_world(20))
    measure_world("rope of 200", rope_world(200))
    peers.main()


if __name__ == "__main__":
    main()
