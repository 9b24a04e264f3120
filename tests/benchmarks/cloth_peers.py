"""Cloths and beams in other engines: MuJoCo's flex, PyBullet's deformables, Newton on the CPU.

Each with a step it can hold, and with ours, in the same run as `tests.benchmarks.cloths`. Whoever
is not installed is passed over with a line that says so.

    pip install 'taut[bench,peers]'

A line gives processor time per step and per simulated second, and what the engine made of the
scene: the largest stretch of a thread after that second, or the sag of a beam's end. An engine
that loses the scene (not finite, or threads twice as long) is said to explode, however fast.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from physics.soft.meshes import primitives

Floats = NDArray[np.float64]

SIZE = 2.0  # m, edge of the cloth of 1 kg
BEAM_CELLS, BEAM_CELL = (9, 6, 6), 0.05  # 1,944 tetrahedra, 1 MPa, ν = 0.3, 1000 kg/m³
YOUNG, POISSON, DENSITY = 1e6, 0.3, 1000.0
PATIENCE = 12.0  # s of processor time for one line; a slower peer is measured over less
EXPLODED = 1.0  # stretch


Judge = Callable[[Floats, Floats], str]  # of the nodes at first and now


@dataclass
class Run:
    """A peer's scene, ready to go."""

    name: str
    h: float
    step: Callable[[], None]
    positions: Callable[[], Floats]
    judge: Judge


def thread_judge(first: Floats, x: Floats) -> str:
    """Largest stretch of the threads: node pairs that are nearest to each other at first."""
    finest = np.linalg.norm(first[1:] - first[0], axis=1).min()
    tree = cKDTree(first)
    i, j = tree.query_pairs(1.01 * finest, output_type="ndarray").T
    stretch = float(np.abs(np.linalg.norm(x[i] - x[j], axis=1) / finest - 1.0).max())
    return f"strain {100 * stretch:6.3f} %" if stretch < EXPLODED else "explodes"


def beam_judge(first: Floats, x: Floats) -> str:
    """How far the free end has sunk, whichever axis is the vertical."""
    end = first[:, 0] > first[:, 0].max() - 0.5 * BEAM_CELL
    sunk = float(np.abs((x - first)[end].mean(axis=0)).max())
    return f"sag {1e3 * sunk:6.2f} mm" if sunk < EXPLODED else "explodes"


def measure(run: Run) -> None:
    """Print one line."""
    first = run.positions()
    run.step()  # whatever is compiled or allocated first
    steps = max(1, round(1.0 / run.h))
    start = time.process_time()
    done = 0
    while done < steps and time.process_time() - start < PATIENCE:
        run.step()
        done += 1
    spent = 1e3 * (time.process_time() - start) / done
    short = "" if done == steps else f" after {done * run.h:.2f} s"
    verdict = run.judge(first, run.positions())
    print(
        f"{run.name:>34} h = {run.h:.4f} {spent:8.2f} ms  {spent / run.h / 1e3:7.2f} s per s"
        f"   {verdict}{short}"
    )


# --- MuJoCo ---------------------------------------------------------------------------------------

_FLEX = """<mujoco><option timestep="{h}" gravity="0 0 -9.81"/>
<size memory="200M"/><worldbody><flexcomp name="flex" type="grid" dim="{dim}" count="{count}"
 spacing="{gap} {gap} {gap}" mass="{mass}" radius="0.005">
<contact selfcollide="none"/>{inside}<pin id="{pins}"/></flexcomp></worldbody></mujoco>"""


def _mujoco(name: str, h: float, judge: Judge, **scene: Any) -> Run:
    import mujoco

    mujoco.set_mju_user_warning(lambda _: None)
    model: Any = mujoco.MjModel.from_xml_string(_FLEX.format(h=h, **scene))
    data: Any = mujoco.MjData(model)
    mujoco.mj_forward(model, data)

    def step() -> None:
        mujoco.mj_step(model, data)

    def positions() -> Floats:
        """NaN once it has blown up: MuJoCo then starts again from rest and says no more."""
        lost = any(warning.number for warning in data.warning)
        return np.full_like(data.flexvert_xpos, np.nan) if lost else data.flexvert_xpos.copy()

    return Run(f"MuJoCo {name}", h, step, positions, judge)


def mujoco_runs(n: int) -> Iterator[Run]:
    """Cloth whose edges are equality constraints."""
    cloth = {
        "dim": 2,
        "count": f"{n} {n} 1",
        "gap": SIZE / (n - 1),
        "mass": 1,
        "pins": f"0 {n - 1}",
    }
    for h in (1 / 60, 0.002):
        yield _mujoco(f"flex {n}x{n}", h, thread_judge, **cloth, inside=_threads(h))


def _threads(h: float) -> str:
    """Edges as stiff as the step allows: MuJoCo takes a time constant of two steps at least."""
    return f'<edge equality="true" solref="{2 * h} 1"/>'


def mujoco_others() -> Iterator[Run]:
    """A solid, and a rope."""
    counts = [c + 1 for c in BEAM_CELLS]
    mass = DENSITY * float(np.prod([c * BEAM_CELL for c in BEAM_CELLS]))
    clamped = " ".join(str(k) for k in range(counts[1] * counts[2]))
    elastic = f'<elasticity young="{YOUNG}" poisson="{POISSON}"/>'
    beam = {"dim": 3, "count": " ".join(map(str, counts)), "gap": BEAM_CELL, "mass": mass}
    for h in (1 / 60, 0.0005):
        yield _mujoco("flex, beam", h, beam_judge, **beam, inside=elastic, pins=clamped)
    rope = {"dim": 1, "count": "201 1 1", "gap": 0.05, "mass": 2.0}
    for h in (1 / 60, 0.002):
        yield _mujoco("flex, rope of 200", h, thread_judge, **rope, inside=_threads(h), pins="0")


# --- PyBullet -------------------------------------------------------------------------------------


def pybullet_runs(n: int | None) -> Iterator[Run]:
    """Mass-spring cloth, or with n = None the Neo-Hookean beam; ten substeps of a millisecond."""
    import pybullet

    with tempfile.TemporaryDirectory() as folder:
        for h in (1 / 60, 0.01):
            client: Any = pybullet.connect(pybullet.DIRECT)
            pybullet.resetSimulation(pybullet.RESET_USE_DEFORMABLE_WORLD)
            pybullet.setPhysicsEngineParameter(numSubSteps=10)
            pybullet.setTimeStep(h)
            pybullet.setGravity(0, -9.81, 0)
            if n is None:
                body, name = _bullet_beam(pybullet, Path(folder)), "deformable, beam"
            else:
                body, name = _bullet_cloth(pybullet, Path(folder), n), f"deformable {n}x{n}"

            def positions(body: int = body) -> Floats:
                return _bullet_nodes(pybullet, body)

            judge = beam_judge if n is None else thread_judge
            yield Run(f"PyBullet {name}", h, pybullet.stepSimulation, positions, judge)
            pybullet.disconnect(client)


def _bullet_nodes(bullet: Any, body: int) -> Floats:
    return np.array(bullet.getMeshData(body, -1, flags=bullet.MESH_DATA_SIMULATION_MESH)[1])


def _bullet_cloth(bullet: Any, folder: Path, n: int) -> int:
    sheet = primitives.cloth(n, n, (SIZE, SIZE))
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in sheet.position]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in sheet.triangles]
    path = folder / "cloth.obj"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    body = bullet.loadSoftBody(
        str(path),
        mass=1.0,
        useMassSpring=1,
        useBendingSprings=0,
        springElasticStiffness=1000.0,
        springDampingStiffness=0.1,
        springDampingAllDirections=0,
        collisionMargin=0.005,
    )
    nodes = _bullet_nodes(bullet, body)  # in an order of its own
    for corner in (sheet.position[0], sheet.position[n - 1]):
        nearest = int(np.linalg.norm(nodes - corner, axis=1).argmin())
        bullet.createSoftBodyAnchor(body, nearest, -1, -1)
    return int(body)


def _bullet_beam(bullet: Any, folder: Path) -> int:
    solid = primitives.box(BEAM_CELLS, tuple(BEAM_CELL * c for c in BEAM_CELLS))  # type: ignore[arg-type]
    path = folder / "beam.vtk"
    _write_vtk(path, solid)
    mu = YOUNG / (2 * (1 + POISSON))
    lam = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    volume = float(np.prod([c * BEAM_CELL for c in BEAM_CELLS]))
    body = bullet.loadSoftBody(
        str(path),
        simFileName=str(path),
        mass=DENSITY * volume,
        useNeoHookean=1,
        NeoHookeanMu=mu,
        NeoHookeanLambda=lam,
        NeoHookeanDamping=0.01,
        collisionMargin=0.005,
    )
    for node in np.flatnonzero(_bullet_nodes(bullet, body)[:, 0] < 1e-9):
        bullet.createSoftBodyAnchor(body, int(node), -1, -1)
    return int(body)


def _write_vtk(path: Path, solid: primitives.TetMesh) -> None:
    """The old text form, all that PyBullet reads."""
    points = [f"{x:.9g} {y:.9g} {z:.9g}" for x, y, z in solid.position]
    cells = [f"4 {a} {b} {c} {d}" for a, b, c, d in solid.tetrahedra]
    head = ["# vtk DataFile Version 2.0", "beam", "ASCII", "DATASET UNSTRUCTURED_GRID"]
    body = [f"POINTS {len(points)} double", *points, f"CELLS {len(cells)} {5 * len(cells)}", *cells]
    tail = [f"CELL_TYPES {len(cells)}", *["10"] * len(cells)]
    path.write_text("\n".join(head + body + tail) + "\n", encoding="utf-8")


# --- Newton ---------------------------------------------------------------------------------------


def newton_runs(n: int | None) -> Iterator[Run]:
    """Vertex block descent, ten substeps of ten iterations a frame as in its own examples."""
    import newton
    import warp

    warp.config.quiet = True
    warp.init()
    with warp.ScopedDevice("cpu"):
        builder: Any = newton.ModelBuilder(up_axis=newton.Axis.Y, gravity=(0.0, -9.81, 0.0))
        place = {"pos": warp.vec3(0.0, 0.0, 0.0), "vel": warp.vec3(0.0, 0.0, 0.0)}
        if n is None:
            _newton_beam(warp, builder, place)
        else:
            _newton_cloth(warp, builder, place, n)
        builder.color(include_bending=n is not None)
        model = builder.finalize()
        solver: Any = newton.solvers.SolverVBD(
            model=model, iterations=10, particle_enable_self_contact=False
        )
        states = [model.state(), model.state()]
        control, h = model.control(), 1 / 600

        def step() -> None:
            states[0].clear_forces()
            solver.step(states[0], states[1], control, None, h)
            states.reverse()

        def positions() -> Floats:
            return np.asarray(states[0].particle_q.numpy(), dtype=float)

        name = "Newton VBD, " + ("beam" if n is None else f"{n}x{n}")
        yield Run(name, h, step, positions, beam_judge if n is None else thread_judge)


def _newton_beam(warp: Any, builder: Any, place: dict[str, Any]) -> None:
    mu = YOUNG / (2 * (1 + POISSON))
    lam = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    dims = {f"dim_{axis}": c for axis, c in zip("xyz", BEAM_CELLS, strict=True)}
    gaps = {f"cell_{axis}": BEAM_CELL for axis in "xyz"}
    builder.add_soft_grid(
        **place, rot=warp.quat_identity(), **dims, **gaps, density=DENSITY, k_mu=mu,
        k_lambda=lam, k_damp=0.0, fix_left=True,
    )  # fmt: skip


def _newton_cloth(warp: Any, builder: Any, place: dict[str, Any], n: int) -> None:
    builder.add_cloth_grid(
        **place,
        rot=warp.quat_from_axis_angle(warp.vec3(1.0, 0.0, 0.0), warp.pi * 0.5),
        dim_x=n - 1, dim_y=n - 1, cell_x=SIZE / (n - 1), cell_y=SIZE / (n - 1),
        mass=1.0 / n**2, edge_ke=0.0, edge_kd=0.0, tri_ke=1e5, tri_ka=1e5, tri_kd=0.0,
    )  # fmt: skip
    for node in (0, n - 1):
        builder.particle_mass[node] = 0.0
        builder.particle_flags[node] = 0


# --- all of them ----------------------------------------------------------------------------------


def _attempt(name: str, package: str, runs: Callable[[], Iterator[Run]]) -> None:
    if find_spec(package) is None:
        print(f"{name:>34} is not installed: pip install 'taut[bench,peers]'")
        return
    try:
        for run in runs():
            measure(run)
    except Exception as error:
        print(f"{name:>34} cannot do this scene: {str(error).splitlines()[0][:120]}")


def main(_arguments: list[str] | None = None) -> None:
    for n in (20, 40):
        _attempt("MuJoCo", "mujoco", lambda n=n: mujoco_runs(n))  # type: ignore[misc]
        _attempt("PyBullet", "pybullet", lambda n=n: pybullet_runs(n))  # type: ignore[misc]
        _attempt("Newton", "newton", lambda n=n: newton_runs(n))  # type: ignore[misc]
    _attempt("MuJoCo", "mujoco", mujoco_others)
    _attempt("PyBullet", "pybullet", lambda: pybullet_runs(None))
    _attempt("Newton", "newton", lambda: newton_runs(None))
